import{ea as t}from"./chunk-M6V6HMT5.js";function Xo(o,r){let m=`Cannot read object: it has more than ${r} bytes: ${o}`;return new t("too-large",m,{path:o,limit:r})}export{Xo as a};
