import{a as r}from"./chunk-SWV6HFCA.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as readExact};
