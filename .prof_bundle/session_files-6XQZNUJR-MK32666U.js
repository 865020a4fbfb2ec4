import{a as i,b as o,c as r,d as m}from"./chunk-ETFGDYID.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{i as filesByName,o as isPlainJson,m as sourceFiles,r as verbatimIn};
