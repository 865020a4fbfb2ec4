import{E as r,F as m}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as formatBytes,m as scaleNumber};
