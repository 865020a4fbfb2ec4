var rr=300,ir=class{room;#i;#t="";#r;#o=0;constructor(t,r=l){this.room=t,this.#i=r}add(t,r,o=0){let i=r.length-o;if(o===0&&this.#t.length+i<=this.room)return this.#t+=r,!0;if(this.#t!=="")return this.#r={item:t,offset:o},!1;let p=this.#i(r,o,this.room);return this.#t=p.text,p.to>=r.length?!0:(this.#r={item:t,offset:p.to},this.#o=r.length-p.to,!1)}get text(){return this.#t}get next(){return this.#r}get left(){return this.#o}};function l(t,r,o){let i=t.slice(r,r+o);if(r+i.length>=t.length)return{text:i,to:t.length};let m=Math.ceil(i.length*3/4),s=[i.lastIndexOf(`
`),i.lastIndexOf(" ")].map(e=>e+1).find(e=>e>=m)??h(i);return{text:i.slice(0,s),to:r+s}}function or(t,r,o){let i=Math.min(t.length,r+o);for(;;){let p=t.slice(r,i).slice(0,h(t.slice(r,i))),m=r+p.length,n=`${JSON.stringify({part:p,left:t.length-m})}
`;if(n.length<=o||p.length<=2)return{text:n,to:m};i=r+Math.max(1,Math.floor(p.length*o/(n.length+1)))}}function pr(t,r,o){let[i,p]=[0,t.length+1];for(;p-i>1;){let m=Math.floor((i+p)/2);r(t.slice(0,m))<=o?i=m:p=m}return i}function h(t){let r=t.charCodeAt(t.length-1);return t.length>1&&r>=55296&&r<=56319?t.length-1:t.length}function mr(t,r,o){return t===void 0?"":o==="json"?`${JSON.stringify({cursor:t})}
`:`${r===0?"":`
[${r} more characters of this item on the next page]
`}more: --cursor ${t}
`}export{rr as a,ir as b,or as c,pr as d,mr as e};
