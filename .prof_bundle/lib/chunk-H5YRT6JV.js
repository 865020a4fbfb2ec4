function r(n){let o={};for(let t in n)n[t]!==void 0&&(o[t]=n[t]);return o}export{r as a};
