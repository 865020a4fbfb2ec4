import{a as r}from"./chunk-WZOK2S2S.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as renderUsageTable};
