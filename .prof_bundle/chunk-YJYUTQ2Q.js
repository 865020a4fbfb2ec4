import{d as o}from"./chunk-N4JZ3LVE.js";function Yr(r){return r.includes(0)||!o(r)?r:new TextDecoder("utf-8",{ignoreBOM:!0}).decode(r)}export{Yr as a};
