import{a as o,b as t}from"./chunk-2GVJU43F.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as addCost,t as costSumOf};
