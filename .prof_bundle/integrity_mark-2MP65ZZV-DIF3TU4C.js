import{e as t,f as i,g as r,h as m}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{i as integrityLabel,t as integrityMark,r as markedTitle,m as titleText};
