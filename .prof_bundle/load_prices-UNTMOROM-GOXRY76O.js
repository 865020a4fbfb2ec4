import{a as r,b as o}from"./chunk-SQYD2CLZ.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as assertPrices,r as loadPrices};
