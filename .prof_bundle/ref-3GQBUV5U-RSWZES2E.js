import{Bb as p,Cb as r,Db as o,Eb as i,Fb as t}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as SHORTEST_PREFIX,p as TEAM_REF,o as parseRef,t as parseSessionId,i as splitRef};
