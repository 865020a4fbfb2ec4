import{yf as a,zf as b}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{a as run,b as runProcess};
