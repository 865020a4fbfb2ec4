/** The style of a session's page for narrow and wide screens, light and dark colours, and print. */
import { CODE_INKS, DARK, KIND_INKS, LIGHT, type Palette } from "./palette.ts";

function variables(palette: Palette): string {
  return Object.entries(palette).map(([name, color]) => `--${name}:${color}`).join(";");
}

/** Text sizes and spacing steps (`STEPS`), in pixels at the browser's default text size. */
const SIZES = [12, 13, 14, 16, 20, 28];
const STEPS = [4, 8, 12, 16, 24, 40];

const SCALE = [
  ...SIZES.map((pixels, at) => `--t${at + 1}:${pixels / 16}rem`),
  ...STEPS.map((pixels, at) => `--s${at + 1}:${pixels / 16}rem`),
].join(";");

const CODE_COLORS = CODE_INKS.map((name) => `.c-${name}{color:var(--${name})}`).join("\n");

const KIND_STYLES = KIND_INKS.map((name) =>
  `.k-${name}>summary::before{border-color:var(--${name})}\n.k-${name}>summary .name{color:color-mix(in srgb,var(--${name}) 45%,var(--text))}`
).join("\n");

export const PAGE_STYLE = `
:root{color-scheme:light dark;${SCALE};${variables(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${variables(DARK)}}}
*,::before,::after{box-sizing:border-box}
html{scroll-padding-top:calc(var(--bar,0px) + 1rem);font:100%/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;background:var(--page);color:var(--text);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;max-width:92rem;padding:0 var(--s4) var(--s6);display:grid;grid-template-columns:minmax(0,1fr);overflow-wrap:anywhere}
main{min-width:0}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:.06em}
a:hover{text-decoration-thickness:.12em}
:focus-visible{outline:.15rem solid var(--link);outline-offset:.15rem;border-radius:.2rem}
h1,h2,h3,h4,h5,h6{line-height:1.25;text-wrap:balance;margin:var(--s5) 0 var(--s2)}
h1{font-size:var(--t6);letter-spacing:-.015em;margin:0 0 var(--s4)}
h3{font-size:var(--t5)}
h4{font-size:var(--t4)}
h5,h6{font-size:var(--t4)}
p,ul,ol,dl,pre,table,blockquote,figure{margin:0 0 var(--s4)}
ul,ol{padding-inline-start:var(--s5)}
li{margin:var(--s1) 0}
li>ul,li>ol{margin:var(--s1) 0}
li.task{list-style:none;margin-inline-start:calc(-1*var(--s5))}
hr{border:0;border-top:1px solid var(--line);margin:var(--s5) 0}
blockquote{border-inline-start:.2rem solid var(--line);padding-inline-start:var(--s4);color:var(--muted)}
code,pre{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:.875em;tab-size:4}
pre code{font-size:1em}
pre{background:var(--code);border:1px solid var(--line);border-radius:.4rem;padding:var(--s3) var(--s3);font-size:var(--t2);line-height:1.5;white-space:pre-wrap;overflow-wrap:anywhere}
:not(pre)>code{background:var(--code);border-radius:.25rem;padding:2px var(--s1)}
.said>p,.said>ul,.said>ol,.said>blockquote,.said>h3,.said>h4,.said>h5,.said>h6{max-width:70ch}
.plain{white-space:pre-wrap;max-width:80ch}
.unseen{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.ok{color:var(--ok)}
.fail{color:var(--fail)}
.warn{color:var(--warn)}

.top{padding:var(--s5) 0 var(--s4);border-bottom:1px solid var(--line);margin-bottom:var(--s4)}
.top .kind{color:var(--muted);font-size:var(--t3);margin:0 0 var(--s1)}
.facts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,8.5rem),1fr));gap:var(--s2) var(--s4);margin:0;font-size:var(--t3)}
.facts dt{color:var(--muted);font-size:var(--t2)}
.facts dd{margin:0}
.top{position:relative}
.jump{position:absolute;inset-block-start:.8rem;inset-inline-end:0;z-index:3;background:var(--card);color:var(--link);border:1px solid var(--link);border-radius:2rem;padding:var(--s2) var(--s4);font-size:var(--t3);font-weight:600;text-decoration:none}
.skip{position:absolute;inset-inline-start:.5rem;inset-block-start:-4rem;z-index:4;background:var(--card);padding:var(--s2) var(--s4);border:1px solid var(--link);border-radius:.4rem}
.skip:focus{inset-block-start:.5rem}
.threads{margin:var(--s4) 0 0;font-size:var(--t3)}
.threads summary{cursor:pointer}
.threads ul{margin:var(--s2) 0 0}
.tools{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s4);align-items:center;padding:var(--s2) 0;margin:0 0 var(--s3);background:var(--page);border-bottom:1px solid var(--line);font-size:var(--t3)}
.tools span{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s4);align-items:center}
.tools .finding{gap:var(--s1)}
.tools input,.tools button{font:inherit;color:var(--text);background:var(--page);border:1px solid var(--muted);border-radius:.35rem;min-height:2rem;padding:2px var(--s2)}
.tools input[type=checkbox]{min-height:0;margin:0}
.tools label{display:flex;gap:var(--s1);align-items:center;min-height:2rem}
.tools .query{width:16rem;max-width:60vw}
.tools button{cursor:pointer}
.tools .count{color:var(--muted);min-width:4.5rem;font-variant-numeric:tabular-nums}
.no-calls :is(.is-call,.is-command,.is-diff,.said .call:not(.thought)),.no-thinking :is(.is-thinking,.said .thought),.no-outputs .out{display:none}
.item.found>.body{box-shadow:-.35rem 0 var(--page),-.5rem 0 var(--link)}
::highlight(found){background:var(--ins_word);color:var(--text)}
::highlight(current){background:var(--text);color:var(--page)}
.thread-head{border-top:.2rem solid var(--line);margin-top:var(--s6);padding-top:var(--s4)}
.thread-head h2{font-size:var(--t5);margin:0 0 var(--s1)}
.steps{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s5);margin:var(--s4) 0}

.contents{border-top:1px solid var(--line);margin-top:var(--s6);padding-top:var(--s4)}
.contents h2{font-size:var(--t4);margin:0 0 var(--s2)}
.contents ol{list-style:none;margin:0;padding:0;font-size:var(--t3)}
.contents li{margin:0}
.contents li a{display:flex;column-gap:var(--s2);color:var(--text);text-decoration:none;padding:var(--s1);border-radius:.3rem;line-height:1.4}
.contents .number{flex:none;min-width:1.5rem;color:var(--muted);font-variant-numeric:tabular-nums}
.contents .number+span{overflow:hidden;white-space:nowrap;text-overflow:ellipsis}
.contents li a[aria-current]{background:var(--card);box-shadow:inset .2rem 0 var(--link)}
.contents li a:hover{background:var(--card);text-decoration:underline}
main.index{grid-column:1/-1}
.index h2{font-size:var(--t4);margin:var(--s5) 0 var(--s2)}
.index .contents{position:static;border:0;margin:0;padding:0;max-height:none}
.foot{border-top:1px solid var(--line);margin-top:var(--s5);padding-top:var(--s4);color:var(--muted);font-size:var(--t3);padding-bottom:var(--s6)}

.turn{border-top:1px solid var(--line);padding-top:var(--s3);margin-top:var(--s4);content-visibility:auto;contain-intrinsic-size:auto 30rem}
.turn:first-child{margin-top:0;border-top:0}
.turn h2{font-size:var(--t1);font-weight:600;letter-spacing:.04em;color:var(--muted);margin:0 0 var(--s2)}
.item{display:grid;grid-template-columns:minmax(0,1fr) auto;column-gap:var(--s2);align-items:start;margin:0 0 2px}
.item:has(.prompt),.item:has(.answer){margin:0 0 var(--s4)}
.item:target,.item:has(>.also:target){outline:.15rem solid var(--link);outline-offset:.35rem;border-radius:.3rem}
.is-turn .note{margin:0;text-align:end}
.also{position:absolute}
.said>:first-child{margin-top:0}
.body>:last-child,.said>:last-child,.inside>:last-child,.out>:last-child,.fence>:last-child,li>p:last-child{margin-bottom:0}
.seq{font-size:var(--t1);line-height:1.65rem;min-width:2.6rem;text-align:end;color:var(--muted);text-decoration:none;font-variant-numeric:tabular-nums}
.seq:hover{text-decoration:underline}
@media (hover:hover){.seq{opacity:0}.item:hover>.seq,.seq:focus-visible,.item:target>.seq{opacity:1}}
.speaker{color:var(--muted);font-size:var(--t2);margin:0 0 var(--s1)}
.speaker b{color:var(--text)}
.speaker time{white-space:nowrap}
.prompt{width:fit-content;max-width:min(100%,78ch);background:var(--card);border-inline-start:.25rem solid var(--link);border-radius:.4rem;padding:var(--s3) var(--s4)}
.prompt p{white-space:pre-line}
.prompt p.plain{white-space:pre-wrap}
.prompt:has(>.whole:not([open]))>.said{max-height:16lh;overflow:hidden;mask-image:linear-gradient(#000 80%,transparent)}
.whole{margin-top:var(--s2)}
.whole>summary{cursor:pointer;color:var(--link);font-size:var(--t3);width:max-content;list-style:none}
.whole[open]>summary{font-size:0}
.whole[open]>summary::after{content:"Show less";font-size:var(--t3)}
.answer{padding:var(--s2) 0}
.mark{font-size:var(--t2);margin:0 0 var(--s1)}

.call{margin:0;font-size:var(--t3)}
.call>summary,.call.bare{display:flex;gap:2px var(--s2);align-items:baseline;padding:2px var(--s2);border-radius:.35rem}
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
.call .end{flex:none;margin-inline-start:auto;color:var(--muted);font-size:var(--t2)}
.call[open]>summary .short{white-space:normal}
.thought[open]>summary .short{display:none}
.inside{padding:var(--s2) 0 var(--s2) var(--s4);margin-inline-start:var(--s3);border-inline-start:1px solid var(--line)}
.thought>.inside{color:var(--muted)}
.call .counts{flex:none;font-size:var(--t2)}
.label,.language{color:var(--muted);font-size:var(--t1);margin:0 0 var(--s1)}
.fence{margin:0 0 var(--s4)}
.input{display:grid;grid-template-columns:minmax(4rem,auto) minmax(0,1fr);gap:var(--s1) var(--s3)}
.input dt{color:var(--muted);font-size:var(--t2)}
.input dd{margin:0}
.note{color:var(--muted);font-size:var(--t3)}
.notice{border-inline-start:.25rem solid var(--line);padding:var(--s1) 0 var(--s1) var(--s3);margin:var(--s2) 0;white-space:pre-wrap}
.line{display:flex;gap:var(--s3);align-items:center;justify-content:center;color:var(--muted);font-size:var(--t3);text-align:center;margin:var(--s4) 0}
.line::before,.line::after{content:"";flex:1 1 1rem;border-top:1px solid var(--line)}
figure img{display:block;max-width:100%;max-height:32rem;border:1px solid var(--line);border-radius:.3rem}
figcaption{color:var(--muted);font-size:var(--t2);margin-top:var(--s1)}

.wide{overflow-x:auto;margin:0 0 var(--s4)}
.wide table{border-collapse:collapse;font-size:var(--t2);margin:0;overflow-wrap:normal}
.wide th,.wide td{border:1px solid var(--line);padding:var(--s1) var(--s3);text-align:start;vertical-align:top;min-width:4rem}
.wide th{background:var(--code)}
.wide .right{text-align:end}
.wide .center{text-align:center}

.diff{container-type:inline-size;margin:0 0 var(--s4)}
.diff table{width:100%;table-layout:fixed;border-collapse:collapse;background:var(--code);border:1px solid var(--line);font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,"Liberation Mono","DejaVu Sans Mono",monospace;font-size:var(--t2);line-height:1.5;margin:0}
.diff th{font-weight:400;font-size:var(--t1);color:var(--muted);text-align:start;padding:2px var(--s2);border-bottom:1px solid var(--line)}
.diff th:nth-child(odd){width:3.6rem;text-align:end}
.diff td{vertical-align:top;padding:0 var(--s2);white-space:pre-wrap;overflow-wrap:anywhere}
.diff td:nth-child(odd):not([colspan]){color:var(--muted);text-align:end;user-select:none;font-variant-numeric:tabular-nums}
.diff td:nth-child(3){border-inline-start:1px solid var(--line)}
.diff .del:nth-child(2),.diff .ins:nth-child(4){position:relative;padding-inline-start:var(--s5);color:var(--text)}
.diff .del:nth-child(2){background:var(--del)}
.diff .ins:nth-child(4){background:var(--ins)}
.diff .del:nth-child(2)::before{content:"−";position:absolute;inset-inline-start:.4rem}
.diff .ins:nth-child(4)::before{content:"+";position:absolute;inset-inline-start:.4rem}
.diff .same td:nth-child(even){padding-inline-start:var(--s5)}
.diff del,.diff ins{text-decoration:none;border-radius:.15rem}
.diff del{background:var(--del_word)}
.diff ins{background:var(--ins_word)}
.diff.unnumbered th:nth-child(odd){width:1rem;font-size:0}
.diff .hunk td{color:var(--muted);border-block:1px solid var(--line);padding:2px var(--s2)}
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
.top{padding-top:var(--s4)}
.jump{inset-block-start:.4rem;padding:var(--s1) var(--s3)}
.facts{display:block;font-size:var(--t3);line-height:1.45}
.facts div{display:flex;gap:var(--s2)}
.facts dt{flex:0 0 5rem}
.call>summary,.call.bare{flex-wrap:wrap;position:relative;padding-inline-start:var(--s5)}
.call>summary::before{position:absolute;inset-inline-start:.6rem;top:.65rem}
.call .name{max-width:62%}
.thought .name{max-width:none}
.call .short{flex:1 1 100%;order:3;background:none;padding:0}
.inside{padding-inline-start:var(--s3);margin-inline-start:var(--s1)}
.item{position:relative;display:block}
.item>.seq{position:absolute;top:0;inset-inline-end:.4rem;z-index:2;padding:0 var(--s1)}
.prompt>.speaker,.answer>.speaker,.body>.call>summary,.body>.call.bare{padding-inline-end:calc(var(--s6) + var(--s3))}
.body>.line{padding-inline-end:calc(var(--s6) + var(--s3))}
.contents li a{padding:var(--s2) var(--s1)}
}
@media (min-width:40rem){
.tools{position:sticky;top:0;z-index:2;box-shadow:-.7rem 0 var(--page),.7rem 0 var(--page)}
.has-tools .call[open]>summary{top:var(--bar)}
}
@media (min-width:64rem){
body{grid-template-columns:17rem minmax(0,1fr);column-gap:var(--s6);padding:0 var(--s5) var(--s6)}
.facts{grid-template-columns:repeat(auto-fill,minmax(13rem,1fr));column-gap:var(--s5)}
.top,.foot{grid-column:1/-1}
main{grid-column:2;grid-row:2}
.contents{grid-column:1;grid-row:2;position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;border:0;margin:0;padding:var(--s4) 0 var(--s5)}
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
