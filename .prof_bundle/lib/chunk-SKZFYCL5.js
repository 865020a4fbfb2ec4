import{a}from"./chunk-3YRQXLXM.js";import{a as m}from"./chunk-QWYK7FPZ.js";import{a as e,b as o,d as i}from"./chunk-6TTTDCVW.js";function c(t){let n=o(t.sessionId);if(n===void 0)return;let p=Object.values(i(t.pastedContents)).map(s=>e(i(s).content)??""),r=[e(t.display)??"",...p].filter(s=>s!=="").join(`

`);return{session_id:n,text:r,time:t.timestamp,cwd:o(t.project)}}var u=a("claude",m,c);export{c as a,u as b};
