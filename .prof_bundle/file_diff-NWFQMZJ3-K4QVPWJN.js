import{a as i}from"./chunk-ZO373KBM.js";import"./chunk-JIX2LB3P.js";import"./chunk-RTMKJ3NT.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{i as fileDiff};
