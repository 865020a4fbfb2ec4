import{a as o}from"./chunk-MDXKP4CB.js";import"./chunk-FLXRF263.js";import"./chunk-JEFBHRKD.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as Redactor};
