import{a as o,b as r,c as i,d as m}from"./chunk-SEXDJVHA.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as idInName,i as isDocument,o as locateSessions,m as readWorkspace};
