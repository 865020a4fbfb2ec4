import{Ab as i,gd as t}from"./chunk-M6V6HMT5.js";function Zt(m){let o=i({branch:t(m.branch),commit:t(m.commit),remote:t(m.remote)});return Object.keys(o).length===0?void 0:o}export{Zt as a};
