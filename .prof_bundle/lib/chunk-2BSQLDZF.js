var t=class extends Error{name="SessionError";code;data;constructor(o,s,e={},r){super(s,r===void 0?void 0:{cause:r}),this.code=o,this.data=e}};export{t as a};
