import{a as o,b as t,c as r}from"./chunk-HWUOXOXM.js";import"./chunk-HFYJDES4.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as locateCodeBuddy,t as sessionAt,r as subagentsOf};
