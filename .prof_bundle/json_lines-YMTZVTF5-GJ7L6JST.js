import{a as o,b as t}from"./chunk-3STDYSEP.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as toJsonLine,t as toJsonText};
