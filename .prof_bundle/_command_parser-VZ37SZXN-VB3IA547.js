import{b as m,c as o}from"./chunk-SJ7L3YCR.js";import"./chunk-ZKZ5TYKT.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{m as commandParser,o as fillCommand};
