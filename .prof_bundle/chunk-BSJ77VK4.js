var o=256*1024,m=3,p=new TextEncoder,Vt=class{#p;#m;#r;#s=new Uint8Array(o);#t=0;#i=[];#h=0;held_characters=0;constructor(t,i,r={}){this.#p=t,this.#m=i,this.#r={first:`
`,between:`,
`,last:`
`,...r}}begin(t){if(this.#i===void 0)return;let i=[t,...this.#i];this.#i=void 0,this.held_characters=0;for(let r of i)this.#o(r)}add(t){this.#o(this.#h++===0?this.#r.first:this.#r.between),this.#o(this.#m(t))}end(t){this.#o(`${this.#h===0?"":this.#r.last}${t}
`),this.#e()}#o(t){if(this.#i!==void 0){this.#i.push(t),this.held_characters+=t.length;return}let i=t.length*m;if(i>o-this.#t&&this.#e(),i>o)return this.#p.stdout.writeBytes(p.encode(t));this.#t+=p.encodeInto(t,this.#s.subarray(this.#t)).written}#e(){this.#t>0&&this.#p.stdout.writeBytes(this.#s.subarray(0,this.#t)),this.#t=0}};export{Vt as a};
