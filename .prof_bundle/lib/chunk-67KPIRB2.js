import"node:path";function i(r,e){return r==="~"?e:r.replace(/^~[/\\]/,`${e}/`)}export{i as a};
