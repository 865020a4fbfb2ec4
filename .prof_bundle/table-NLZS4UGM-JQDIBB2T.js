import{u as r,v as o,w as t,x as i}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as GAP,i as columnWidth,o as renderTable,t as tableLines};
