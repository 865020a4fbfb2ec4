/** The style of lists and of the hits of a search. */

/** Hues of agents by number, for light and dark pages. Colour only repeats the agent's name. */
export const HUES = [210, 20, 140, 280, 50, 340, 180, 90];

const HUE_STYLES = HUES
  .map((hue, index) => `.hue${index}{border-color:hsl(${hue} 65% 45%)}`).join("\n");

/** Minimum width of a list in which each session takes only one line. */
const WIDE = "60rem";

export const LIST_STYLE = `
.filter{display:grid;grid-template-columns:minmax(0,1fr);gap:var(--s2);margin:0 0 var(--s2)}
.filter .words{display:grid;grid-template-columns:minmax(0,1fr) auto;gap:var(--s2)}
.filter input,.filter select,.filter button{font:inherit;min-height:2.25rem;padding:var(--s1) var(--s2);border:1px solid var(--muted);border-radius:.4rem;background:var(--page);color:var(--text)}
.filter input::placeholder{color:var(--muted);opacity:1}
.filter button{background:var(--link);color:var(--page);border-color:var(--link);font-weight:600;cursor:pointer;padding-inline:var(--s4)}
.filter summary{cursor:pointer;color:var(--link);font-size:var(--t3);width:max-content;padding:var(--s1) 0}
.filter .fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(47%,12rem),1fr));gap:var(--s2) var(--s4);align-items:end;padding:var(--s2) var(--s3) var(--s3);background:var(--code);border:1px solid var(--line);border-radius:.5rem}
.filter .fields>div>:is(input,select){width:100%}
.filter label,.filter legend{display:block;font-size:var(--t2);color:var(--muted);padding:0}
.filter fieldset{grid-column:1/-1;border:0;padding:0;margin:0;display:flex;flex-wrap:wrap;gap:2px var(--s4);min-width:0}
.filter legend{float:left;min-width:5rem;padding-top:var(--s1)}
.filter .check{display:flex;gap:var(--s2);align-items:center;color:var(--text);font-size:var(--t3);min-height:2rem}
.filter .check input{min-height:0;margin:0}
.chips{display:flex;flex-wrap:wrap;gap:var(--s1);margin:0 0 var(--s2)}
.chips a{border:1px solid var(--line);background:var(--card);color:var(--text);border-radius:1rem;padding:2px var(--s3);font-size:var(--t3);text-decoration:none}
.menu{position:relative}
.menu summary{list-style:none;cursor:pointer;border:1px solid var(--line);border-radius:1rem;padding:2px var(--s3);font-size:var(--t3)}
.menu summary::after{content:" ▾";color:var(--muted)}
.menu[open] summary,.menu summary:hover{border-color:var(--link)}
.menu ul{position:absolute;z-index:5;inset-inline-start:0;margin:var(--s1) 0 0;padding:var(--s1);list-style:none;min-width:11rem;max-width:min(28rem,80vw);max-height:60vh;overflow-y:auto;background:var(--page);border:1px solid var(--line);border-radius:.4rem;box-shadow:0 4px 16px rgb(0 0 0/.18)}
.menu li{margin:0}
.menu ul a{display:flex;justify-content:space-between;gap:var(--s4);border:0;border-radius:.3rem;background:none;padding:var(--s1) var(--s2)}
.menu ul a:hover{background:var(--card)}
.empty{margin:var(--s6) auto;max-width:34rem;text-align:center}
.empty h2{font-size:var(--t5);margin:0 0 var(--s2)}
.empty a.act{display:inline-block;margin-top:var(--s2);padding:var(--s1) var(--s4);border:1px solid var(--link);border-radius:.4rem;font-weight:600;text-decoration:none}
.chips a:hover{border-color:var(--link)}
.site>main>h1{font-size:var(--t5);margin:0 0 var(--s2)}
.above{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:var(--s1) var(--s4);margin:0 0 var(--s1);font-size:var(--t3)}
.above .note,.above .pages{margin:0}
.pages{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s4);align-items:baseline;margin:var(--s3) 0}
.badge{display:inline-block;white-space:nowrap;border-inline-start:3px solid;padding-inline-start:var(--s2)}
${HUE_STYLES}
#list{container:list/inline-size}
.list{width:100%;border-collapse:collapse;margin:0;font-size:var(--t3);line-height:1.35;font-variant-numeric:tabular-nums}
.list th{font-weight:500;text-align:start;color:var(--muted)}
.list th a{color:inherit;text-decoration:none}
.list thead a:hover{text-decoration:underline}
.list [aria-sort] a{color:var(--text);font-weight:600}
.list [aria-sort=ascending] a::after{content:" ↑"}
.list [aria-sort=descending] a::after{content:" ↓"}
.list .group th{padding:var(--s3) var(--s2) var(--s1);color:var(--text);font-weight:600;border-bottom:1px solid var(--line)}
.list .group th a{color:var(--link)}
.list .group .note{font-weight:400;margin-inline-start:var(--s2)}
.list .of-title a:first-child{color:var(--text);text-decoration:none;font-weight:500}
.list .of-title a:first-child:hover{color:var(--link);text-decoration:underline}
.list .running{color:var(--ok);font-weight:600}
.list .running::before{content:"";display:inline-block;width:.45rem;height:.45rem;border-radius:50%;background:var(--ok);margin-inline-end:var(--s1)}
.list .waits,.now b.waits,.meta .waits{color:var(--warn);font-weight:600}
.now h2{font-size:var(--t4);margin:0 0 var(--s2)}
.now ul{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,19rem),1fr));gap:var(--s2)}
.now li{margin:0;padding:var(--s2) var(--s3);border:1px solid var(--line);border-inline-start:3px solid var(--muted);border-radius:.4rem;background:var(--card);min-width:0}
.now li.waits{border-inline-start-color:var(--warn)}
.now li.failed{border-inline-start-color:var(--fail)}
.now li.working{border-inline-start-color:var(--ok)}
.now li p{margin:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-size:var(--t3)}
.now li p:first-child{display:flex;justify-content:space-between}
.now li>a{display:block;color:var(--text);font-weight:600;text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.now li>a:hover{color:var(--link);text-decoration:underline}
.now b.failed{color:var(--fail)}
.now b.running{color:var(--ok)}
.now .share{display:inline-block;width:3.5rem;height:.4rem;fill:var(--link);background:var(--line);margin-inline-end:var(--s1)}
.now>.note{margin:var(--s2) 0 var(--s3)}
.list .pinned,.list .member,.list .tag{color:var(--muted);font-weight:400;font-size:var(--t2);text-decoration:none}
.list .tag{color:var(--link)}
.list .of-act button{font:inherit;line-height:1;color:var(--muted);background:none;border:1px solid transparent;border-radius:.3rem;padding:2px var(--s1);cursor:pointer}
.list .of-act button:hover,.list .of-act button:focus-visible{color:var(--link);border-color:var(--line)}
.list .copied{color:var(--ok)}
.stage:not(:last-of-type){display:none}
.build{margin:var(--s4) 0}
.build p{margin:0}
.build button{font:inherit;padding:2px var(--s3);border:1px solid var(--link);border-radius:.4rem;background:var(--page);color:var(--link);font-weight:600;cursor:pointer}
progress{width:min(100%,24rem);accent-color:var(--link)}
.stage>.note{margin:0 0 var(--s2)}
mark{background:var(--ins_word);color:var(--text);border-radius:.15rem}
.facets{margin:0 0 var(--s3);font-size:var(--t3);display:grid;gap:var(--s1)}
.facets div{display:flex;gap:var(--s2);min-width:0}
.facets dt{color:var(--muted);flex:0 0 4rem}
.facets dd{margin:0;display:flex;flex-wrap:wrap;gap:2px var(--s4);min-width:0}
@media (max-width:40rem){.facets dd{flex-wrap:nowrap;overflow-x:auto;white-space:nowrap}}
.facets a{text-decoration:none}
.facets a:hover{text-decoration:underline}
.hits,.hits ol{list-style:none;margin:0;padding:0}
.hits>li{margin:0;padding:var(--s2) 0;border-top:1px solid var(--line)}
.hits .of{display:flex;flex-wrap:wrap;gap:2px var(--s4);align-items:baseline;margin:0 0 2px;color:var(--muted);font-size:var(--t3)}
.hits .of a{font-weight:600;font-size:var(--t4);color:var(--text);text-decoration:none;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;max-width:min(100%,46rem)}
.hits .of a:hover{color:var(--link);text-decoration:underline}
.hits .count{color:var(--text)}
.hits ol li{margin:0}
.hits ol a{display:grid;grid-template-columns:5.5rem minmax(0,1fr);gap:var(--s2);padding:2px var(--s1);border-radius:.3rem;color:var(--text);text-decoration:none;font-size:var(--t3);line-height:1.45}
.hits ol a:hover{background:var(--code)}
.hits .role{color:var(--muted);font-size:var(--t2);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.subagent{margin-inline-start:var(--s4)}
.subagent .inside{max-height:24rem;overflow-y:auto}
.edit h2{font-size:var(--t4);margin:var(--s4) 0 var(--s1)}
.edit h2 a{color:var(--text);text-decoration:none}
.edit .of{margin:0 0 var(--s1)}
.palette{border:1px solid var(--line);border-radius:.5rem;background:var(--page);color:var(--text);padding:var(--s3);width:min(42rem,92vw);margin-top:var(--s6);max-height:75vh;overflow-y:auto}
.palette::backdrop{background:rgb(0 0 0/.4)}
.palette input{font:inherit;width:100%;min-height:2.25rem;padding:var(--s1) var(--s2);border:1px solid var(--muted);border-radius:.4rem;background:var(--page);color:var(--text)}
.go.go{margin-top:var(--s2)}
.go.go>li{margin:0;padding:0;border:0}
.go :is(a,button){display:grid;grid-template-columns:4rem minmax(0,1fr) auto;gap:var(--s2);width:100%;font:inherit;font-size:var(--t3);text-align:start;padding:var(--s1) var(--s1);border:0;border-radius:.3rem;color:var(--text);background:none;text-decoration:none;cursor:pointer}
.go :is(a,button):is(:hover,:focus-visible){background:var(--card)}
.go .badge{border:0;padding:0}
.go [dir]{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.hits summary{cursor:pointer;color:var(--link);font-size:var(--t3);padding:2px var(--s1);width:max-content}
@container list (min-width:${WIDE}){
.list td,.list thead th{padding:var(--s1) var(--s2);white-space:nowrap}
.list tbody tr:not(.group){border-bottom:1px solid var(--line)}
.list tbody tr:not(.group):hover{background:var(--code)}
.list thead th{border-bottom:1px solid var(--line);position:sticky;inset-block-start:0;background:var(--page)}
.list .unit{display:none}
.list .of-title{width:99%;max-width:0}
.list td.of-title>div{display:flex;gap:var(--s2);align-items:baseline}
.list td.of-title>div>*{flex:none}
.list td.of-title>div>a:first-child{flex:0 1 auto;min-width:6rem;overflow:hidden;text-overflow:ellipsis}
.list :is(.of-project,.of-model,.of-branch){max-width:13rem;overflow:hidden;text-overflow:ellipsis}
.list td:not(.of-title,.of-agent){color:var(--muted)}
.list :is(.of-messages,.of-cost,.of-files,.of-duration,.of-size,.of-created,.of-updated){text-align:end}
.list td.of-act{padding:0;width:1px}
}
@media not all and (min-width:40rem){
.go :is(a,button){grid-template-columns:3.4rem minmax(0,1fr) auto}
.hits ol a{grid-template-columns:3.8rem minmax(0,1fr);padding-inline:0}
}
@container list not (min-width:${WIDE}){
.list,.list tbody,.list tr,.list .group th{display:block}
.list thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.list tbody tr:not(.group){display:flex;flex-wrap:wrap;gap:2px var(--s2);align-items:baseline;padding:var(--s2) 0;border-bottom:1px solid var(--line);color:var(--muted);position:relative}
.list .group th{padding-inline:0}
.list td{padding:0}
.list td:empty{display:none}
.list .of-title{order:-1;flex:1 0 100%;padding-inline-end:var(--s5);color:var(--text)}
.list .of-title a:first-child{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.list .of-act{position:absolute;inset:.35rem 0 auto auto}
.list .of-act button{padding:var(--s2) var(--s2)}
.list :is(.of-branch,.of-files,.of-duration,.of-size,.of-created){display:none}
}
@container list (min-width:40rem){.list .of-title a:first-child{-webkit-line-clamp:1}}
@container list not (min-width:40rem){.list .of-model{display:none}}
`;
