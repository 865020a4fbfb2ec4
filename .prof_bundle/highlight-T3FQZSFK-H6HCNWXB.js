import{a as r,b as t}from"./chunk-S7WTW5FH.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as TEXT_LIMIT,t as createHighlight};
