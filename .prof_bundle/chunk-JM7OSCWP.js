var p="<system-reminder>",e="</system-reminder>";function Zi(i){let o=[],t=0;for(let r=i.indexOf(p);r>=0;){let m=i.indexOf(e,r);if(m<0)break;r>t&&i[r-1]!==`
`||(r>t&&o.push({text:i.slice(t,r),is_reminder:!1}),o.push({text:i.slice(r+p.length,m).trim(),is_reminder:!0}),t=m+e.length),r=i.indexOf(p,m)}return t<i.length&&o.push({text:i.slice(t),is_reminder:!1}),o}export{Zi as a};
