import{a as i,b as t,c as o,d as r}from"./chunk-QFL2VFP4.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{i as contextTerminal,r as pickRef,o as pickSession,t as screenSettings};
