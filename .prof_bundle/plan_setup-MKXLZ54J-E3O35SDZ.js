import{b as p,c as o}from"./chunk-KUZO3OO6.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{p as COPY,o as planStep};
