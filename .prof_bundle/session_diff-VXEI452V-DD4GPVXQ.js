import{a as v}from"./chunk-F3HIMO7C.js";import{c as k}from"./chunk-N75XON2L.js";import{b}from"./chunk-IHR4ZFQE.js";import"./chunk-PPCB5T45.js";import"./chunk-K6RBH2PG.js";import"./chunk-LUPQH2W5.js";import"./chunk-76YGJQKL.js";import{d as M}from"./chunk-EL3XSOTN.js";import"./chunk-YYFIAIE2.js";import"./chunk-RTMKJ3NT.js";import{a as u}from"./chunk-UAKHLQVZ.js";import"./chunk-7AMLUH35.js";import"./chunk-JM7OSCWP.js";import"./chunk-C6I4WS5Z.js";import"./chunk-WSZ7BXKC.js";import"./chunk-GEU753UU.js";import"./chunk-YJ6ZV6YJ.js";import"./chunk-5LJUPWXI.js";import"./chunk-73ML4CJV.js";import"./chunk-AKO5IPYL.js";import"./chunk-S6ZIVCJB.js";import"./chunk-5JGHMCP5.js";import"./chunk-YJRQ5PYT.js";import"./chunk-JEFBHRKD.js";import{c as h,k as c,m as $,p as x,q as g,s as w}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";var l=["a","b"],T={a:{text:"A",format:"blue"},b:{text:"B",format:"yellow"}},f=2;function s(t,r,i){let{text:o,format:m}=T[t],p=i.paint(["bold",m],o);return r===""?p:`${p} ${r}`}function mo(t,{width:r,color:i}){let o=c(i);return`${l.map(p=>{let n=x(h(t[p]),Math.max(1,r-f));return s(p,o.paint("bold",n),o)}).join(`
`)}

`}function po(t,r){switch(t.type){case"common":return B(t);case"turn":return I(t,r);case"files":return O(t,r)}}function B({turns:t,items:r,same:i}){let o=`${u(t,"turn")}, ${u(r,"item")}`;return i?`The sessions are the same: ${o}
`:r===0?`Nothing is the same from the beginning on

`:`The same: ${o}

`}function I(t,r){let i=c(r.color),o=` turn ${t.turn} `,m=M(Math.max(0,r.width-o.length-f)),p=[i.paint("dim",`──${o}${m}`.slice(0,Math.max(1,r.width)))];t.same_items>0&&p.push(i.paint("dim",`  the same: ${u(t.same_items,"item")}`));for(let n of l)p.push(...j(n,t,r,i));return`${p.join(`
`)}

`}function j(t,r,i,o){let m=r[t];return(m===void 0?[o.paint("dim","no such turn")]:m.length===0?[o.paint("dim","nothing more")]:m.flatMap(n=>A(n,i,o))).map(n=>s(t,n,o))}function A(t,r,i){let o=Math.max(1,r.width-f),m=r.full?t:v(t);if(m.type==="change")return[D(m,o,i)];let p=b(m),n=p===void 0?"":k([p],{...r,width:o,style:i});return n===""?[]:n.trimEnd().split(`
`)}function S({added:t,removed:r},i){return`${i.paint("green",`+${t}`)} ${i.paint("red",`-${r}`)}`}function d({path:t},r){return g(h(t===""?"file change":t),Math.max(1,r))}function D(t,r,i){let o=`±   +${t.added} -${t.removed}`.length,m=d(t,r-o);return`${i.paint("magenta","±")} ${i.paint("bold",m)}  ${S(t,i)}`}function O(t,{width:r,color:i}){let o=c(i);if(t.a.length+t.b.length===0)return"";let m=Math.max(1,r-f-15),p=[...t.a,...t.b].reduce((e,a)=>Math.max(e,$(d(a,m))),0),n=l.flatMap(e=>t[e].length===0?[s(e,o.paint("dim","none"),o)]:t[e].map(a=>s(e,`${w(d(a,m),p)}  ${S(a,o)}`,o)));return`${o.paint("bold","Files changed since")}
${n.join(`
`)}
`}export{mo as renderDiffHead,po as renderDiffPart};
