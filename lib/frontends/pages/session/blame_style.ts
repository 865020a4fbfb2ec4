/** The style of a file's lines with their writers. */
export const BLAME_STYLE = `
.site:has(.blame){max-width:110rem}
.blame table{width:100%;border-collapse:collapse;table-layout:fixed;background:var(--code);border:1px solid var(--line);font-size:.85rem;line-height:1.5;margin:0}
.blame thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.blame td{vertical-align:top;padding:0 .5rem}
.blame td:nth-last-child(1){font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:.94em;white-space:pre-wrap;overflow-wrap:anywhere}
.blame td:nth-last-child(2){color:var(--muted);text-align:end;user-select:none;font-variant-numeric:tabular-nums}
.blame col:nth-child(1){width:26rem}
.blame col:nth-child(2){width:3.8rem}
.blame .by{background:var(--page);border-inline-end:.2rem solid var(--page)}
.blame .proven .by{border-inline-end-color:var(--ok)}
.blame .likely .by{border-inline-end-color:var(--warn)}
.blame .by div{display:flex;gap:.6rem;white-space:nowrap;color:var(--muted);font-size:.92em}
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
.blame .by div{flex-wrap:wrap;gap:0 .6rem;padding:.15rem 0}
.blame .by .model{max-width:none}
.blame .by a{order:-1;flex:1 0 100%}
.blame .first td:not(.by){border:0}
}
`;
