import{e as y}from"./chunk-LPLFJOHW.js";import{a as S}from"./chunk-CV34IPBQ.js";import{d as g}from"./chunk-C3ZRJCKG.js";import{b as p,c as s,e as d}from"./chunk-42IEQT3C.js";import{a as $}from"./chunk-UAKHLQVZ.js";import{c,z as h}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";var f=300,x=d({style:S},["form-action 'none'"]),M=[{name:"index",title:"By day",groupOf:({updated_at:t})=>t.slice(0,10)},{name:"projects",title:"By project",groupOf:({project:t})=>t}];function Er(t,i){return M.flatMap(r=>P(r,t,i))}function v(t){let i=new Set(t.map(({project:e})=>e)),[r]=i,o=$(t.length,"session");return r!==void 0&&r!==""&&i.size===1?`${o} of ${c(r)}`:o}function B(t){let i=[...M,{name:"search",title:"Search"}].map(({name:r,title:o})=>r===t?p`<b aria-current="page">${o}</b>`:p`<a href="${r}.html">${o}</a>`);return p`<nav class="steps" aria-label="Lists">${s(i)}</nav>`}function P({name:t,title:i,groupOf:r},o,e){let a=[...Map.groupBy(o,r).values()].flat(),l=Math.max(1,Math.ceil(a.length/f)),u=n=>n===0?`${t}.html`:`${t}-${n+1}.html`;return Array.from({length:l},(n,m)=>{let L=a.slice(m*f,(m+1)*f),T=[...Map.groupBy(L,r)].map(([H,j])=>w(H,j,t==="index"?R:h)),b=y("Parts of the list",m,l,u),k=p`${x.head({title:v(o),generator:e})}<body class="lists" id="top">
<header class="top"><h1 dir="auto">${v(o)}</h1>${B(t)}${b}</header>
<main id="main"><h2 class="unseen">${i}</h2>
${s(T)}</main>
</body>
</html>
`;return[u(m),k.markup]})}function w(t,i,r){return p`<h3 dir="auto">${c(t)||"Not known"}</h3>
<ul class="rows">
${s(i.map(o=>A(o,r)))}</ul>
`}function A({href:t,title:i,agent:r,project:o,updated_at:e,facts:a},l){let n=[r,o,...a].filter(m=>m!=="").map(m=>p`<span>${c(m)}</span>`);return p`<li><a href="${t}" dir="auto">${i}</a><p class="meta">${g(e,l)}${s(n)}</p></li>\n`}function R(t){return h(t).slice(11)}export{B as listLinks,Er as sitePages,v as siteTitle};
