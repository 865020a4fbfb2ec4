import{a as r,b as t}from"./chunk-XJ44BYDZ.js";import"./chunk-TUET7P4B.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as listRemote,t as printShared};
