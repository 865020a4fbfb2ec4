import{a as I,b as S,d as L}from"./chunk-LUPQH2W5.js";import{b as _,c as O,f as y,g as A}from"./chunk-76YGJQKL.js";import{b as N}from"./chunk-YYFIAIE2.js";import"./chunk-UAKHLQVZ.js";import{b as $,c as g,e as T,g as M,z as u}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";var j=String.raw`(?:[\s>]|(?:[-*+]|\d{1,9}[.)])(?=\s))*`,U=new RegExp(`^${j}(?:\`{3,}|~{3,})`),W=/^( *)(`{3,}(?=[^`]*$)|~{3,})/,C=/^( *)(?:[-*+]|(\d{1,9})[.)]) {1,4}(?=\S)/,G=/^> ?/,v=3;function P(t){let r=[],e=new J;for(let n=0;n<t.length;){let o=t[n]??"";if(o.startsWith(">")){e.close();let i=n;for(;t[n]?.startsWith(">")===!0;)n++;let s=t.slice(i,n).map(a=>a.replace(G,""));r.push({type:"quote",lines:s})}else if(U.test(o)){let i=Q(t,n,e);if(i===void 0)return;r.push({type:"code",lines:i}),n+=i.length}else{e.read(o,t[n-1]);let i=r.at(-1);i?.type==="prose"?i.lines.push(o):r.push({type:"prose",lines:[o]}),n++}}return r}function Q(t,r,e){let[,n="",o=""]=W.exec(t[r]??"")??[],i=n.length;if(o===""||!e.mayHold(i))return;let s=new RegExp(`^\\s*${o}${o.charAt(0)}*\\s*$`),a=[t[r]??""];for(let p of t.slice(r+1)){if(!(p.trim()==="")&&x(p)<i)return;if(a.push(p),!!s.test(p))return x(p)===i&&/^[ `~]*$/.test(p)?a:void 0}return[...a,n+o]}function x(t){return/^ */.exec(t)?.[0].length??0}var J=class{#t=[];read(t,r){if(t.trim()==="")return;let e=x(t),n=this.#t.length;this.#t=this.#t.filter(p=>p<=e);let[o,,i]=C.exec(t)??[];if(o===void 0||e-(this.#t.at(-1)??0)>v)return;let s=i!==void 0&&Number(i)!==1;(r===void 0||r.trim()===""||this.#t.length<n||!s)&&this.#t.push(o.length)}close(){this.#t=[]}mayHold(t){return t<=v||this.#t.some(r=>r<=t&&t<=r+v)}},V=/\][(:][\s>]*(?:<(?!https?:|mailto:|#)[^>\n]*[:&\\]|(?!<|https?:|mailto:|#)[^ \t\n)]*[:&\\])/i,Z=/<(?!https?:|mailto:)[a-z][a-z0-9+.-]{1,31}:(?!:)[^ \t\n<>]*>/i,B=new RegExp(`^(${j})(#{1,6})(?=\\s|$)`),X=/^([\s>]*)((?:=+|-+)\s*)$/,Y=8,k=3,R=/^(?:https?:|mailto:|#)/i;function q(t){let r=$(t).trim();if(r==="")return"";if(r.length>S)return c(r);let e=D(r.split(`
`))?.join(`
`);return e===void 0?c(r,"markdown"):!(V.test(e)||Z.test(e))&&nt(e)?`${e}
`:c(r,"markdown")}function D(t,r=0,e=""){let n=r>Y?void 0:P(t);if(n===void 0)return;let o=[];for(let{type:i,lines:s}of n){if(i==="quote"){let a=D(s,r+1,e);if(a===void 0)return;for(let p of a)o.push(p===""?">":`> ${p}`)}else if(i==="code")for(let a of s)o.push(a);else for(let a of b(s,e))o.push(a);e=i==="prose"?s.at(-1)??"":""}return o}function b(t,r){let e=t.map((i,s)=>tt(i,t[s-1]??r)),n=e.map(rt),o=n.every(i=>i!==void 0);return e.map((i,s)=>o?et(i,n[s]??[]):h(i))}function tt(t,r){let e=t.replace(B,(n,o,i)=>o+"#".repeat(Math.min(6,i.length+k)));return/^[ \t]*$/.test(r)?e:e.replace(X,"$1\\$2")}function rt(t){if(!t.includes("`"))return[];if(t.includes("\\`"))return;let r=[],e=[...t.matchAll(/`+/g)].map(({0:{length:n},index:o})=>({index:o,length:n}));for(let n=0;n<e.length;){let{index:o,length:i}=e[n]??{index:0,length:0},s=e.findIndex((a,p)=>p>n&&a.length===i);if(s<0)return;r.push([o,(e[s]?.index??0)+i]),n=s+1}return r}function et(t,r){let e="",n=0;for(let[o,i]of r){let s=t.slice(o,i);e+=h(t.slice(n,o))+(s.includes("|")?h(s):s),n=i}return e+h(t.slice(n))}function h(t){return t.replace(/<(?=[A-Za-z/!?])/g,"&lt;").replace(/(\\*)!\[/g,(r,e)=>e.length%2===1?r:`${e}\\![`)}function nt(t){let r=!0;try{I.walkTokens(L(t),e=>{r&&(r=it(e))})}catch(e){if(e instanceof RangeError)return!1;throw e}return r}function it(t){switch(t.type){case"html":case"image":return!1;case"heading":return t.depth>k;case"link":return R.test(t.href.trim());case"def":return R.test(t.href.trim());case"text":return t.tokens!==void 0||!/\]\s*[([:]/.test(t.raw);default:return!0}}function c(t,r=""){let e=$(t).replace(/\n+$/,""),n="`".repeat(Math.max(3,F(e)+1));return`${n}${r}
${e}
${n}
`}function d(t){let r=g(t).trim();if(r==="")return"";let e="`".repeat(F(r)+1),n=r.startsWith("`")||r.endsWith("`")?" ":"";return`${e}${n}${r}${n}${e}`}function F(t){let r=0;for(let[e]of t.matchAll(/`+/g))r=Math.max(r,e.length);return r}function m(t){return g(t).trim().replace(/[\\`*_[\]>|~&!]/g,"\\$&").replaceAll("<","&lt;")}function ge(){return{begin:ot,block(t){let r=T(t.doubt),e=z(t),n=(r===void 0?e:`**${r}**

${e}`).trimEnd();return n===""?"":`${n}

`},end:()=>""}}function ot({summary:t,exported_at:r,generator:e,redacted:n}){let{created_at:o,updated_at:i,models:s=[]}=t,p=[["Session",d(t.ref)],["Agent",m(t.agent)],["Directory",d(t.cwd??"")],["Created",o===void 0?"":u(o)],["Updated",i===void 0?"":u(i)],["Models",s.map(m).join(", ")],["Exported",`${u(r)} by ${e}${n?", secrets redacted":""}`]].filter(([,l])=>l!=="").map(([l,K])=>`- ${l}: ${K}`);return`# ${m(M(t.title||t.ref,t.altered))}

${p.join(`
`)}

`}function z(t){switch(t.type){case"head":return st(t);case"message":return at(t);case"prose":return t.is_quiet?w(t.text):q(t.text);case"thinking":return`*Thinking (event ${t.seq}):*

${w(t.text)}`;case"reminder":return t.first_seq===void 0?`*System reminder:*

${w(t.text)}`:`*System reminder, the same as at event ${t.first_seq}*
`;case"call":return pt(t);case"command":return mt(t);case"code":return ct(t);case"diff":return ut(t);case"attachment":return`${m(y(t.part))}
`;case"attached":return dt(t);case"notice":return ft(t);case"turn":return`*${m(O(t.words))}*
`}}function st({facts:t}){return t.filter(({is_in_header:r})=>!r).map(({name:r,value:e})=>`- ${r}: ${d(e)}`).join(`
`)}function at({role:t,seq:r,time:e,model:n,content:o}){let i=[`event ${r}`];return e!==void 0&&i.push(u(e)),n!==void 0&&i.push(m(n)),`${t==="user"?"## User":"### Assistant"} (${i.join(", ")})

${f(o)}`}function pt({name:t,summary:r,input:e,outcome:n,content:o}){let i=`**${m(t)}** ${d(N(r))}`.trim(),s=e===void 0||r.is_whole?"":`${c(JSON.stringify(e,void 0,2),"json")}
`;return`${i} — ${E(n)}

${s}${f(o)}`}function mt({command:t,purpose:r="",outcome:e,content:n}){return`${`**bash**${r===""?"":` ${m(r)}`} — ${E(e)}

`}${c(t,"sh")}
${f(n)}`}function ct({label:t,text:r,language:e=""}){return r===""?"":(t==="Output"||t==="Text"?"":`${m(t)}:

`)+c(r,/^[a-z0-9]+$/.test(e)?e:"")}function ut(t){let{path:r,lines:e,added:n,removed:o}=t,i=`**diff** ${d(r??"")}`.trim();return e.length===0?n+o===0?i:`${i} — +${n} -${o}`:`${i}

${c(_(t),"diff")}`}function dt(t){return`<details>${`<summary>Attached ${m(A(t))}</summary>`}

${f(t.content)}
</details>
`}function ft({form:t,ink:r,title:e,detail:n,words:o,content:i}){let s=r==="fail"?`**${m(e)}**`:`*${m(e)}*`,a=n===void 0?"":`: ${m(n)}`,p=o.length===0?"":` (${m(E(o))})`;return`${t==="rule"?`---

`:""}${s}${a}${p}

${f(i)}`}function f(t){return t.map(z).filter(r=>r!=="").join(`
`)}function E(t){return t.map(({text:r})=>r).join(", ")}function w(t){return q(t).trimEnd().split(`
`).map(r=>`> ${r}`.trimEnd()).join(`
`)+`
`}export{z as blockMarkdown,ge as markdownDocument};
