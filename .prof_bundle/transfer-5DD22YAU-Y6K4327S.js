import{a as p,b as o}from"./chunk-ODQH7EDX.js";import"./chunk-25ZVDLM7.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as pullOnce,p as pushOnce};
