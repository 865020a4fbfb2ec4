/** The style of the page: narrow and wide, light and dark, and on paper. */
import { CODE_INKS, DARK, KIND_INKS, LIGHT, type Palette } from "./palette.ts";

function variables(palette: Palette): string {
  return Object.entries(palette).map(([name, color]) => `--${name}:${color}`).join(";");
}

const CODE_COLORS = CODE_INKS.map((name) => `.c-${name}{color:var(--${name})}`).join("\n");

const KIND_STYLES = KIND_INKS.map((name) =>
  `.k-${name}>summary::before{border-color:var(--${name})}\n.k-${name}>summary .name{color:color-mix(in srgb,var(--${name}) 45%,var(--text))}`
).join("\n");

/** The style of the page, as it is written into the page. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${variables(DARK)}}}
*,::before,::after{box-sizing:border-box}
html{scroll-padding-top:calc(var(--bar,0px) + 1rem);font:100%/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;background:var(--page);color:var(--text);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;max-width:92rem;padding:0 1rem 3rem;display:grid;grid-template-columns:minmax(0,1fr);overflow-wrap:anywhere}
main{min-width:0}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.06em}
a:hover{text-decoration-thickness:.12em}
:focus-visible{outline:.15rem solid var(--link);outline-offset:.15rem;border-radius:.2rem}
h1,h2,h3,h4,h5,h6{line-height:1.25;text-wrap:balance;margin:1.6em 0 .5em}
h1{font-size:clamp(1.5rem,1.1rem + 2vw,2.1rem);letter-spacing:-.015em;margin:0 0 1rem}
h3{font-size:1.2rem}
h4{font-size:1.05rem}
h5,h6{font-size:1rem}
p,ul,ol,dl,pre,table,blockquote,figure{margin:0 0 .9em}
ul,ol{padding-inline-start:1.5em}
li{margin:.2em 0}
li>ul,li>ol{margin:.2em 0}
li.task{list-style:none;margin-inline-start:-1.3em}
hr{border:0;border-top:1px solid var(--line);margin:1.5em 0}
blockquote{border-inline-start:.2rem solid var(--line);padding-inline-start:1rem;color:var(--muted)}
code,pre{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:.875em;tab-size:4}
pre code{font-size:1em}
pre{background:var(--code);border:1px solid var(--line);border-radius:.4rem;padding:.7rem .85rem;font-size:.84rem;line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere}
:not(pre)>code{background:var(--code);border-radius:.25rem;padding:.1em .3em}
.said>p,.said>ul,.said>ol,.said>blockquote,.said>h3,.said>h4,.said>h5,.said>h6{max-width:70ch}
.plain{white-space:pre-wrap;max-width:80ch}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.ok{color:var(--ok)}
.fail{color:var(--fail)}
.warn{color:var(--warn)}

.top{padding:2rem 0 1.25rem;border-bottom:1px solid var(--line);margin-bottom:1rem}
.top .kind{color:var(--muted);font-size:.85rem;margin:0 0 .3rem}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,8.5rem),1fr));gap:.55rem 1.2rem;margin:0;font-size:.92rem}
.facts dt{color:var(--muted);font-size:.8rem}
.facts dd{margin:0}
.top{position:relative}
.jump{position:absolute;inset-block-start:.8rem;inset-inline-end:0;z-index:3;background:var(--card);color:var(--link);border:1px solid var(--link);border-radius:2rem;padding:.45rem 1rem;font-size:.9rem;font-weight:600;text-decoration:none}
.skip{position:absolute;inset-inline-start:.5rem;inset-block-start:-4rem;z-index:4;background:var(--card);padding:.5rem 1rem;border:1px solid var(--link);border-radius:.4rem}
.skip:focus{inset-block-start:.5rem}
.threads{margin:1rem 0 0;font-size:.92rem}
.threads summary{cursor:pointer}
.threads ul{margin:.4rem 0 0}
.tools{display:flex;flex-wrap:wrap;gap:.5rem 1.2rem;align-items:center;padding:.5rem 0;margin:0 0 .8rem;background:var(--page);border-bottom:1px solid var(--line);font-size:.9rem}
.tools span{display:flex;flex-wrap:wrap;gap:.4rem .9rem;align-items:center}
.tools .finding{gap:.35rem}
.tools input,.tools button{font:inherit;color:var(--text);background:var(--page);border:1px solid var(--muted);border-radius:.35rem;min-height:2rem;padding:.15rem .6rem}
.tools input[type=checkbox]{min-height:0;margin:0}
.tools label{display:flex;gap:.35rem;align-items:center;min-height:2rem}
.tools .query{width:16rem;max-width:60vw}
.tools button{cursor:pointer}
.tools .count{color:var(--muted);min-width:4.5rem;font-variant-numeric:tabular-nums}
.no-calls :is(.is-call,.is-command,.is-diff,.said .call:not(.thought)),.no-thinking :is(.is-thinking,.said .thought),.no-outputs .out{display:none}
.item.found>.body{box-shadow:-.35rem 0 var(--page),-.5rem 0 var(--link)}
::highlight(found){background:var(--ins_word);color:var(--text)}
::highlight(current){background:var(--text);color:var(--page)}
.thread-head{border-top:.2rem solid var(--line);margin-top:3rem;padding-top:1rem}
.thread-head h2{font-size:1.25rem;margin:0 0 .3rem}
.steps{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;margin:1rem 0}

.contents{border-top:1px solid var(--line);margin-top:2.5rem;padding-top:1rem}
.contents h2{font-size:1rem;margin:0 0 .6rem}
.contents ol{list-style:none;margin:0;padding:0;font-size:.9rem}
.contents li{margin:0}
.contents li a{display:flex;column-gap:.5em;color:var(--text);text-decoration:none;padding:.4rem .35rem;border-radius:.3rem;line-height:1.4}
.contents .number{flex:none;min-width:2.5rem;color:var(--muted);font-variant-numeric:tabular-nums}
.contents .number+span{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.contents li a[aria-current]{background:var(--card);box-shadow:inset .2rem 0 var(--link)}
.contents li a:hover{background:var(--card);text-decoration:underline}
main.index{grid-column:1/-1}
.index h2{font-size:1.05rem;margin:1.4rem 0 .4rem}
.index .contents{position:static;border:0;margin:0;padding:0;max-height:none}
.foot{border-top:1px solid var(--line);margin-top:2rem;padding-top:1rem;color:var(--muted);font-size:.85rem;padding-bottom:3rem}

.turn{border-top:1px solid var(--line);padding-top:.8rem;margin-top:1.1rem;content-visibility:auto;contain-intrinsic-size:auto 30rem}
.turn:first-child{margin-top:0;border-top:0}
.turn h2{font-size:.78rem;font-weight:600;letter-spacing:.04em;color:var(--muted);margin:0 0 .5rem}
.item{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:.6rem;align-items:start;margin:0 0 .15rem}
.item:has(.prompt),.item:has(.answer){margin:0 0 1rem}
.item:target,.item:has(>.also:target){outline:.15rem solid var(--link);outline-offset:.35rem;border-radius:.3rem}
.is-turn .note{margin:0;text-align:end}
.also{position:absolute}
.said>:first-child{margin-top:0}
.body>:last-child,.said>:last-child,.inside>:last-child,.out>:last-child,.fence>:last-child,li>p:last-child{margin-bottom:0}
.seq{font-size:.75rem;line-height:1.65rem;min-width:2.6rem;text-align:end;color:var(--muted);text-decoration:none;font-variant-numeric:tabular-nums}
.seq:hover{text-decoration:underline}
@media (hover:hover){.seq{opacity:0}.item:hover>.seq,.seq:focus-visible,.item:target>.seq{opacity:1}}
.speaker{color:var(--muted);font-size:.82rem;margin:0 0 .35rem}
.speaker b{color:var(--text)}
.speaker time{white-space:nowrap}
.prompt{width:fit-content;max-width:min(100%,78ch);background:var(--card);border-inline-start:.25rem solid var(--link);border-radius:.4rem;padding:.75rem 1rem}
.prompt p{white-space:pre-line}
.prompt p.plain{white-space:pre-wrap}
.prompt:has(>.whole:not([open]))>.said{max-height:16lh;overflow:hidden;mask-image:linear-gradient(#000 80%,transparent)}
.whole{margin-top:.5rem}
.whole>summary{cursor:pointer;color:var(--link);font-size:.85rem;width:max-content;list-style:none}
.whole[open]>summary{font-size:0}
.whole[open]>summary::after{content:"Show less";font-size:.85rem}
.answer{padding:.4rem 0}
.mark{font-size:.82rem;margin:0 0 .3rem}

.call{margin:0;font-size:.9rem}
.call>summary,.call.bare{display:flex;gap:.15rem .6rem;align-items:baseline;padding:.1rem .5rem;border-radius:.35rem}
.call>summary{cursor:pointer;list-style:none}
.call>summary::-webkit-details-marker{display:none}
.call>summary::before,.call.bare::before{content:"";flex:none;width:.42rem;height:.42rem;border:solid var(--muted);border-width:0 .1rem .1rem 0;transform:rotate(-45deg);align-self:center}
${KIND_STYLES}
.call.bare::before{border-color:transparent}
.call[open]>summary::before{transform:rotate(45deg)}
.call>summary:hover{background:var(--code)}
.call[open]>summary{position:sticky;top:0;z-index:1;background:var(--page);border-bottom:1px solid var(--line);border-radius:0}
.prompt .call[open]>summary{background:var(--card)}
.call .name{font-weight:600;flex:none;max-width:45%}
.call .short{flex:0 1 auto;min-width:0;overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
span.short{color:var(--muted)}
.call .end{flex:none;margin-inline-start:auto;color:var(--muted);font-size:.82rem}
.call[open]>summary .short{white-space:normal}
.thought[open]>summary .short{display:none}
.inside{padding:.6rem 0 .6rem 1.1rem;margin-inline-start:.68rem;border-inline-start:1px solid var(--line)}
.thought>.inside{color:var(--muted)}
.call .counts{flex:none;font-size:.82rem}
.label,.language{color:var(--muted);font-size:.78rem;margin:0 0 .25rem}
.fence{margin:0 0 .9em}
.input{display:grid;grid-template-columns:minmax(4rem,auto) minmax(0,1fr);gap:.2rem .8rem}
.input dt{color:var(--muted);font-size:.82rem}
.input dd{margin:0}
.note{color:var(--muted);font-size:.9rem}
.notice{border-inline-start:.25rem solid var(--line);padding:.2rem 0 .2rem .8rem;margin:.5rem 0;white-space:pre-wrap}
.line{display:flex;gap:.8rem;align-items:center;justify-content:center;color:var(--muted);font-size:.85rem;text-align:center;margin:1rem 0}
.line::before,.line::after{content:"";flex:1 1 1rem;border-top:1px solid var(--line)}
figure img{display:block;max-width:100%;max-height:32rem;border:1px solid var(--line);border-radius:.3rem}
figcaption{color:var(--muted);font-size:.82rem;margin-top:.25rem}

.wide{overflow-x:auto;margin:0 0 .9em}
.wide table{border-collapse:collapse;font-size:.92em;margin:0;overflow-wrap:normal}
.wide th,.wide td{border:1px solid var(--line);padding:.3rem .65rem;text-align:start;vertical-align:top;min-width:4rem}
.wide th{background:var(--code)}
.wide .right{text-align:end}
.wide .center{text-align:center}

.diff{container-type:inline-size;margin:0 0 .9em}
.diff table{width:100%;table-layout:fixed;border-collapse:collapse;background:var(--code);border:1px solid var(--line);font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:.8rem;line-height:1.5;margin:0}
.diff th{font-weight:400;font-size:.72rem;color:var(--muted);text-align:start;padding:.15rem .5rem;border-bottom:1px solid var(--line)}
.diff th:nth-child(odd){width:3.6rem;text-align:end}
.diff td{vertical-align:top;padding:0 .5rem;white-space:pre-wrap;overflow-wrap:anywhere}
.diff td:nth-child(odd):not([colspan]){color:var(--muted);text-align:end;user-select:none;font-variant-numeric:tabular-nums}
.diff td:nth-child(3){border-inline-start:1px solid var(--line)}
.diff .del:nth-child(2),.diff .ins:nth-child(4){position:relative;padding-inline-start:1.3rem;color:var(--text)}
.diff .del:nth-child(2){background:var(--del)}
.diff .ins:nth-child(4){background:var(--ins)}
.diff .del:nth-child(2)::before{content:"−";position:absolute;inset-inline-start:.4rem}
.diff .ins:nth-child(4)::before{content:"+";position:absolute;inset-inline-start:.4rem}
.diff .same td:nth-child(even){padding-inline-start:1.3rem}
.diff del,.diff ins{text-decoration:none;border-radius:.15rem}
.diff del{background:var(--del_word)}
.diff ins{background:var(--ins_word)}
.diff.unnumbered th:nth-child(odd){width:1rem;font-size:0}
.diff .hunk td{color:var(--muted);border-block:1px solid var(--line);padding:.15rem .5rem}
@container (max-width:46rem){
.diff thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.diff tr{display:grid;grid-template-columns:3.2rem minmax(0,1fr)}
.diff .run{display:grid;grid-template-columns:3.2rem minmax(0,1fr)}
.diff .run tr{display:contents}
.diff .run .ins{order:1}
.unnumbered tr,.unnumbered .run{grid-template-columns:.5rem minmax(0,1fr)}
.unnumbered td:nth-child(odd):not([colspan]){padding:0}
.diff .hunk{display:block}
.diff .hunk td{display:block}
.diff .gone,.diff .same td:nth-child(n+3){display:none}
.diff td:nth-child(3){border:0}
}

${CODE_COLORS}

@media (max-width:40rem){
.top{padding-top:1rem}
.jump{inset-block-start:.4rem;padding:.2rem .8rem}
.facts{display:block;font-size:.86rem;line-height:1.45}
.facts div{display:flex;gap:.6rem}
.facts dt{flex:0 0 5rem}
.call>summary,.call.bare{flex-wrap:wrap;position:relative;padding-inline-start:1.5rem}
.call>summary::before{position:absolute;inset-inline-start:.6rem;top:.65rem}
.call .name{max-width:62%}
.thought .name{max-width:none}
.call .short{flex:1 1 100%;order:3;background:none;padding:0}
.inside{padding-inline-start:.7rem;margin-inline-start:.3rem}
.item{position:relative;display:block}
.item>.seq{position:absolute;top:0;inset-inline-end:.4rem;z-index:2;padding:0 .2rem}
.prompt>.speaker,.answer>.speaker,.body>.call>summary,.body>.call.bare{padding-inline-end:3.4rem}
.body>.line{padding-inline-end:3.4rem}
.contents li a{padding:.55rem .35rem}
}
@media (min-width:40rem){
.tools{position:sticky;top:0;z-index:2;box-shadow:-.7rem 0 var(--page),.7rem 0 var(--page)}
.has-tools .call[open]>summary{top:var(--bar)}
}
@media (min-width:64rem){
body{grid-template-columns:17rem minmax(0,1fr);column-gap:2.5rem;padding:0 2rem 3rem}
.facts{grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));column-gap:1.5rem}
.top,.foot{grid-column:1/-1}
main{grid-column:2;grid-row:2}
.contents{grid-column:1;grid-row:2;position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;border:0;margin:0;padding:1.1rem 0 2rem}
.contents .back{display:none}
.jump{inset-inline-end:auto;opacity:0;pointer-events:none}
.jump:focus{opacity:1;pointer-events:auto}
}
@media (prefers-reduced-motion:no-preference){.call>summary::before{transition:transform .12s}}
@media print{
:root{${variables(LIGHT)};--page:#ffffff}
html{font-size:10.5pt}
body{display:block;max-width:none;padding:0}
.jump,.seq,.tools,.skip,.contents .back{display:none}
.turn{content-visibility:visible}
.prompt:has(>.whole)>.said{max-height:none!important;mask-image:none!important}
.whole{display:none}
.call[open]>summary{position:static}
pre,.prompt,tr{break-inside:avoid-page}
h2,.speaker{break-after:avoid}
}
`;
