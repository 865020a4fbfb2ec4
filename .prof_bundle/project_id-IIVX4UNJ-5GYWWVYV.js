import{a as o,b as r,c as m}from"./chunk-677FXTBY.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as checkedProjectName,o as normalizedRemote,m as projectId};
