import{A as r,y as t,z as o}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as formatDuration,t as timeLabel,o as utcMinute};
