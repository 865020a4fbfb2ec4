var o=/[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,i=/[\x7f-\uffff]/;function Wt(t){return`${p(t)}
`}function p(t){let r=JSON.stringify(t);return r===void 0?"null":i.test(r)?r.replace(o,m):r}function m(t){return`\\u${t.charCodeAt(0).toString(16).padStart(4,"0")}`}export{Wt as a,p as b};
