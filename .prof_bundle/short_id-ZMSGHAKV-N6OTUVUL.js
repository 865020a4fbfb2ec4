import{i as o}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as shortIds};
