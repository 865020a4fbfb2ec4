import{Ab as r,Je as t}from"./chunk-M6V6HMT5.js";function ii({agent:m,session_id:p,path:s,cwd:n,ref:i}){let o=r({agent:m,id:p,path:s,cwd:n});return i===t(o)?o:{...o,ref:i}}export{ii as a};
