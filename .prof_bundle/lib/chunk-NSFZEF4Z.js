import{basename as e,dirname as o}from"node:path";var t=8;function d({id:r}){return r.length>=t}function i(r){let n=o(r.path);return d(r)&&e(n).includes(r.id)?n:void 0}export{i as a};
