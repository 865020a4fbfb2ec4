import{a as r,b as o,c as t}from"./chunk-NZMOS77B.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as HANDOVER_AGENTS,o as handoverTarget,t as writerOf};
