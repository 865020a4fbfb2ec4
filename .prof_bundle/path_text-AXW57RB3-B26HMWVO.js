import{B as r,C as t,D as o}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{r as directoryText,o as languageOf,t as relativePath};
