import{a as o,b as r}from"./chunk-VFVJ4OZP.js";import"./chunk-HFYJDES4.js";import"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as locateSessions,r as projectSlug};
