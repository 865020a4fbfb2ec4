import{b as o}from"./chunk-N4JZ3LVE.js";var i=new TextEncoder().encode(`age-encryption.org/v1
`),t="-----BEGIN AGE ENCRYPTED FILE-----",m=new TextEncoder().encode(t),Xr="-----END AGE ENCRYPTED FILE-----",Zr=t.length;function p(r){return o(r,i,0)?"binary":o(r,m,0)?"armor":void 0}function $r(r){return p(r)!==void 0}export{t as a,Xr as b,Zr as c,p as d,$r as e};
