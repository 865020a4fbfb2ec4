import{a as s}from"./chunk-PDDD2XQ6.js";import{Me as e,fd as i,gd as m,id as p}from"./chunk-M6V6HMT5.js";function c(t){let r=m(t.sessionId);if(r===void 0)return;let n=Object.values(p(t.pastedContents)).map(o=>i(p(o).content)??""),a=[i(t.display)??"",...n].filter(o=>o!=="").join(`

`);return{session_id:r,text:a,time:t.timestamp,cwd:m(t.project)}}var po=s("claude",e,c);export{c as a,po as b};
