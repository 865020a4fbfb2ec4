import{c as l}from"./chunk-N75XON2L.js";import"./chunk-PPCB5T45.js";import"./chunk-K6RBH2PG.js";import"./chunk-LUPQH2W5.js";import"./chunk-76YGJQKL.js";import"./chunk-EL3XSOTN.js";import"./chunk-YYFIAIE2.js";import"./chunk-RTMKJ3NT.js";import"./chunk-UAKHLQVZ.js";import"./chunk-JM7OSCWP.js";import{c as i,g as e,k as n,z as m}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";var c=100;function Mr({tools:t}){let r={width:c,style:n(!1),full:t==="full",format_time:m};return{begin:s,block:o=>l([o],r),end:()=>""}}function s({summary:t,exported_at:r,generator:o,redacted:f}){let p=i(e(t.title||t.ref,t.altered)),a=`${t.ref} · exported ${m(r)} by ${o}`,d=f?" · secrets redacted":"";return`${p}
${"=".repeat(Math.min(p.length,c))}
${i(a)}${d}

`}export{Mr as textDocument};
