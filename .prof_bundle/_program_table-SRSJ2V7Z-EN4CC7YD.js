import{a as r,b as o}from"./chunk-G4SVFWIU.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as VERSION_FLAG,o as programTable};
