import{G as o,H as t,I as r,J as m}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{m as costNotes,r as describeUsage,t as formatCost,o as formatTokens};
