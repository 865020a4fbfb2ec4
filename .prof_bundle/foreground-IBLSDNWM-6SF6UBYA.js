import{a as r,b as o}from"./chunk-AZQLV77H.js";import"./chunk-DPGXQQM3.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as endAs,r as runInForeground};
