import{a as o}from"./chunk-Z523HPSF.js";import"./chunk-25ZVDLM7.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as touching};
