import{a as o,b as p}from"./chunk-RE5DBSBX.js";import"./chunk-DPGXQQM3.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as openMarks,p as pidFiles};
