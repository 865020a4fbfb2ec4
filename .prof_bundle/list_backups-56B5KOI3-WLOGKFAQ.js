import{a as p,b as i}from"./chunk-W7CMUW4B.js";import"./chunk-6YH4W26Y.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{i as findBackup,p as listBackups};
