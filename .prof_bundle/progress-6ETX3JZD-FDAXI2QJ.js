import{a as r,b as o,c as t}from"./chunk-25ZVDLM7.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{t as progressText,r as startProgress,o as withProgress};
