import{i as h,j as f,k as u,l as v,o as d,p as x,q as P}from"./chunk-C3ZRJCKG.js";import{a as s,b as a,c as l}from"./chunk-42IEQT3C.js";var y=1e3;function N(t){return`${t}.html`}function Pr(t,e){let{header:o,view:r}=t;return a`${h(o,f(o.summary))}${u()}
${v(o.summary,r,H(t))}
<main id="main">
${l(e.map(({markup:i})=>l(i)))}</main>
${x(e.flatMap(({contents:i})=>i))}
${d(o,r)}`}function yr(t,{markup:e,contents:o},{number:r,is_last:i}){let{header:m,view:p}=t,n=f(m.summary),g=r>1&&S("prev",N(r-1),`Page ${r-1}`),c=!i&&S("next",N(r+1),`Page ${r+1}`),$=k=>a`<nav class="steps" aria-label="${k}"><a href="index.html">All pages</a><a href="search.html">Search</a>${g||s}${c||s}</nav>`;return a`${h(m,`${n} · page ${r}`)}${u()}
<header class="top">
<a class="jump" href="#contents">Contents</a>
<p class="kind">Session of ${m.summary.agent}, page ${r}</p>
<h1 dir="auto">${n}</h1>
${$("Pages of the session")}
${H(t)}</header>
<main id="main">
${l(e)}
${$("Pages of the session, again")}
</main>
${x(o)}
${d(m,p)}`}function Nr(t,e){let o=[[]],r=y;for(let{name:i,contents:m}of e)for(let p=0;p===0||p<m.length;){r===0&&([r]=[y,o.push([])]);let n=m.slice(p,p+r);o.at(-1)?.push({name:i,contents:n}),r-=n.length,p+=Math.max(1,n.length)}return o.map((i,m)=>[w(m),A(t,i,m,o.length).markup])}function w(t){return t===0?"index.html":`index-${t+1}.html`}function A(t,e,o,r){let{header:i,view:m}=t,p=e.map(({name:n,contents:g})=>{let c=g.map($=>({...$,href:`${n}#${$.anchor}`}));return a`<h2><a href="${n}">Page ${n.replace(".html","")}</a></h2>
<div class="contents">${c.length===0?s:P(c)}</div>\n`});return a`${h(i,f(i.summary))}${u()}
${v(i.summary,m,H(t))}
<main id="main" class="index">
<p><a href="search.html">Search these pages</a></p>
${T("Parts of the index",o,r,w)}${l(p)}</main>
${d(i,m)}`}function T(t,e,o,r){if(o===1)return s;let i=Array.from({length:o},(m,p)=>p===e?a`<b aria-current="page">${p+1}</b>`:a`<a href="${r(p)}">${p+1}</a>`);return a`<nav class="steps" aria-label="${t}">${l(i)}</nav>\n`}function H({site:t}){return t===void 0?s:a`<nav class="steps" aria-label="Site"><a href="${t}">All sessions</a></nav>\n`}function S(t,e,o){return a`<a rel="${t}" href="${e}">${o}</a>`}export{N as a,Pr as b,yr as c,Nr as d,T as e};
