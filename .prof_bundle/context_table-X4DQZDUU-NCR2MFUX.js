import{a as r,b as o}from"./chunk-ZQN5MBTJ.js";import"./chunk-UAKHLQVZ.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as renderContext,r as shareName};
