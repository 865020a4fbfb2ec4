/** The style of the pages that show who wrote a file's lines or a commit. */
export const BLAME_STYLE = `
.site:has(.blame){max-width:110rem}
.blame table{width:100%;border-collapse:collapse;table-layout:fixed;background:var(--code);border:1px solid var(--line);font-size:var(--t3);line-height:1.5;margin:0}
.blame thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.blame td{vertical-align:top;padding:0 var(--s2)}
.blame td:nth-last-child(1){font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:var(--t2);white-space:pre-wrap;overflow-wrap:anywhere}
.blame td:nth-last-child(2){color:var(--muted);text-align:end;user-select:none;font-variant-numeric:tabular-nums}
.blame col:nth-child(1){width:26rem}
.blame col:nth-child(2){width:3.8rem}
.blame .by{background:var(--page);border-inline-end:.2rem solid var(--page)}
.blame .proven .by{border-inline-end-color:var(--ok)}
.blame .likely .by{border-inline-end-color:var(--warn)}
.blame .by div{display:flex;gap:var(--s2);white-space:nowrap;color:var(--muted);font-size:var(--t2)}
.blame .by a{flex:1;min-width:6rem;overflow:hidden;text-overflow:ellipsis;text-decoration:none}
.blame .by a:hover{text-decoration:underline}
.blame .by div>span{flex:none}
.blame .by .model{max-width:9rem;overflow:hidden;text-overflow:ellipsis}
.blame .first td{border-top:1px solid var(--line)}
@media not all and (min-width:60rem){
.blame :is(table,tbody){display:block}
.blame colgroup{display:none}
.blame tr{display:grid;grid-template-columns:3.2rem minmax(0,1fr)}
.blame .by{grid-column:1/-1;border-inline-end:0}
.blame .nobody .by{padding:0}
.blame .by div{flex-wrap:wrap;gap:0 var(--s2);padding:2px 0}
.blame .by .model{max-width:none}
.blame .by a{order:-1;flex:1 0 100%}
.blame .first td:not(.by){border:0}
}
.revision{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s3);align-items:center;margin:var(--s2) 0}
.revision input{font:inherit;max-width:100%;padding:var(--s1) var(--s2);color:var(--text);background:var(--page);border:1px solid var(--line);border-radius:.35rem}
.revision button{font:inherit;padding:var(--s1) var(--s3);color:var(--link);background:none;border:1px solid var(--line);border-radius:.35rem;cursor:pointer}
.commits{list-style:none;padding:0}
.commits li{display:flex;flex-wrap:wrap;gap:0 var(--s3);padding:var(--s1) 0;border-top:1px solid var(--line);justify-content:space-between}
.commits a{flex:1 1 16rem;min-width:0;overflow-wrap:anywhere;text-decoration:none}
.commits span{color:var(--muted);font-size:var(--t3)}
.writers{width:100%;border-collapse:collapse;font-size:var(--t3)}
.writers :is(th,td){padding:var(--s1) var(--s2);text-align:start;vertical-align:baseline;font-weight:400;background:none;border:0}
.writers thead th{color:var(--muted);font-size:var(--t3)}
.writers :is(th,td):nth-child(-n+3){text-align:end;white-space:nowrap;font-variant-numeric:tabular-nums;width:1%}
.writers :is(th,td):first-child{padding-inline-start:0}
.writers tr:not(.asked){border-top:1px solid var(--line)}
.writers tbody th a{font-weight:600;margin-inline-start:var(--s2)}
.writers .asked td{color:var(--muted);padding-block:2px}
.writers .asked td:last-child{padding-inline-start:var(--s5);overflow-wrap:anywhere}
.writers .asked a{display:-webkit-box;-webkit-line-clamp:3;-webkit-box-orient:vertical;overflow:hidden;text-decoration:none}
.writers .asked a:hover{text-decoration:underline}
`;
