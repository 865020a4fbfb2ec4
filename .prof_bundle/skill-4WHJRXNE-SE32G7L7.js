import{a as m,b as o}from"./chunk-GRZYCZOL.js";import"./chunk-ZKZ5TYKT.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as SKILL,m as skillCommand};
