/** The style of lists and of the hits of a search. */

/** Hues of agents by number, for light and dark pages. Colour only repeats the agent's name. */
export const HUES = [210, 20, 140, 280, 50, 340, 180, 90];

const HUE_STYLES = HUES
  .map((hue, index) => `.hue${index}::before{background:hsl(${hue} 65% 45%)}`).join("\n");

/** The page width from which a session takes one line. */
const WIDE = "60rem";

export const LIST_STYLE = `
.filter{display:grid;grid-template-columns:minmax(0,1fr);gap:.4rem;margin:0 0 .5rem}
.filter .words{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:.5rem}
.filter input,.filter select,.filter button{font:inherit;min-height:2.25rem;padding:.2rem .6rem;border:1px solid var(--muted);border-radius:.4rem;background:var(--page);color:var(--text)}
.filter input::placeholder{color:var(--muted);opacity:1}
.filter button{background:var(--link);color:var(--page);border-color:var(--link);font-weight:600;cursor:pointer;padding-inline:1rem}
.filter summary{cursor:pointer;color:var(--link);font-size:.9rem;width:max-content;padding:.3rem 0}
.filter .fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(47%,12rem),1fr));gap:.6rem .9rem;align-items:end;padding:.6rem .8rem .8rem;background:var(--code);border:1px solid var(--line);border-radius:.5rem}
.filter .fields>div>:is(input,select){width:100%}
.filter label,.filter legend{display:block;font-size:.82rem;color:var(--muted);padding:0}
.filter fieldset{grid-column:1/-1;border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:.1rem 1.1rem;min-width:0}
.filter legend{float:left;min-width:5rem;padding-top:.35rem}
.filter .check{display:flex;gap:.4rem;align-items:center;color:var(--text);font-size:.9rem;min-height:2rem}
.filter .check input{min-height:0;margin:0}
.chips{display:flex;flex-wrap:wrap;gap:.35rem;margin:0 0 .5rem}
.chips a{border:1px solid var(--line);background:var(--card);color:var(--text);border-radius:1rem;padding:.1rem .7rem;font-size:.85rem;text-decoration:none}
.menu{position:relative}
.menu summary{list-style:none;cursor:pointer;border:1px solid var(--line);border-radius:1rem;padding:.1rem .7rem;font-size:.85rem}
.menu summary::after{content:" ▾";color:var(--muted)}
.menu[open] summary,.menu summary:hover{border-color:var(--link)}
.menu ul{position:absolute;z-index:5;inset-inline-start:0;margin:.25rem 0 0;padding:.3rem;list-style:none;min-width:11rem;max-width:min(28rem,80vw);max-height:60vh;overflow-y:auto;background:var(--page);border:1px solid var(--line);border-radius:.4rem;box-shadow:0 4px 16px rgb(0 0 0/.18)}
.menu li{margin:0}
.menu ul a{display:flex;justify-content:space-between;gap:1rem;border:0;border-radius:.3rem;background:none;padding:.25rem .5rem}
.menu ul a:hover{background:var(--card)}
.empty{margin:2.5rem auto;max-width:34rem;text-align:center}
.empty h2{font-size:1.15rem;margin:0 0 .4rem}
.empty a.act{display:inline-block;margin-top:.4rem;padding:.35rem 1rem;border:1px solid var(--link);border-radius:.4rem;font-weight:600;text-decoration:none}
.chips a:hover{border-color:var(--link)}
.site>main>h1{font-size:1.2rem;margin:0 0 .5rem}
.above{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:.2rem 1rem;margin:0 0 .2rem;font-size:.88rem}
.above .note,.above .pages{margin:0}
.pages{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;align-items:baseline;margin:.8rem 0}
.badge{display:inline-flex;align-items:center;gap:.4rem;white-space:nowrap}
.badge::before{content:"";width:.5rem;height:.5rem;border-radius:50%;flex:none}
${HUE_STYLES}
.list{width:100%;border-collapse:collapse;margin:0;font-size:.88rem;line-height:1.35;font-variant-numeric:tabular-nums}
.list th{font-weight:500;text-align:start;color:var(--muted)}
.list th a{color:inherit;text-decoration:none}
.list thead a:hover{text-decoration:underline}
.list [aria-sort] a{color:var(--text);font-weight:600}
.list [aria-sort=ascending] a::after{content:" ↑"}
.list [aria-sort=descending] a::after{content:" ↓"}
.list .group th{padding:.7rem .5rem .2rem;color:var(--text);font-weight:600;border-bottom:1px solid var(--line)}
.list .group th a{color:var(--link)}
.list .group .note{font-weight:400;margin-inline-start:.4rem}
.list .of-title a:first-child{color:var(--text);text-decoration:none;font-weight:500}
.list .of-title a:first-child:hover{color:var(--link);text-decoration:underline}
.list .running{color:var(--ok);font-weight:600}
.list .running::before{content:"";display:inline-block;width:.45rem;height:.45rem;border-radius:50%;background:var(--ok);margin-inline-end:.3rem}
.list .waits,.now .waits{color:var(--warn);font-weight:600}
.now h2{font-size:1rem;margin:0 0 .4rem}
.now ul{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:.5rem}
.now li{margin:0;padding:.5rem .75rem;border:1px solid var(--line);border-inline-start:3px solid var(--muted);border-radius:.4rem;background:var(--card);min-width:0}
.now li.waits{border-inline-start-color:var(--warn)}
.now li.failed{border-inline-start-color:var(--fail)}
.now li.working{border-inline-start-color:var(--ok)}
.now li p{margin:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-size:.86rem}
.now li p:first-child{display:flex;justify-content:space-between}
.now li>a{display:block;color:var(--text);font-weight:600;text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.now li>a:hover{color:var(--link);text-decoration:underline}
.now .failed{color:var(--fail)}
.now .running{color:var(--ok)}
.now .share{display:inline-block;width:3.5rem;height:.4rem;fill:var(--link);background:var(--line);margin-inline-end:.35rem}
.now>.note{margin:.4rem 0 .8rem}
.list .pinned,.list .member,.list .tag{color:var(--muted);font-weight:400;font-size:.92em;text-decoration:none}
.list .tag{color:var(--link)}
.list .of-act button{font:inherit;line-height:1;color:var(--muted);background:none;border:1px solid transparent;border-radius:.3rem;padding:.15rem .35rem;cursor:pointer}
.list .of-act button:hover,.list .of-act button:focus-visible{color:var(--link);border-color:var(--line)}
.list .copied{color:var(--ok)}
.stage:not(:last-of-type){display:none}
.build{margin:1rem 0}
.build p{margin:0}
.build button{font:inherit;padding:.15rem .8rem;border:1px solid var(--link);border-radius:.4rem;background:var(--page);color:var(--link);font-weight:600;cursor:pointer}
progress{width:min(100%,24rem);accent-color:var(--link)}
.stage>.note{margin:0 0 .4rem}
mark{background:var(--ins_word);color:var(--text);border-radius:.15rem}
.facets{margin:0 0 .7rem;font-size:.88rem;display:grid;gap:.25rem}
.facets div{display:flex;gap:.6rem;min-width:0}
.facets dt{color:var(--muted);flex:0 0 4rem}
.facets dd{margin:0;display:flex;flex-wrap:wrap;gap:.1rem .9rem;min-width:0}
@media (max-width:40rem){.facets dd{flex-wrap:nowrap;overflow-x:auto;white-space:nowrap}}
.facets a{text-decoration:none}
.facets a:hover{text-decoration:underline}
.hits,.hits ol{list-style:none;margin:0;padding:0}
.hits>li{margin:0;padding:.55rem 0;border-top:1px solid var(--line)}
.hits .of{display:flex;flex-wrap:wrap;gap:.1rem 1rem;align-items:baseline;margin:0 0 .15rem;color:var(--muted);font-size:.86rem}
.hits .of a{font-weight:600;font-size:.98rem;color:var(--text);text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;max-width:min(100%,46rem)}
.hits .of a:hover{color:var(--link);text-decoration:underline}
.hits .count{color:var(--text)}
.hits ol li{margin:0}
.hits ol a{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:.6rem;padding:.12rem .3rem;border-radius:.3rem;color:var(--text);text-decoration:none;font-size:.9rem;line-height:1.45}
.hits ol a:hover{background:var(--code)}
.hits .role{color:var(--muted);font-size:.82rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.subagent{margin-inline-start:1.1rem}
.subagent .inside{max-height:24rem;overflow-y:auto}
.edit h2{font-size:1rem;margin:1rem 0 .2rem}
.edit h2 a{color:var(--text);text-decoration:none}
.edit .of{margin:0 0 .3rem}
.palette{border:1px solid var(--line);border-radius:.5rem;background:var(--page);color:var(--text);padding:.75rem;width:min(42rem,92vw);margin-top:10vh;max-height:75vh;overflow-y:auto}
.palette::backdrop{background:rgb(0 0 0/.4)}
.palette input{font:inherit;width:100%;min-height:2.25rem;padding:.2rem .6rem;border:1px solid var(--muted);border-radius:.4rem;background:var(--page);color:var(--text)}
.go.go{margin-top:.5rem}
.go.go>li{margin:0;padding:0;border:0}
.go :is(a,button){display:grid;grid-template-columns:5rem minmax(0,1fr);gap:.6rem;width:100%;font:inherit;font-size:.9rem;text-align:start;padding:.25rem .3rem;border:0;border-radius:.3rem;color:var(--text);background:none;text-decoration:none;cursor:pointer}
.go :is(a,button):is(:hover,:focus-visible){background:var(--card)}
.go [dir]{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.hits summary{cursor:pointer;color:var(--link);font-size:.85rem;padding:.1rem .3rem;width:max-content}
@media (min-width:${WIDE}){
.list td,.list thead th{padding:.28rem .5rem;white-space:nowrap}
.list tbody tr:not(.group){border-bottom:1px solid var(--line)}
.list tbody tr:not(.group):hover{background:var(--code)}
.list thead th{border-bottom:1px solid var(--line);position:sticky;inset-block-start:0;background:var(--page)}
.list .unit{display:none}
.list .of-title{width:99%;max-width:0}
.list td.of-title>div{display:flex;gap:.6rem;align-items:baseline}
.list td.of-title>div>*{flex:none}
.list td.of-title>div>a:first-child{flex:0 1 auto;min-width:6rem;overflow:hidden;text-overflow:ellipsis}
.list :is(.of-project,.of-model,.of-branch){max-width:13rem;overflow:hidden;text-overflow:ellipsis}
.list td:not(.of-title,.of-agent){color:var(--muted)}
.list :is(.of-messages,.of-cost,.of-files,.of-duration,.of-size,.of-created,.of-updated){text-align:end}
.list td.of-act{padding:0;width:1px}
}
@media not all and (min-width:${WIDE}){
.hits ol a{grid-template-columns:3.4rem minmax(0,1fr);padding-inline:0}
.list,.list tbody,.list tr,.list .group th{display:block}
.list thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.list tbody tr:not(.group){display:flex;flex-wrap:wrap;gap:.1rem .75rem;align-items:baseline;padding:.45rem 0;border-bottom:1px solid var(--line);color:var(--muted);position:relative}
.list .group th{padding-inline:0}
.list td{padding:0}
.list td:empty{display:none}
.list .of-title{order:-1;flex:1 0 100%;padding-inline-end:2rem;color:var(--text)}
.list .of-title a:first-child{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.list .of-act{position:absolute;inset:.35rem 0 auto auto}
.list .of-act button{padding:.4rem .5rem}
.list :is(.of-branch,.of-files,.of-duration,.of-size,.of-created){display:none}
@media (min-width:40rem){.list .of-title a:first-child{-webkit-line-clamp:1}}
@media not all and (min-width:40rem){.list .of-model{display:none}}
}
`;
