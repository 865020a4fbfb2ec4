import{a as r,b as o}from"./chunk-6M7SIYVU.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as findFromDirectory,r as foldersOfDirectory};
