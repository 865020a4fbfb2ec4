import{a as o,b as r,c as p}from"./chunk-WOAETLRJ.js";import"./chunk-67THNRQL.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as listShared,p as openedRow,r as sharedRowOf};
