import{ic as m,jc as o,kc as r}from"./chunk-M6V6HMT5.js";import"./chunk-MATCZ3A6.js";export{o as AGENT_NAMES,m as REPRISE,r as isAgentName};
