import{a as r,b as t}from"./chunk-2OOY65ZC.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{t as CurrentChat,r as resumeHint};
