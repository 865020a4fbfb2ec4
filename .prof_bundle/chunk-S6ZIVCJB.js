function Vt(t){if(typeof t=="string")return t;let r=[];for(let o of t)o.type==="text"&&r.push(o.text);return r.join(`

`)}export{Vt as a};
