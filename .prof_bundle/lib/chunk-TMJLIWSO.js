import{a as e}from"./chunk-CYYYKWPL.js";function s({agent:o,id:r,ref:f}){return f??(o===e?r:`${o}:${r}`)}export{s as a};
