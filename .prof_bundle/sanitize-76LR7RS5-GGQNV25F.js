import{b as i,c as t,d as o}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as questionText,t as sanitizeLine,i as sanitizeText};
