import{a as Je}from"./chunk-DUQYBKSO.js";import"./chunk-6YH4W26Y.js";import{a as Xe}from"./chunk-F5EFZKMP.js";import{a as It}from"./chunk-LJ6Z3LNS.js";import{a as Qe}from"./chunk-ZO373KBM.js";import"./chunk-RE4ER6DE.js";import{d as tn,f as en}from"./chunk-MZXS6QHV.js";import{a as _t}from"./chunk-J5WLXGKL.js";import{a as Ve,c as Ct}from"./chunk-2ZBXVUQX.js";import{b as Pt,e as Ze}from"./chunk-CS3JMB34.js";import{a as Ge,b as Ye,c as Ke,g as Z,h as qe}from"./chunk-AQDQRS6M.js";import{a as Ue,d as V,g as ze,j as N,k as Fe,m as Be,p as We,q as Lt}from"./chunk-C3ZRJCKG.js";import{a as f,b as c,c as h,d as Ht,e as At,f as Re,g as De}from"./chunk-42IEQT3C.js";import{a as Pe,b as Ie,c as Ne}from"./chunk-THYT67QH.js";import{a as je}from"./chunk-ZQN5MBTJ.js";import{c as Le,d as Ce}from"./chunk-KMB6ETTN.js";import"./chunk-522OLAN2.js";import{g as Ae}from"./chunk-JIX2LB3P.js";import"./chunk-S7WTW5FH.js";import{a as Ot}from"./chunk-IHR4ZFQE.js";import"./chunk-PPCB5T45.js";import{b as Ee}from"./chunk-K6RBH2PG.js";import"./chunk-LUPQH2W5.js";import"./chunk-76YGJQKL.js";import"./chunk-YYFIAIE2.js";import"./chunk-RTMKJ3NT.js";import{c as Mt}from"./chunk-R2GRL3PT.js";import"./chunk-33OYMMEF.js";import"./chunk-7KGX24ZY.js";import"./chunk-WFUWNNBM.js";import{f as Me,g as _e,i as He}from"./chunk-Z3ASIWT4.js";import"./chunk-FIXW5Q5P.js";import"./chunk-SC3PN6O4.js";import{a as lt,c as Oe}from"./chunk-C3VMUGKN.js";import{a as E}from"./chunk-UAKHLQVZ.js";import"./chunk-APSWL3FZ.js";import{b as ke}from"./chunk-KECK6WOK.js";import{a as q}from"./chunk-SQYD2CLZ.js";import{a as Te}from"./chunk-DFK54MZ6.js";import"./chunk-7AMLUH35.js";import{a as ct}from"./chunk-7CSJWTGU.js";import"./chunk-3DUH5XBX.js";import"./chunk-HF72BYWD.js";import"./chunk-JM7OSCWP.js";import"./chunk-HB27O5VC.js";import"./chunk-7EH3EOPC.js";import"./chunk-6LQ3OMXI.js";import"./chunk-OD4WNHGL.js";import"./chunk-I2SUF4LS.js";import"./chunk-C6I4WS5Z.js";import"./chunk-WSZ7BXKC.js";import"./chunk-GEU753UU.js";import"./chunk-Q3PSVSQZ.js";import"./chunk-I7IF5WQX.js";import"./chunk-CUM7KDJJ.js";import"./chunk-KEJY4AZD.js";import"./chunk-YJ6ZV6YJ.js";import{e as Tt}from"./chunk-QJBEMPOT.js";import{b as Se}from"./chunk-ZC56GCQA.js";import"./chunk-2GVJU43F.js";import"./chunk-IUDK4WO7.js";import"./chunk-YJYUTQ2Q.js";import"./chunk-WSXRRYKM.js";import{b as ye}from"./chunk-5LJUPWXI.js";import"./chunk-T6Q5ESTZ.js";import"./chunk-YGTTAWBH.js";import"./chunk-LEAWANET.js";import"./chunk-73ML4CJV.js";import"./chunk-FZXTSKAC.js";import"./chunk-AKO5IPYL.js";import"./chunk-S6ZIVCJB.js";import{b as K}from"./chunk-XGG5GGPY.js";import"./chunk-5JGHMCP5.js";import"./chunk-YJRQ5PYT.js";import"./chunk-X3TY7OND.js";import"./chunk-RR44KRMP.js";import"./chunk-GOPS4CHY.js";import{a as xe}from"./chunk-E2VNZRO2.js";import"./chunk-SPDSTWVA.js";import"./chunk-XTQRMZ2S.js";import"./chunk-N4JZ3LVE.js";import"./chunk-KKCTDMHZ.js";import"./chunk-FLXRF263.js";import{g as be}from"./chunk-JEFBHRKD.js";import{A as le,Ab as A,Ac as $e,B as L,C as st,D as de,Db as ge,E as C,G as T,H as U,J as me,Je as we,Za as ue,ba as pe,c as b,da as at,ea as I,ef as Et,ib as fe,jc as it,kc as ve,mb as he,p as ie,t as D,y as ce}from"./chunk-M6V6HMT5.js";import{e as rt}from"./chunk-MATCZ3A6.js";import{createHash as Ho,timingSafeEqual as Ao}from"node:crypto";import{join as jo}from"node:path";import{isAbsolute as ka,join as Ta}from"node:path";var Pn=[210,20,140,280,50,340,180,90],So=Pn.map((t,e)=>`.hue${e}::before{background:hsl(${t} 65% 45%)}`).join(`
`),nn="60rem",ko=`
.site:has(.list,.hits){max-width:96rem}
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
.chips a:hover{border-color:var(--link)}
.site>main>h1{font-size:1.2rem;margin:0 0 .5rem}
.above{display:flex;flex-wrap:wrap;justify-content:space-between;align-items:baseline;gap:.2rem 1rem;margin:0 0 .2rem;font-size:.88rem}
.above .note,.above .pages{margin:0}
.pages{display:flex;flex-wrap:wrap;gap:.6rem 1.2rem;align-items:baseline;margin:.8rem 0}
.badge{display:inline-flex;align-items:center;gap:.4rem;white-space:nowrap}
.badge::before{content:"";width:.5rem;height:.5rem;border-radius:50%;flex:none}
${So}
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
.list .pinned,.list .tag{color:var(--muted);font-weight:400;font-size:.92em;text-decoration:none}
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
.hits summary{cursor:pointer;color:var(--link);font-size:.85rem;padding:.1rem .3rem;width:max-content}
@media (min-width:${nn}){
.list td,.list thead th{padding:.28rem .5rem;white-space:nowrap}
.list tbody tr:not(.group){border-bottom:1px solid var(--line)}
.list tbody tr:not(.group):hover{background:var(--code)}
.list thead th{border-bottom:1px solid var(--line);position:sticky;inset-block-start:0;background:var(--page)}
.list .unit{display:none}
.list .of-title{width:99%;max-width:0;overflow:hidden;text-overflow:ellipsis}
.list :is(.of-project,.of-model,.of-branch){max-width:13rem;overflow:hidden;text-overflow:ellipsis}
.list td:not(.of-title,.of-agent){color:var(--muted)}
.list :is(.of-messages,.of-cost,.of-files,.of-duration,.of-size,.of-created,.of-updated){text-align:end}
.list td.of-act{padding:0;width:1px}
}
@media not all and (min-width:${nn}){
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
`;function In(t){return{[Symbol.asyncIterator](){let e=new AbortController,n=t(e.signal)[Symbol.asyncIterator]();return{next:()=>n.next(),return:async()=>(e.abort(),await n.return?.()??{done:!0,value:void 0})}}}}var To=400;async function*Zt(t){let e=new AbortController,n=()=>e.abort();for(t.then(n,n);;){if(await rt(To,e.signal),e.signal.aborted)return;yield}}var Eo=`
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
`,Nn=String.raw`
(() => {
"use strict";${De}
const one = (selector) => document.querySelector(selector);
const all = (selector) => [...document.querySelectorAll(selector)];

const announce = make("p", { className: "unseen" });
announce.setAttribute("role", "status");
document.body.append(announce);
addEventListener("click", async ({ target }) => {
  const button = target.closest?.("[data-copy]");
  if (button == null) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    announce.textContent = "Copied";
    button.classList.add("copied");
    setTimeout(() => button.classList.remove("copied"), 1500);
  } catch {
    announce.textContent = "Cannot copy: the browser forbids it";
  }
});

const rows = () => all("[data-row]").length > 0 ? all("[data-row]") : all(".turn");
let current;
const move = (step) => {
  const list = rows();
  if (list.length === 0) return;
  let at = list.indexOf(current);
  // Where nothing was chosen, or scrolling left it behind, the place on the screen counts.
  const { top = -1, bottom = -1 } = current?.getBoundingClientRect() ?? {};
  if (at < 0 || bottom < 0 || top > innerHeight) {
    at = list.findIndex((row) => row.getBoundingClientRect().bottom > 120);
    if (step > 0) at -= 1;
  }
  choose(list[Math.max(0, Math.min(list.length - 1, at + step))]);
};
const choose = (row) => {
  current?.classList.remove("chosen");
  current = row;
  row.classList.add("chosen");
  const place = row.querySelector("a, .item") ?? row;
  if (!place.matches("a")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
  row.scrollIntoView({ block: row.matches(".turn") ? "start" : "nearest" });
};
const open = () => {
  if (current === undefined) return;
  if (current.matches("[data-row]")) return current.querySelector("a")?.click();
  const folded = [...current.querySelectorAll("details")];
  const is_open = folded.some((details) => !details.open);
  for (const details of folded) details.open = is_open;
};
const press = (selector) => one(selector)?.click();
const help = make("dialog", { className: "keys" });
const KEYS = [
  ["/", "Search", () => {
    const field = one("[data-search]");
    field?.focus();
    field?.select();
  }],
  ["j", "Next", () => move(1)],
  ["k", "Previous", () => move(-1)],
  ["o", "Open", open],
  ["e", "Expand or collapse all", () => press("[data-expand]")],
  ["n", "Next hit", () => press("[data-hit=next]")],
  ["p", "Previous hit", () => press("[data-hit=previous]")],
  ["[", "Earlier", () => press("[data-step=earlier]")],
  ["]", "Later", () => press("[data-step=later]")],
  ["r", "Copy the resume command", () =>
    (current?.querySelector("[data-copy]") ?? one("[data-copy]"))?.click()],
  ["?", "Keys", () => help.open ? help.close() : help.showModal()],
];
const close = make("button", { textContent: "Close" });
close.addEventListener("click", () => help.close());
help.setAttribute("aria-labelledby", "keys");
help.append(
  make("h2", { textContent: "Keys", id: "keys" }),
  make("dl", {}, ...KEYS.flatMap(([key, text]) =>
    [make("dt", {}, make("kbd", {}, key)), make("dd", {}, text)])),
  close,
);
document.body.append(help);
const asks = make("button", { type: "button", className: "ask-keys", textContent: "Keys" });
asks.addEventListener("click", () => help.showModal());
one(".bar")?.append(asks);
addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey, isComposing } = event;
  if (ctrlKey || metaKey || altKey || isComposing || event.defaultPrevented) return;
  if (target.closest?.("input, select, textarea, [contenteditable]")) {
    if (key === "Escape") target.blur();
    return;
  }
  if (help.open && key !== "?") return;
  const known = KEYS.find(([name]) => name === key);
  if (known === undefined) return;
  event.preventDefault();
  known[2]();
});

const end = () => document.getElementById("end");
const isAtEnd = () => {
  const place = end()?.getBoundingClientRect();
  return place !== undefined && place.top <= innerHeight + 40;
};
// What the reader opened stays open.
const keepOpen = (before, after) => {
  const folded = after.querySelectorAll("details");
  for (const [at, details] of before.querySelectorAll("details").entries()) {
    if (folded[at] !== undefined) folded[at].open = details.open;
  }
  for (const name of ["found", "chosen"]) {
    if (before.classList.contains(name)) after.classList.add(name);
  }
};
const swap = (before, after) => {
  keepOpen(before, after);
  if (!before.isEqualNode(after)) before.replaceWith(after);
};
// A line behind a turn has no name of its own.
const named = (list) => {
  let last = "";
  return new Map([...list.querySelectorAll(".item")].map((item) => {
    last = item.id || last + "+";
    return [last, item];
  }));
};
const grow = (before, after) => {
  const [had, has] = [named(before), named(after)];
  const names = [...had.keys()];
  const from = names.indexOf(has.keys().next().value);
  if (from < 0) return swap(before, after);
  for (const name of names.slice(from)) if (!has.has(name)) had.get(name).remove();
  let last;
  for (const [name, item] of has) {
    const known = had.get(name);
    const turn = item.closest(".turn");
    if (known !== undefined) {
      const old = known.closest(".turn");
      swap(known, item);
      last = [known.isConnected ? known : item, old];
    } else if (item.previousElementSibling?.matches("h2")) {
      const made = turn.cloneNode();
      made.append(item.previousElementSibling, item);
      (last[1] ?? last[0]).after(made);
      last = [item, made];
    } else {
      last[0].after(item);
      last = [item, last[1]];
    }
  }
};
// The chosen row stays chosen, wherever it stands now.
const hrefOf = (row) => row.querySelector("a")?.getAttribute("href");
const chooseAgain = () => {
  if (current?.isConnected !== false) return;
  const row = all("[data-row]").find((one) => hrefOf(one) === hrefOf(current));
  if (row === undefined) return;
  current = row;
  row.classList.add("chosen");
  if (document.activeElement === document.body) row.querySelector("a").focus({ preventScroll: true });
};
const update = (page) => {
  const follows = isAtEnd();
  for (const before of all("[data-live]")) {
    const after = page.getElementById(before.id);
    if (after === null) continue;
    if (before.dataset.live === "grow") grow(before, after);
    else swap(before, after);
  }
  chooseAgain();
  dispatchEvent(new Event("updated"));
  if (follows) end().scrollIntoView({ block: "end" });
};
let busy = false;
let again = false;
let timer;
const refresh = async () => {
  again = true;
  if (busy) return;
  busy = true;
  try {
    while (again) {
      again = false;
      const response = await fetch(location.href.replace(/#.*/, ""));
      if (!response.ok) continue;
      update(new DOMParser().parseFromString(await response.text(), "text/html"));
    }
  } catch {
    // The server has ended, or the page is being left: the next message asks again.
  }
  busy = false;
  clearTimeout(timer);
  // A session is called running for a minute after its last change.
  if (one(".running") !== null) timer = setTimeout(refresh, 65000);
};
const address = document.body.dataset.events;
let source;
// A browser allows six connections to one server, so a hidden page gives up its own.
const listen = () => {
  source?.close();
  if (document.hidden) return;
  source = new EventSource(address);
  source.addEventListener("changed", refresh);
};
if (address !== undefined) {
  listen();
  document.addEventListener("visibilitychange", listen);
}
})();
`,Oo=`
.stats .filter{max-width:44rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.7rem;margin:0 0 1.2rem}
.tiles div{background:var(--card);border-radius:.5rem;padding:.6rem .9rem}
.tiles dt{font-size:.8rem;color:var(--muted)}
.tiles dd{margin:0;font-size:1.35rem;font-weight:600;line-height:1.3}
.tiles .change{display:block;font-size:.78rem;font-weight:400;color:var(--muted)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:0 1.5rem}
.chart{margin:0 0 1.2rem;min-width:0}
.chart svg{display:block}
.charts .heat{grid-column:1/-1}
.chart rect{fill:var(--link)}
.chart rect:hover{fill:var(--text)}
.chart line{stroke:var(--line)}
.chart .base{stroke:var(--muted)}
.chart text{fill:var(--muted);font-size:11px}
.chart figcaption{margin:0 0 .35rem;font-size:.95rem;font-weight:600;color:var(--text)}
.chart .heat-0{fill:var(--code)}
.chart .heat-1{fill-opacity:.25}
.chart .heat-2{fill-opacity:.5}
.chart .heat-3{fill-opacity:.75}
.sums{width:100%}
.sums td,.sums th{white-space:nowrap;font-size:.9rem}
.wide .sums th,.wide .sums td{border-width:0 0 1px;padding:.25rem .6rem .25rem 0;min-width:0;background:none}
.sums td.name,.sums th.name{white-space:normal;text-align:start;min-width:7rem;overflow-wrap:anywhere}
.sums td:not(.name),.sums th:not(.name){text-align:end;font-variant-numeric:tabular-nums}
.shares{max-width:36rem;border-collapse:collapse}
.shares td,.shares th{border-bottom:1px solid var(--line);padding:.25rem .6rem .25rem 0;font-weight:400}
.shares thead th{font-weight:600}
.sums .share{display:block;width:100%;min-width:3rem;height:.3rem;fill:var(--link)}
.days>summary{cursor:pointer;margin:0 0 .8rem}
@media (max-width:40rem){.sums .rare{display:none}}
`;function k(t,e={},n=""){return`session?${new URLSearchParams({ref:t,...e})}${n===""?"":`#${n}`}`}var jn=`${Re}
.site{display:block;max-width:76rem}
.bar{display:flex;flex-wrap:wrap;gap:.4rem 1.2rem;align-items:baseline;padding:1rem 0;border-bottom:1px solid var(--line);margin-bottom:1.2rem;grid-column:1/-1}
.bar b{font-size:1.05rem}
.bar a{padding:.25rem 0}
.bar [aria-current]{color:var(--text);font-weight:600;text-decoration:none}
.bar button{font:inherit;font-size:.85rem;color:var(--link);background:none;border:1px solid var(--line);border-radius:.35rem;padding:.15rem .6rem;cursor:pointer;margin-inline-start:auto}
.chosen{box-shadow:-.3rem 0 var(--page),-.5rem 0 var(--link)}
.keys{border:1px solid var(--line);border-radius:.5rem;background:var(--page);color:var(--text);padding:1.2rem 1.5rem}
.keys::backdrop{background:rgb(0 0 0/.4)}
.keys h2{margin:0 0 .6rem}
.keys dl{display:grid;grid-template-columns:auto 1fr;gap:.35rem 1rem}
.keys dd{margin:0}
.keys kbd{font:inherit;font-family:ui-monospace,monospace;border:1px solid var(--muted);border-radius:.25rem;padding:.05rem .45rem}
.keys button{font:inherit;padding:.3rem 1rem}
.site h1{font-size:1.5rem;margin:0 0 .8rem}
.site h2{font-size:1.15rem}
.served .bar{margin-bottom:0;padding:.6rem 0}
.served .top{padding:.8rem 0 .6rem;margin:0}
.served .top h1{font-size:1.25rem;margin:0;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
.title{display:flex;flex-wrap:wrap;gap:.3rem 1rem;align-items:start;justify-content:space-between}
.title h1{flex:1 1 16rem}
.acts{display:flex;gap:.5rem}
.acts button{font:inherit;font-size:.85rem;color:var(--link);background:none;border:1px solid var(--line);border-radius:.35rem;padding:.2rem .7rem;cursor:pointer}
.copied::after{content:" ✓"}
@media (scripting:none){[data-copy]{display:none}}
.top .meta{display:flex;flex-wrap:wrap;gap:.1rem .9rem;margin:.3rem 0 0;color:var(--muted);font-size:.86rem}
.top .meta b:first-child{color:var(--text)}
.under{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:.3rem 0 0;font-size:.86rem}
.more[open]{flex:1 0 100%}
.more summary{cursor:pointer;color:var(--muted)}
.more .facts{margin:.5rem 0}
.top .note{margin:.3rem 0 0}
.top .threads{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;margin:0;font-size:1em}
@media (max-width:40rem){
.top .where{display:none}
.more{flex:none}
.under:not(:has([open])){flex-wrap:nowrap}
.top .threads{flex-wrap:nowrap;overflow-x:auto;white-space:nowrap}
}
.pages [aria-current]{color:var(--text);font-weight:600;text-decoration:none}
@media (min-width:64rem){
.served .top{grid-row:2}
.served main,.served .contents{grid-row:3}
.to-contents{display:none}
}
${ko}
${Oo}
${Eo}`,Rn=["form-action 'self'","connect-src 'self'"],Nt=At({style:jn,script:Nn},Rn),wt={"cache-control":"no-store","cross-origin-opener-policy":"same-origin","cross-origin-resource-policy":"same-origin","referrer-policy":"no-referrer","x-content-type-options":"nosniff","x-frame-options":"DENY"},Mo=[["sessions","./","Sessions"],["stats","stats","Statistics"]];function O({title:t,place:e,body:n,status:o=200,events:r,rest:s},a){let i=c`${Nt.head({title:`${t} · Reprise`,generator:`reprise ${a}`})}
<body class="site" id="top"${Dn(r)}>
${Un(e)}
<main id="main">
${n}
`,d=c`</main>
${Nt.script}</body>
</html>
`,l=Jt(c`${i}${d}`,Nt.policy,o);if(s===void 0)return l;let m=In(async function*(p){yield i.markup;for await(let u of s(p))yield u.markup;yield d.markup});return{...l,body:m}}function Dn(t){return t===void 0?f:c` data-events="${t}"`}function Un(t){let e=Mo.map(([n,o,r])=>n===t?c`<a href="${o}" aria-current="page">${r}</a>`:c`<a href="${o}">${r}</a>`);return c`<nav class="bar" aria-label="Reprise"><b>Reprise</b> ${h(e," ")}</nav>`}function Jt(t,e,n=200){return{status:n,headers:{...wt,"content-security-policy":`${e}; frame-ancestors 'none'`,"content-type":"text/html; charset=utf-8"},body:t.markup}}function _o(t){return{status:200,headers:{...wt,"content-type":"text/event-stream"},body:t}}function zn(t){return{...Fn(303,"Elsewhere"),headers:{...wt,location:t}}}function Fn(t,e){let n={...wt,"content-security-policy":"default-src 'none'; frame-ancestors 'none'","content-type":"text/plain; charset=utf-8"};return{status:t,headers:t===405?{...n,allow:"GET, HEAD"}:n,body:`${e}
`}}var Lo=["GET","HEAD"],Co=["index"],Ft="same-origin",Po=["none",Ft],Bn="reprise",Io=class{#t;#e=!1;constructor(t){this.#t=t}get set_cookie(){let{token:t,cookie:e}=this.#t;return`${Bn}=${e}; Path=/${t}/; HttpOnly; SameSite=Strict`}admit(t){let{authority:e,token:n,cookie:o}=this.#t;if(t.header("host")!==e)return z("it was sent to another host");let[,r="",s="",a=""]=/^\/([^/?#]*)\/([^?#]*)(?:\?([^#]*))?$/.exec(t.target)??[],i=t.method==="POST"&&Co.includes(s),d=t.header("sec-fetch-site"),l=t.header("origin"),m=i&&l==="null"&&d===Ft;if(l!==void 0&&l!==`http://${e}`&&!m)return z("another site sent it");if(!on(r,n))return z("its address has no valid token");if(!i&&!Lo.includes(t.method))return{status:405,reason:"Cannot do that: pages can only be read"};let p=new URLSearchParams(a);return No(t).some(u=>on(u,o))?i&&d!==Ft?z("no page of this server sent it"):d!==void 0&&!Po.includes(d)?z("another site led here: paste the address into a new tab"):{path:s,query:p,enters:!1,acts:i}:this.#e||t.method!=="GET"?z("its address was used; for a new one: reprise open"):(this.#e=!0,{path:s,query:p,enters:!0,acts:i})}};function No(t){return(t.header("cookie")??"").split(";").flatMap(e=>{let[n="",o=""]=e.trim().split("=",2);return n===Bn?[o]:[]})}function z(t){return{status:403,reason:`Cannot answer the request: ${t}`}}function on(t,e){return Ao(rn(t),rn(e))}function rn(t){return Ho("sha256").update(t).digest()}var j={"1d":{days:1,name:"last day"},"7d":{days:7,name:"last 7 days"},"30d":{days:30,name:"last 30 days"},"90d":{days:90,name:"last 90 days"},"365d":{days:365,name:"last year"}},Ro=1e3,Wn={q:"words",agent:"agent",project:"project",since:"span",until:"until",file:"file",tag:"tag",branch:"branch",model:"model",pinned:"pinned",archived:"archived",gone:"gone",role:"role",tool:"tool",path:"path"},Gn=["pinned","archived","gone"],Yn={agent:[ve,"the name of an agent"],since:[t=>Object.hasOwn(j,t)||Bt(t),`${Object.keys(j).join(", ")}, or a day such as 2026-11-21`],until:[Bt,"a day such as 2026-11-21"],role:[t=>lt.includes(t),lt.join(", ")],...Object.fromEntries(Gn.map(t=>[t,[e=>e==="1","1"]]))};function Bt(t){return/^\d{4}-\d\d-\d\d$/.test(t)&&(new Date(`${t}T00:00Z`).toJSON()?.startsWith(t)??!1)}function Kn(t){let e=Object.entries(Wn).flatMap(([n,o])=>{let r=qn(t,n);return r===""||!Vn(n,r)?[]:[[o,Gn.includes(n)?!0:r]]});return Object.fromEntries(e)}function Do(t){return Object.entries(Yn).flatMap(([e,[,n]])=>{let o=qn(t,e);return o===""||Vn(e,o)?[]:[`Ignored ${e}=${o}: give ${n}`]})}function qn(t,e){return(t.get(e)??"").trim().slice(0,Ro)}function Vn(t,e){return Yn[t]?.[0](e)??!0}function P(t,e={}){let n=Object.entries(Wn).map(([r,s])=>{let a=t[s];return[r,a===!0?"1":a]}),o=Object.entries(A({...Object.fromEntries(n),...e})).filter(r=>r[1]!==void 0&&r[1]!=="");return o.length===0?"":`?${new URLSearchParams(o)}`}function bt({span:t=""},e){let{days:n}=j[t]??{};return n!==void 0?new Date(e.getTime()-n*864e5):Bt(t)?new Date(`${t}T00:00`):void 0}function Uo({until:t}){return t===void 0?void 0:new Date(`${t}T23:59:59.999`)}function Qt(t){return c`<span class="badge hue${zo(t)}">${b(t)}</span>`}function zo(t){let e=0;for(let n of t)e=(e*31+(n.codePointAt(0)??0))%997;return e%Pn.length}function ht(t,{now:e,format_time:n}){return t===void 0?f:c`<span title="${ce(t,n)}">${V(t,pe(e().getTime()))}</span>`}function Zn(t){return c`<a class="tag" href="./${P({tag:t})}">#${b(t)}</a>`}function Jn(t){let e=t.split(/[/\\]/).filter(n=>n!=="");return e.length<=2?t:e.slice(-2).join("/")}function Qn(t){return`reprise resume ${_t(t)}`}var Wt=500,Fo=2e6,Bo=1e3,Wo=120;function Xt(t,e,n=1){let o=n===1?{}:{from:String(n)};return`blame?${new URLSearchParams({ref:t,file:e,...o})}`}async function Go(t,e){let{ref:n,handle:o}=await t.sessions.open(e.get("ref")??""),r=e.get("file")??"",{cwd:s,files:a}=await It(o),i=a.find(({path:$})=>$===r||st($,s)===r);if(i===void 0)throw new I("not-found",`Cannot blame ${r}: the session did not change it`);let d=st(i.path,s),l=`Blame of ${b(d)}`,m=Yo(i.path,s),p=c`<h1 dir="auto">${l}</h1>
<p class="note">Each line has the prompt that wrote it. <a href="./${P({file:d})}">All sessions that changed it</a> · <a href="files?${new URLSearchParams({ref:n}).toString()}">Changed files</a> · <a href="${k(n)}">Back to the session</a></p>`,u={title:l,place:"session"};if("reason"in m){let $=Xn(`Cannot show it here: ${m.reason}`,i.path);return O({...u,body:c`${p}\n${$}`},t.version)}let g=/^[1-9]\d{0,8}$/.test(e.get("from")??"")?Number(e.get("from")):1,v=Ae(m.text).length,y=Math.min(g,Math.max(1,v)),S={ref:n,name:d,path:m.path,count:v,from:y};return O({...u,body:p,rest:$=>Ko(t,S,$)},t.version)}function Yo(t,e){if(e===void 0)return{reason:"the session's directory is not known"};let n=fe(e),{name:o,reason:r}=en(n,e,t);if(o===void 0)return{reason:r};let s=tn(n,o);if(s.reason!==void 0)return{reason:s.reason};let{content:a}=s;return a===null?{reason:"the file is gone"}:typeof a!="string"||a.includes("\0")?{reason:"it is no text"}:a.length>Fo?{reason:"it is too long"}:{path:jo(n,o),text:a}}function Xn(t,e){return c`<p class="notice">${b(t)}. The command line may tell more: <code>reprise blame ${_t(e)}</code></p>`}async function*Ko(t,e,n){let{path:o,count:r,from:s}=e;if(r===0)return yield c`<p class="note">The file is empty.</p>`;let a=new Set,i="",d=Le(t.library,o,{lines:{from:s,to:s+Wt-1},variable:t.library.place.environment.variable,now:t.now().getTime(),signal:n,onError:({message:l})=>a.add(l),onProgress:(l,m)=>i=`: ${l} of ${m}`});for await(let l of Zt(d))yield c`<section class="stage"><p class="note" role="status">Reading sessions${i}</p></section>\n`;try{let l=await d,m=[...a].map(p=>c`<p class="notice">${b(p)}</p>\n`);yield c`<section class="stage" aria-label="Lines">${h(m)}${qo(t,e,l)}</section>`}catch(l){if(n.aborted)return;yield c`<section class="stage">${Xn(at(l),o)}</section>`}}function qo(t,e,{lines:n,untracked:o}){let{name:r,count:s,from:a}=e,i=n.map(({text:u})=>ie(b(u.replaceAll("	","    ")),Bo)),d=qe(i,de(r)),l=n.filter(({edit:u})=>u!==void 0),m=new Set(l.map(({edit:u})=>u?.ref)).size,p=Ce(n).map(u=>Vo(t,u,d.slice(u.from-a)));return c`<p class="note">Lines ${a} to ${a+n.length-1} of ${s}: ${E(m,"session")} wrote ${l.length} of them.${o?" Git does not know the file: only sessions tell who wrote it.":""}</p>
${sn(e,"above")}<div class="blame"><table><caption class="unseen">Lines of ${b(r)}</caption><colgroup><col><col><col></colgroup>
<thead><tr><th scope="col">Written by</th><th scope="col">Line</th><th scope="col">Text</th></tr></thead>
<tbody>
${h(p)}</tbody></table></div>
${sn(e,"below")}`}function sn({ref:t,name:e,count:n,from:o},r){let s=(i,d,l)=>i<1||i>n?f:c`<a data-step="${d}" href="${Xt(t,e,i)}">${l}</a>`,a=h([s(o===1?0:Math.max(1,o-Wt),"earlier","Earlier lines"),s(o+Wt,"later","Later lines")]);return a.markup===""?f:c`<nav class="pages" aria-label="Pages of the file, ${r}">${a}</nav>\n`}function Vo(t,e,n){let o=e.lines.length,r=c`<td class="by" rowspan="${o}">${Jo(t,e)}</td>`;return h(e.lines.map((s,a)=>{let i=e.from+a,d=e.edit===void 0?"nobody":e.grade;return c`<tr class="${a===0?"first ":""}${d}"${a===0?c` data-row`:f}>${a===0?r:f}<td>${i}</td><td>${n[a]??f}</td></tr>\n`}))}var Zo={order:"the recorded change does not give the line in this place","white-space":"it was written with other white space",several:"another session wrote it, too",elsewhere:"it was written in another directory","equal-lines":"a line like it may be the one that was written"};function Jo(t,{edit:e,grade:n,doubt:o}){if(e===void 0)return f;let{session:r,ref:s,thread:a,seq:i,time:d,model:l,prompt:m}=e,p=D(m?.text??"",Wo)||"(no prompt)",u=Number.isNaN(d)?void 0:new Date(d).toISOString(),g=o===void 0?"":Zo[o];return c`<div>${Qt(r.agent)}<a href="${k(s,A({thread:a,seq:String(i)}),`e${i}`)}" dir="auto" title="${p}">${p}</a>${n==="likely"?c`<span title="${g}">likely</span>`:f}${l===void 0?f:c`<span class="model" title="${l}">${b(l)}</span>`}${ht(u,t)}</div>`}var Gt=864e5,Qo=6,Xo=400,te=150,B=16,tr=22,R=te-B-tr;function an(t,e,{first:n,last:o,format:r}){let[s,a]=[Date.parse(n),Date.parse(o)],i=Math.round((a-s)/Gt)+1,d=Math.max(0,...e.map(({value:w})=>w));if(!(i>0)||d===0)return f;let l=or(d),m=Math.ceil(i/Xo),p=Math.ceil(i/m),u=100/p,g=new Map;for(let{day:w,value:$}of e){let M=Math.floor((Date.parse(w)-s)/Gt/m),H=g.get(M)??{value:0,day:w};g.set(M,{...H,value:H.value+$})}let v=[...g].filter(([w,{value:$}])=>w>=0&&w<p&&$>0).map(([w,{value:$,day:M}])=>{let H=Math.max(1,$/l*R),x=u>.6?u*.12:0;return c`<rect x="${W(w*u+x/2)}" y="${Q(B+R-H)}" width="${W(u-x)}" height="${Q(H)}"><title>${M}: ${r($)}</title></rect>`}),y=e.reduce((w,$)=>$.value>w.value?$:w),S=`${t} from ${n} to ${o}; the highest is ${r(y.value)} on ${y.day}`;return c`<figure class="chart"><figcaption>${t}</figcaption>
<svg width="100%" height="${te}" role="img" aria-label="${S}">
${[l,l/2].map(w=>{let $=Q(B+R-w/l*R);return c`<line x1="0" x2="100%" y1="${$}" y2="${$}"></line><text x="0" y="${Q(Number($)-3)}">${r(w)}</text>`})}
<line class="base" x1="0" x2="100%" y1="${B+R}" y2="${B+R}"></line>
${h(v)}
${h(nr(s,i).map(w=>er(w,i)))}
</svg></figure>`}function er({at:t,name:e},n){let o=W(t/n*100),r=B+R,s=t/n>.92?"end":"start";return c`<line class="base" x1="${o}" x2="${o}" y1="${r}" y2="${r+5}"></line><text x="${o}" y="${te-5}" text-anchor="${s}">${e}</text>`}function nr(t,e){let n=Array.from({length:e},(m,p)=>({at:p,date:new Date(t+p*Gt)})),o=n.filter(({date:m})=>m.getUTCDate()===1),r=n.filter(({date:m})=>m.getUTCDay()===1),[s,a]=o.length>=3?[o,{month:"short"}]:[r.length>=3?r:n,{month:"short",day:"numeric"}],i=Math.ceil(s.length/Qo),d=new Intl.DateTimeFormat("en",{...a,timeZone:"UTC"}),l=new Intl.DateTimeFormat("en",{month:"short",year:"2-digit",timeZone:"UTC"});return s.filter((m,p)=>p%i===0).map(({at:m,date:p})=>({at:m,name:e>400?l.format(p):d.format(p)}))}function or(t){let e=10**Math.floor(Math.log10(t));return([1,2,4,6,8,10].find(n=>n*e>=t)??10)*e}var dt=["Mon","Tue","Wed","Thu","Fri","Sat","Sun"],F=24,mt=20,jt=18,Yt=9,Rt=(100-Yt)/F,rr=4;function sr(t,e,n){let o=Math.max(0,...e);if(o===0)return f;let r=l=>`${dt[Math.floor(l/F)]} ${String(l%F).padStart(2,"0")}:00`,s=Array.from({length:dt.length*F},(l,m)=>{let p=e[m]??0,u=Math.ceil(Math.sqrt(p/o)*rr);return c`<rect class="heat-${u}" x="${W(Yt+m%F*Rt)}" y="${jt+Math.floor(m/F)*mt}" width="${W(Rt-.3)}" height="${mt-2}"><title>${r(m)}: ${n(p)}</title></rect>`}),a=dt.map((l,m)=>c`<text x="0" y="${jt+m*mt+13}">${l}</text>`),i=[0,6,12,18].map(l=>c`<text x="${W(Yt+l*Rt)}" y="11">${String(l).padStart(2,"0")}</text>`),d=`${t}; the most is ${n(o)} on ${r(e.indexOf(o))}`;return c`<figure class="chart heat"><figcaption>${t}</figcaption>
<svg width="100%" height="${jt+dt.length*mt}" role="img" aria-label="${d}">
${h(i)}${h(a)}
${h(s)}
</svg></figure>`}function gt(t,e){return e<=0?f:c`<svg class="share" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect width="${Q(t/e*100)}" height="10"></rect></svg>`}function W(t){return`${t.toFixed(3)}%`}function Q(t){return t.toFixed(1)}async function ar(t,e){let n=await t.sessions.open(e.get("ref")??"",e.get("thread")??void 0),{ref:o,handle:r,thread:s,summary:a}=n,i=await r.context(s),d=`Context of ${N((await a()).summary)}`,l=i.dropped.map(u=>lr(o,s,u,t)),m=Math.max(...i.shares.map(({tokens:u})=>u)),p=c`<h1 dir="auto">${d}</h1>
<p>The model has ${E(i.messages,"message")}, about ${T(i.tokens)} tokens${ir(i)}.</p>
<table class="sums shares">
<thead><tr><th class="name" scope="col">Part</th><th scope="col">Count</th><th scope="col">Tokens</th></tr></thead>
<tbody>
${h(i.shares.map(u=>cr(u,m)),`
`)}
</tbody>
</table>
<h2>Dropped</h2>
${l.length===0?c`<p>Nothing was dropped.</p>`:c`<ul class="rows">\n${h(l,`
`)}\n</ul>`}
<p class="note">Tokens are estimated: four characters a token. <a href="${k(o,s)}">Back to the session</a></p>`;return O({title:d,place:"session",body:p},t.version)}function ir({recorded_tokens:t,window_tokens:e}){if(t===void 0)return f;let n=e===void 0?"":` of ${T(e)}`;return c`; the last request took ${T(t)}${n}, with instructions and tools that are not in the session`}function cr({kind:t,count:e,tokens:n},o){return c`<tr><th class="name" scope="row">${je(t)}</th><td>${String(e)}</td><td>${T(n)}${gt(n,o)}</td></tr>`}function lr(t,e,{number:n,from_seq:o,seq:r,time:s,reason:a,messages:i,tokens:d},{format_time:l}){let m=`${n}. ${E(i,"message")}, about ${T(d)} tokens`,p=k(t,{...e,seq:String(o)},`e${o}`);return c`<li><a href="${p}"><span>${m}</span></a><p class="meta"><span>${a} at #${String(r)}</span>${V(s,l)}</p></li>`}var pt=50;async function ee(t,{kept:e,changes:n}){let o=new Map((await Et(t)).map(s=>[s.ref,s]));if(!n)return o;let r=new Se(e);for(let s of t){let a=o.get(s.ref),i=a&&dr(r.findWork(s.session));a!==void 0&&i!==void 0&&o.set(a.ref,{...a,changes:i})}return o}function dr(t){if(t===void 0)return;let e=new Set(t.files.map(([n])=>n)).size;return{files:e,more:e===Te,added:t.files.reduce((n,[,,,o])=>n+o,0),removed:t.files.reduce((n,[,,,,o])=>n+o,0)}}var mr=16*1024*1024;async function pr({library:t}){let{kept:e}=t;if(e.folder===void 0)return!1;let{entries:n}=await t.query({limit:pt}),o=await ee(n,{kept:e,changes:!0}),r=n.filter(({ref:i})=>o.get(i)?.changes===void 0);if(r.length===0)return!1;let{estimate:s}=await q();return(await ct(r,{estimate:s,kept:e,dayOf:Tt,work:!0,most_bytes_read:mr})).length>0}async function ur(t,e){let n=e.get("ref"),o=n===null?void 0:await t.sessions.open(n,e.get("thread")??void 0);return _o(In(async function*(r){let s=o?.handle.changes(r)??gr(t,r);for await(let a of s)yield`event: changed
data: 1

`}))}var fr=300,hr=5e3;async function*gr(t,e){let n=Promise.withResolvers(),o=()=>n.resolve();e.addEventListener("abort",o);using r=new Je(it,t.library.place.environment,{onChange:o,onLost:o});r.look();let s=setInterval(()=>r.look(),hr);pr(t).then(a=>a&&o(),()=>{});try{for(;!e.aborted;)n=Promise.withResolvers(),yield,await n.promise,await rt(fr,e)}finally{clearInterval(s)}}var vr=1500;async function $r(t,e){let{ref:n,handle:o,summary:r}=await t.sessions.open(e.get("ref")??""),{cwd:s,files:a}=await It(o),i=`Files of ${N((await r()).summary)}`,d=c`<h1 dir="auto">${i}</h1>
${a.length===0?c`<p class="note">The session changed no file.</p>`:wr(n,a,s)}
<p class="note"><a href="${k(n)}">Back to the session</a></p>`;return O({title:i,place:"session",body:d},t.version)}function wr(t,e,n){let o=Z({tools:"full",blame:s=>Xt(t,s)}),r=vr;return h(e.map(s=>{let{added:a,removed:i,lines:d}=Qe(s);return r-=d.length,Ge({type:"diff",seq:0,path:st(s.path,n),fold:Ee.diff,added:a,removed:i,lines:r<0?[]:d.map(yr)},o)}),`
`)}var br={"+":"added","-":"removed"};function yr(t){return t.startsWith("@@")?{kind:"hunk",content:t}:{kind:br[t[0]??""]??"context",content:t.slice(1)}}function xr(t,e,n){let o={characters:e,parts:n,is_full:!1};return{block:to(t,o),is_whole:!o.is_full}}function to(t,e){switch(t.type){case"prose":case"thinking":case"reminder":case"code":return{...t,text:cn(t.text,e)};case"command":return{...t,command:cn(t.command,e),content:Dt(t.content,e)};case"call":{let{input:n,...o}=t,s=n!==void 0&&ut(JSON.stringify(n)?.length??0,e)?n:void 0;return A({...o,input:s,content:Dt(t.content,e)})}case"message":case"attached":case"notice":return{...t,content:Dt(t.content,e)};case"diff":{let n=t.lines.filter(({content:o})=>ut(o.length,e,1));return{...t,lines:n}}case"attachment":{let{data:n,...o}=t.part;return n===void 0||ut(n.length,e)?t:{...t,part:o}}case"head":case"turn":return t}}function Dt(t,e){return t.flatMap(n=>ut(0,e,1)?[to(n,e)]:[])}function cn(t,e){let n=t.slice(0,Math.max(0,e.characters));return e.characters-=n.length,e.is_full||=n.length<t.length,n}function ut(t,e,n=0){return e.is_full||=t>e.characters||n>e.parts,e.is_full?!1:(e.characters-=t,e.parts-=n,!0)}var Sr=3e3,kr=2e5,Tr=2e3,Er=2e5,Or=class{#t=0;#e=0;takes(t){let e=this.#t===0;return this.#t+=ne(t)+Mr,this.#e+=t.markup.length,e||this.#t<=Sr&&this.#e<=kr}},Mr=3;function _r({html:t,is_whole:e}){return!e||t.markup.length>Er||ne(t)>Tr}var Hr={html:f,is_whole:!0};function Ar(t,e){let n=e===0?"":`: reprise show REF#${e} --full`;return c`<p class="notice">This is the beginning. The command line shows all of it${n}</p>${t}`}function Lr({html:t,is_whole:e},n){let o=`${e?"":"over "}${C(t.markup.length)}`;return c`<p class="note">This is long: <a href="${n}">show it by itself</a> (${o})</p>`}var ln=2e6,dn=6e3,Cr=4096;function eo(t,e){for(let n=1;;n*=2){let{block:o,is_whole:r}=xr(t,ln/n,dn/n),s=Ye(o,e);if(s.markup.length<=ln&&ne(s)<=dn||n>=Cr)return{html:s,is_whole:r}}}function ne({markup:t}){let e=0;for(let n=t.indexOf("<");n>=0;n=t.indexOf("<",n+1))t[n+1]!=="/"&&e++;return e}function Pr(t,e,n){let o=Ht(t);if(n.length===0||yt(o,n))return o;let r=oe(e,n);return r===void 0?o:c`<p class="label">Around the hit</p><pre>${r}</pre>${o}`}function yt({markup:t},e){let n=mn(t.replaceAll(/<[^>]*>/g,""));return e.some(o=>n.includes(mn(c`${o}`.markup)))}function mn(t){return t.replaceAll(/\s+/g," ").toLowerCase()}async function Ir({handle:t,thread:e},n,o){for await(let r of t.events(e)){let s=r.find(i=>i.seq===n);if(s===void 0)continue;let a=oe(Oe(s),o);return a===void 0?void 0:c`<div class="item is-hit" id="e${n}"><div class="body"><p class="label">Event #${n}, which is not shown as an item</p><pre>${a}</pre></div></div>\n`}}var pn=1e3;function oe(t,e){if(typeof t=="string"){let n=Math.min(...e.map(o=>t.indexOf(o)).filter(o=>o>=0));return n===1/0?void 0:t.slice(Math.max(0,n-pn),n+pn).toWellFormed()}if(!(typeof t!="object"||t===null))for(let n of Object.values(t)){let o=oe(n,e);if(o!==void 0)return o}}async function xt(t,e,n){let{items:o}=t;if(e<0){let i=o.progress.total===void 0?await Nr(t,e-1,n+1):void 0;if(i?.items.length===n+1)return{...i,items:i.items.slice(1),first:e};await o.readAll()}let r=e<0?(o.progress.total??0)+e:e,s=Math.max(0,r);return{items:await o.items(s,Math.max(0,r+n)-s),first:s,numbered:!0}}async function Nr({handle:t,items:e,thread:n,end:o},r,s){if(t.has_long_end)return await o.items(r,s);if(!(t.log===void 0||n.thread!==void 0||!await e.reach(r)))return{items:await e.items(r,s),first:r,numbered:!0}}var un=/^-?\d{1,9}$/,fn="the number of an item, or -1 for the last one",Kt={seq:[/^[1-9]\d{0,8}$/,"the number of an event"],from:[un,fn],before:[un,fn]};function G(t,e){let n=t.get(e)??"";return Kt[e][0].test(n)?Number(n):void 0}function jr(t){return Object.keys(Kt).flatMap(e=>{let n=(t.get(e)??"").slice(0,200);return n===""||G(t,e)!==void 0?[]:[`Ignored ${e}=${n}: give ${Kt[e][1]}`]})}function re(t){return(t.get("words")??"").split(`
`).filter(e=>e!=="")}var vt=100,Rr=100;function no({ref:t,thread:e},n,o){return`hit?${new URLSearchParams({ref:t,...e,words:n.join(`
`),...o})}`}async function Dr(t,e){let n=await t.sessions.open(e.get("ref")??"",e.get("thread")??void 0),{ref:o,thread:r}=n,s=re(e),a=G(e,"before"),i=G(e,"from")??0,d=a===void 0?await Ur(n,i,s):await zr(n,a,s);if(d!==void 0){let{item:u,seq:g}=d,v=g===void 0?{from:String(u)}:{seq:String(g)},y={...r,...v,words:s.join(`
`)};return zn(k(o,y,g===void 0?"":`e${g}`))}let l=a===void 0?"No later hit":"No earlier hit",m=a===void 0?{before:String(i)}:{from:String(a)},p=c`<h1>${l}</h1>
<p>The session has no further hit of “${D(b(s.join(" ")),Rr)}” there. <a href="${k(o,{...r,...m,words:s.join(`
`)})}">Back</a> · <a href="${no(n,s,{from:"0"})}">First hit of the session</a></p>`;return O({title:l,place:"session",body:p},t.version)}async function Ur(t,e,n){for(let o=e;;){let r=o<0?Math.min(vt,-o):vt,s=await xt(t,o,r),a=oo(s,n).at(0);if(o=s.first+s.items.length,a!==void 0||s.items.length<r||o===0)return a}}async function zr(t,e,n){for(let o=e;o!==0;){let r=o<0?vt:Math.min(vt,o),s=await xt(t,o-r,r),a=oo(s,n).at(-1);if(a!==void 0||s.items.length===0)return a;o=s.first}}function oo({items:t,first:e,numbered:n},o){let[r,s]=[new Ot({numbered:n}),Z({tools:"full"})],a=o.map(Fr);return t.flatMap((i,d)=>{let l=r.blockOf(i);return l===void 0||!ro(i,a)?[]:yt(Ht(eo(l,s).html),o)?[{item:e+d,seq:n?i.seq:void 0}]:[]})}function Fr(t){let[e=t]=(t.match(/[\p{L}\p{N}]+/gu)??[]).sort((n,o)=>o.length-n.length);return e}function ro(t,e){return typeof t=="string"?yt(c`${t}`,e):typeof t=="object"&&t!==null&&Object.values(t).some(n=>ro(n,e))}var Br=2e7;function Wr({library:t},e,n){if(t.cache===void 0||n<Br)return f;let o=C(n);return so(e,`This search read ${o} of sessions. An index makes searches fast.`)}function so(t,e){let n=`index?${new URLSearchParams({q:t})}`;return c`<form class="build" method="post" action="${n}"><p>${e} <button type="submit">Build the index</button></p></form>\n`}var $t={title:"Search index",place:"session"},se=c`<h1>Search index</h1>`,ao=c`${se}\n<p class="notice">The cache is switched off, so there is no index.</p>\n`;async function Gr({library:t,version:e},n){if(t.cache===void 0)return O({...$t,body:ao},e);let o=Xe(t.cache,await t.sessions()),r=Yr(o),s=c`${se}
<p>The index holds the words of sessions, so that a search need not read them. It stays on this machine, in the cache folder.</p>
${o.state==="current"?c`<p>${r}</p>\n`:so(n.get("q")??"",r)}<p><a href="./">All sessions</a></p>`;return O({...$t,body:s},e)}function Yr({state:t,sessions:e,bytes:n,behind_sessions:o,behind_bytes:r}){if(t==="absent")return"There is no index yet.";if(t==="damaged")return"The index is damaged, and is not used.";let s=`The index has ${E(e,"session")} and takes ${C(n)}.`;if(t==="current")return s;let a=`${C(r)} of ${E(o,"session")}`;return`${s} It lacks ${a}.`}async function Kr(t,e){let{cache:n,kept:{folder:o,version:r}}=t.library;if(n===void 0)return O({...$t,body:ao},t.version);let s=e.get("q")??"",a=s===""?c`<a href="./">All sessions</a>`:c`<a href="./?${String(new URLSearchParams({q:s}))}">Search again: ${s}</a>`,i={cache:n,kept:A({folder:o,version:r}),sessions:await t.library.sessions()};return O({...$t,body:se,rest:async function*(){let l,m=ke("search/index/update_worker",i,p=>{l=p});for await(let p of Zt(m))yield hn(l);yield hn(l),yield c`<p class="stage">${qr(l)} ${a}</p>\n`}},t.version)}function hn(t){if(t===void 0)return f;let{done:e,all:n}=t;return c`<p class="stage"><progress max="${n}" value="${e}" aria-label="Index"></progress> Reading ${C(e)} of ${C(n)}</p>\n`}function qr(t){let{result:e}=t??{};return e===void 0?"Cannot build the index; to see why: reprise index build":e.state==="locked"?"Another process builds the index now.":`The index is complete: ${C(e.read_bytes)} of sessions were read.`}async function Vr({library:t},e){let n=e.get("ref")??"",{entries:o}=await t.query({}),r=o.findIndex(a=>a.ref===n);if(r<0)throw new I("not-found",`Cannot find session "${n}" in the list`);let s=o[r+(e.get("to")==="newer"?-1:1)];return zn(s===void 0?"./":k(s.ref))}async function Zr(t,e){let{estimate:n}=await q(),o=new Ve(n),r=[],s=new Set([...be,"user_message"]);for await(let i of t.events({...e,needs:s}))for(let d of i){let l=o.take(d);l!==void 0&&r.push(l)}let a=o.end();return a===void 0?r:[...r,a]}var Jr=class{#t;#e=!0;constructor(t){this.#t=t}before(t){let e=this.#t.filter(({seq:r})=>r<t.seq);this.#t=this.#t.slice(e.length);let n=t.type==="message"&&t.role==="user",o=this.#e?e.slice(n?-1:e.length):e;return this.#e=!1,o.map(Ct)}rest(){return this.#t.map(Ct)}},Y=150,gn=18e4,Qr=50;async function tt(t,e,n,o=!1){let{items:r}=t;if(e<0){let i=await xt(t,e,o?1:Math.min(Y,-e));if(i.first>=0)return await tt(t,i.first,n,o);let d=new qt(n,{first:e,numbered:i.numbered,whole:o});return i.items.every(l=>d.takes(l)),d.done(d.end<0)}let s=new qt(n,{first:e,prompts:co(r,e),whole:o}),a=o?1:Qr;for(let i=e;;i+=a){let d=await r.items(i,a+1),l=d.slice(0,a).some(p=>!s.takes(p)),m=l||d.length>a;if(!m||l||o||s.end-e>=Y)return s.done(m)}}var Xr=10;async function ts(t,e){let{item:n}=e.hit,o=t.items.prompts.findLast(a=>a.item<=n)?.item??0,r=Math.max(o,n-Xr),s=await tt(t,r,e);return s.end>n?s:await tt(t,n,e)}async function io(t,e,n){let o=(e??0)-Y,r=e===void 0||e<0?o:Math.max(0,o),s=await xt(t,r,(e??0)-r);for(let a=es(s.items);;){let i=s.first+s.items.length-a.length,{items:d}=t,l=i<0?{}:{prompts:co(d,i)},m=new qt(n,{first:i,numbered:s.numbered,...l});if(!a.some(u=>!m.takes(u)))return m.done(m.end!==(i<0?0:d.progress.total));a=a.slice(i-m.end)}}function es(t){let e=gn,n=t.findLastIndex(o=>{let r=ye({payload:o});return r<gn&&(e-=r),e<0});return t.slice(Math.min(n+1,t.length-1))}function co({prompts:t},e){return t.filter(({item:n})=>n<e).length}async function ns(t,e){let n=t.prompts.findLast(o=>o.seq<=e);for(let o=n?.item??0;;o+=Y){let r=await t.items(o,Y),s=r.findIndex(a=>Math.max(a.seq,a.end_seq??0)>=e);if(s>=0)return o+s;if(r.length<Y)return}}var qt=class{#t;#e;#n;#o;#r;#c;#s;#a;#d=new Or;#i=[];end;constructor({view:t,link:e,turns:n,hit:o},{first:r,prompts:s,whole:a=!1,numbered:i=!0}){this.#t=this.end=r,this.#e=a,this.#n=t(),this.#o=e,this.#r=o,this.#c=new Ot({numbered:i}),this.#s=new Ke(this.#n,{turns:s}),this.#a=new Jr(n)}takes(t){let e=this.#c.blockOf(t),n=e===void 0?Hr:eo(e,this.#n),o=this.#r?.item===this.end?this.#r:void 0,r=!this.#e&&o===void 0&&_r(n);if(!r&&!this.#d.takes(n.html))return!1;let s=r?Lr(n,this.#o(this.end)):n.is_whole?n.html:Ar(n.html,t.seq);if(this.#l(this.#a.before(t)),e!==void 0){let a=o===void 0?s:Pr(s,e,o.words);this.#i.push(this.#s.add(e,a))}return this.end++,!0}#l(t){for(let e of t)this.#i.push(this.#s.add(e))}done(t){t||this.#l(this.#a.rest());let e={html:c`${h(this.#i)}${this.#s.end()}`,contents:this.#s.contents,first:this.#t,end:this.end};return t?{...e,next:this.end}:e}},os=c`<p class="note">Tokens and cost are counted by <a href="stats?since=all">Statistics</a>.</p>\n`;async function rs(t,e){let{summary:n,is_counted:o}=await t.summary(),{note:r}=n,s=Z({tools:"full",format_time:e.format_time});return c`<header class="top" id="head" data-live="">
<div class="title"><h1 dir="auto">${N(n)}</h1>${ss(n)}</div>
${await as(t,n,e)}
${r===void 0?f:c`<p class="note" dir="auto">${r}</p>\n`}${o?f:os}<div class="under"><details class="more"><summary>Details</summary>${Ue(Be(n,s))}</details>
${cs(t,n)}</div></header>`}function ss({ref:t}){return c`<span class="acts"><button type="button" data-copy="${Qn(t)}">Copy resume command</button><button type="button" data-copy="${t}">Copy name</button></span>`}async function as(t,e,{format_time:n,home:o}){let{agent:r,models:s=[],message_count:a,usage:i,status:d,updated_at:l,cwd:m,git_branch:p}=e,u=U(e),g=[c`<b>${b(r)}</b>`,d==="running"?c`<b class="ok running">running</b>`:f,e.pinned?c`<b>pinned</b>`:f,s.length===0?f:c`<span>${b(s.join(", "))}</span>`,a===void 0?f:c`<span>${E(a,"message")}</span>`,i?.output===void 0?f:c`<span>${T(i.output)} tokens out</span>`,u===""?f:c`<span>${u}</span>`,is(t,await t.context()),V(l,n),m===void 0?f:c`<span class="where">${L(m,o)}</span>`,p===void 0?f:c`<span class="where">${b(p)}</span>`,...(e.tags??[]).map(Zn)];return c`<p class="meta">${h(g.filter(({markup:v})=>v!==""))}</p>`}function is({ref:t,thread:e},n){let{tokens:o=0,recorded_tokens:r=o,window_tokens:s}=n??{},a=n===void 0?"context":`${T(r)}${s===void 0?"":` of ${T(s)}`} in context`;return c`<a href="context?${new URLSearchParams({ref:t,...e}).toString()}">${a}</a>`}function cs({ref:t,thread:e},n){let o=e.thread===void 0?f:c`<span>This is the thread ${e.thread}.</span><a href="${k(t)}">The main one</a>`,r=s=>`neighbour?${new URLSearchParams({ref:n.ref,to:s})}`;return c`<nav class="threads" aria-label="Session"><a class="to-contents" href="#contents">Contents</a>${o}<a href="threads?${new URLSearchParams({ref:t}).toString()}">Threads</a><a href="files?${new URLSearchParams({ref:t}).toString()}">Changed files</a><a data-step="earlier" href="${r("newer")}">Newer session</a><a data-step="later" href="${r("older")}">Older session</a></nav>\n`}var Ut=At({style:jn,script:ze+Nn},Rn),vn=100,ls=90,lo="end";async function ds(t,e){let n=await t.sessions.open(e.get("ref")??"",e.get("thread")??void 0),{ref:o,thread:r}=n,s={view:()=>Z({tools:"full",format_time:t.format_time,blame:u=>Xt(o,u)}),link:u=>k(o,{...r,from:String(u),whole:"1"}),turns:await n.turns()},{page:a,odd:i}=await ms(n,e,s),{summary:d}=await n.summary(),l=N(d),m=u=>us(n,a,{words:re(e),side:u}),p=c`${Ut.head({title:`${l} · Reprise`,generator:`reprise ${t.version}`})}<body class="served" id="top"${Dn(`events?${new URLSearchParams({ref:o,...r})}`)}>
${Fe()}
${Un("session")}
${await rs(n,t)}
<main id="main">
${h(i.map(u=>c`<p class="notice">${b(u)}</p>`))}
${m("above")}
<div id="items" data-live="grow">
${a.html}
</div>
<span id="${lo}"></span>
${m("below")}
</main>
${We(a.contents,fs(n,a))}
${Ut.script}</body>
</html>
`;return Jt(p,Ut.policy)}async function ms(t,e,n){let o=jr(e),r=await ps(t,e,n);if(r.end>r.first||t.items.progress.total===0)return{page:r,odd:o};let[s,a]=r.first===0?["start",await tt(t,0,n)]:["end",await io(t,void 0,n)];return{page:a,odd:[...o,`The session has no item there: this is its ${s}`]}}async function ps(t,e,n){let o=G(e,"before");if(o!==void 0||e.get("end")==="1")return await io(t,o,n);let r=G(e,"seq");if(r===void 0)return await tt(t,G(e,"from")??0,n,e.get("whole")==="1");let s=await ns(t.items,r);if(s===void 0)throw new I("not-found",`Cannot find event ${r}: the session ends before it`);let a=re(e),i=await ts(t,{...n,hit:{item:s,words:a}});if(a.length===0||yt(i.html,a))return i;let d=await Ir(t,r,a);return d===void 0?i:{...i,html:c`${d}${i.html}`}}function us(t,{first:e,next:n},{words:o,side:r}){let{ref:s,thread:a}=t;if(e===0&&n===void 0)return f;let i=(m,p,u)=>c`<a href="${k(s,{...a,...p},u)}">${m}</a>`,d=(m,p,u)=>o.length===0?[]:[c`<a data-hit-page="${m}" href="${no(t,o,u)}">${p}</a>`],l=[...e===0?[]:d("previous","Previous page with a hit",{before:String(e)}),...e===0?[]:[i("Start",{}),i("Earlier",{before:String(e)})],...n===void 0?[]:[i("Later",{from:String(n)}),i("End",{end:"1"},lo)],...n===void 0?[]:d("next","Next page with a hit",{from:String(n)})];return c`<nav class="steps" aria-label="Pages of the session, ${r}">${h(l)}</nav>`}function fs({ref:t,thread:e,items:n},{first:o,end:r}){let s=n.prompts.map(({item:m,seq:p,text:u},g)=>({item:m,number:g+1,href:k(t,{...e,from:String(m)},`e${p}`),title:D(u,ls)||"(no text)"})),a=s.filter(({item:m})=>o<0||m<o).slice(-vn),i=s.filter(({item:m})=>o>=0&&m>=r).slice(0,vn),d=a.length===0?f:c`<h3>Before this page</h3>${Lt(a)}`,l=i.length===0?f:c`<h3>After this page</h3>${Lt(i)}`;return c`${d}${l}`}var hs=160;async function gs(t,e){let{ref:n,handle:o,summary:r}=await t.sessions.open(e.get("ref")??""),s=await o.threads(),a=`Threads of ${N((await r()).summary)}`,i=c`<h1 dir="auto">${a}</h1>
<ul class="rows">
${h(s.map(d=>vs(n,d,t)),`
`)}
</ul>`;return O({title:a,place:"session",body:i},t.version)}function vs(t,{id:e,kind:n,title:o="",records:r,updated_at:s},{format_time:a}){let i=e===xe,d=D(o,hs)||(i?"Main thread":b(e)),l=i&&r===0?"":E(r,"record");return c`<li><a href="${k(t,i?{}:{thread:e})}"><span dir="auto">${d}</span></a><p class="meta"><span>${n}</span><span>${l}</span>${V(s,a)}</p></li>`}var St={agent:"Agent",title:"Title",project:"Project",branch:"Branch",model:"Model",messages:"Messages",cost:"Cost",files:"Files",duration:"Duration",size:"Size",created:"Created",updated:"Updated"},mo=["agent","title","project","model","messages","cost","files","duration","updated"],Vt={day:"Day",project:"Project",none:"Nothing"};function $s(t){let e=[],n=(a,i,d,l)=>{let m=t.getAll(a).join(",").slice(0,200);if(m==="")return i;let p=d(m);return p===void 0&&e.push(`Ignored ${a}=${m}: give ${l}`),p??i},o=Object.keys(St).join(", "),r=n("sort","updated",a=>po(a.replace(/^-/,""))?a:void 0,o),s=r.replace(/^-/,"");return{columns:n("columns",mo,ws,o),sort:s,reversed:r.startsWith("-"),group:n("group",s==="updated"?"day":"none",a=>Object.hasOwn(Vt,a)?a:void 0,Object.keys(Vt).join(", ")),page:n("page",1,a=>/^[1-9]\d{0,5}$/.test(a)?Number(a):void 0,"a number from 1"),odd:e}}function ae({columns:t,group:e}){return e==="project"?t.filter(n=>n!=="project"):t}function po(t){return Object.hasOwn(St,t)}function ws(t){let e=[...new Set(t.split(",").map(n=>n.trim()))];if(e.every(po))return e.includes("title")?e:["title",...e]}function nt({columns:t,sort:e,reversed:n,group:o,page:r}){let s=`${n?"-":""}${e}`;return{columns:t.join()===mo.join()?void 0:t.join(),sort:s==="updated"?void 0:s,group:o===(e==="updated"?"day":"none")?void 0:o,page:r===1?void 0:String(r)}}var bs=200;function ys(t,e){let{words:n=""}=t,o="Search everything that was said and done";return c`<form class="filter" action="./" method="get" role="search">
<div class="words"><input type="search" id="q" name="q" value="${n}" autocomplete="off" aria-label="${o}" placeholder="${o}" data-search><button type="submit">Search</button></div>
<details><summary>Filters and columns</summary>
<div class="fields">
${h(xs(t,e),`
`)}
${Ss(e.view,n!=="")}
<div><button type="submit">Show</button></div>
</div>
</details>
</form>
${ks(t,e)}`}function xs(t,{view:e,projects:n,home:o}){let{span:r="",until:s="",role:a="",words:i}=t,d=Object.entries(j).map(([m,{name:p}])=>[m,p]),l=r===""||Object.hasOwn(j,r)?[]:[[r,`since ${r}`]];return[...uo(t,{projects:n,home:o}),X("since","Time",r,[["","any"],...l,...d]),J("until","Until",s,"date"),J("file","File that was touched",t.file),J("model","Model",t.model),J("branch","Git branch",t.branch),J("tag","Tag",t.tag),...i===void 0?[X("group","Group by",e.group,Object.entries(Vt))]:[X("role","Said by",a,[["","anyone"],...lt.map(fo)])],c`<fieldset><legend>Only</legend>${h([ft("pinned","1","pinned",t.pinned===!0),ft("archived","1","archived",t.archived===!0),ft("gone","1","deleted by their agent",t.gone===!0)])}</fieldset>`]}function uo({agent:t,project:e=""},{projects:n,home:o}){let r=n.slice(0,bs),s=e===""||r.includes(e)?r:[e,...r];return[X("agent","Agent",t??"",[["","all"],...it.map(fo)]),X("project","Project",e,[["","all"],...s.map(a=>[a,L(a,o)])])]}function fo(t){return[t,t]}function Ss(t,e){if(e)return f;let{sort:n}=nt(t),o=Object.entries(St).filter(([r])=>r!=="title");return c`<fieldset><legend>Columns</legend><input type="hidden" name="columns" value="title">${n===void 0?f:c`<input type="hidden" name="sort" value="${n}">`}${h(o.map(([r,s])=>ft("columns",r,s,t.columns.includes(r))))}</fieldset>`}function X(t,e,n,o){let r=o.map(([s,a])=>c`<option value="${s}"${s===n?c` selected`:f}>${a}</option>`);return c`<div><label for="${t}">${e}</label><select id="${t}" name="${t}">${h(r)}</select></div>`}function J(t,e,n="",o="text"){return c`<div><label for="${t}">${e}</label><input type="${o}" id="${t}" name="${t}" value="${n}" autocomplete="off"></div>`}function ft(t,e,n,o){return c`<label class="check"><input type="checkbox" name="${t}" value="${e}"${o?c` checked`:f}>${n}</label>`}var zt={agent:"agent",project:"project",span:"time",until:"until",file:"file",model:"model",branch:"branch",tag:"tag",role:"said by",tool:"tool",path:"in file",pinned:"pinned",archived:"archived",gone:"deleted"};function ks(t,{home:e,view:n}){let r=Object.keys(zt).flatMap(s=>{let a=t[s];if(a===void 0)return[];let{[s]:i,...d}=t,l=a===!0?zt[s]:`${zt[s]}: ${s==="project"?L(a,e):j[a]?.name??a}`,m=`./${P(d,nt({...n,page:1}))}`;return[c`<a href="${m}" aria-label="Without ${l}">${l} <span aria-hidden="true">×</span></a>`]});return r.length===0?f:c`<nav class="chips" aria-label="Chosen filters">${h(r)}</nav>`}var $n=1e4;async function Ts(t,e){let n=new Set,{agent:o,tag:r,branch:s,model:a,pinned:i,gone:d,archived:l=!1,project:m,file:p}=e,{entries:u}=await t.library.query({archived:l,tag:r,branch:s,model:a,pinned:i,gone:d,agents:o&&[o],since:bt(e,t.now()),until:Uo(e),onError:({message:x})=>n.add(x)}),g=ho(u),v=go(u,m);if(p===void 0)return{entries:v,projects:g,unread:[...n]};let{hits:y,unread:S}=await Es(t,v,{query:Os(p),roles:["tool"],limit:$n});for(let{message:x}of S)n.add(x);let w=new Set(y.map(({ref:x})=>x)),$=v.filter(({ref:x})=>w.has(x)),{entries:M,left_out:H}=await Cs($,p);return(H>0||y.length>=$n)&&n.add("More sessions may have touched the file: choose a project or a time to see them"),{entries:M,projects:g,unread:[...n]}}function ho(t){return[...new Set(t.flatMap(({cwd:e})=>e??[]))]}function go(t,e){return e===void 0?t:t.filter(({cwd:n})=>n!==void 0&&he(n,[e]))}async function Es({library:t,now:e},n,o){let r={cache:t.cache,kept:t.kept};return await Mt(n,{...o,now:e().getTime()},r)}function Os(t){return`"${t.replaceAll('"'," ")}"`}var Ms=new Set(["assistant_message","assistant_interrupted","tool_end","bash_start","diff"]),_s=/path|file|dir|notebook|cmd|command|patch|^input$/i,Hs=/^(?:\*\*\* (?:Add|Delete|Update|Move)[^:]*:|diff --git|---|\+\+\+) ?(.*)$/gm,As=/^\*\*\* Begin Patch|^diff --git |^--- /m,Ls=2e8;async function Cs(t,e){let n=e.toLowerCase(),o=[],r=0;for(let[s,a]of t.entries()){if(r>Ls)return{entries:o,left_out:t.length-s};r+=Math.max(0,a.state?.size??0),await Ps(a,n)&&o.push(a)}return{entries:o,left_out:0}}async function Ps(t,e){try{let n=await t.open();for await(let{events:o}of n.allEvents({needs:Ms}))if(o.some(r=>Is(r,e)))return!0}catch(n){if(!(n instanceof I))throw n}return!1}function Is(t,e){return t.form!=="known"?!1:Ns(t).some(n=>n.toLowerCase().includes(e))}function Ns(t){switch(t.kind){case"diff":return t.payload.path===void 0?[]:[t.payload.path];case"tool_end":return wn(t.payload.input);case"bash_start":return[t.payload.command??""];case"assistant_message":case"assistant_interrupted":{let{content:e}=t.payload;return typeof e=="string"?[]:e.flatMap(n=>n.type==="tool_call"?wn(n.input):[])}default:return[]}}function wn(t){return typeof t=="string"?bn(t):$e(t)?Object.entries(t).flatMap(([e,n])=>{if(!_s.test(e))return[];let o=Array.isArray(n)?n.filter(yn).join(" "):n;return yn(o)?As.test(o)?bn(o):[o]:[]}):[]}function bn(t){return[...t.matchAll(Hs)].map(([,e=""])=>e)}function yn(t){return typeof t=="string"}var js=8,Rs=120;function vo({ref:t,seq:e,thread:n,snippet:o,ranges:r}){let a=[...new Set(r.map(([i,d])=>o.slice(i,Math.min(d,i+Rs))))].slice(0,js).join(`
`);return k(t,A({seq:String(e),thread:n,words:a}),`e${e}`)}var Ds=120,xn=3;async function Us(t,e,n,o){let{hits:r,unread:s}=o,a=Map.groupBy(r,({ref:p})=>p),i=await Et(n.filter(({ref:p})=>a.has(p))),d=new Map(i.map(p=>[p.ref,p])),l=s.map(({message:p})=>c`<p class="notice">${b(p)}</p>`),m=[...a].map(([p,u])=>Ws(u,d.get(p),t,o.is_last));return c`<section class="stage" aria-label="Hits">
${h(l)}<p class="note" role="status">${zs(o,a.size)}</p>
${Bs(e,r)}
<ol class="rows hits">
${h(m,`
`)}
</ol>
</section>
`}function zs({hits:t,total:e,possible:n,read:o,all:r,is_last:s},a){if(s&&t.length===0)return"No hits";let i=`${E(t.length,"hit")} in ${E(a,"session")}`;if(!s)return`${i} · reading ${o} of ${r}`;if(t.length>=n)return i;let d=n===1/0?`at least ${e}`:`up to ${n}`;return`The first ${i}, of ${d}`}var Fs=8;function Bs(t,e){let o=[["role","Said by",({role:r})=>r],["tool","Tool",({tool:r})=>r],["path","File",({file:r})=>r]].flatMap(([r,s,a])=>{let i=[...Map.groupBy(e,a)].flatMap(([l,m])=>l===void 0?[]:[[l,m.length]]).sort(([,l],[,m])=>m-l).slice(0,Fs);if(t[r]!==void 0||i.length<2&&r!=="path")return[];if(i.length===0)return[];let d=i.map(([l,m])=>c`<a href="./${P({...t,[r]:l})}" title="${l}">${b(r==="path"?Jn(l):l)} <span class="note">${m}</span></a>`);return[c`<div><dt>${s}</dt><dd>${h(d," ")}</dd></div>`]});return o.length===0?f:c`<nav aria-label="Narrow the hits"><dl class="facets">${h(o)}</dl></nav>`}function Ws(t,e,n,o){let[r]=t;if(r===void 0)return f;let s=e===void 0?"Untitled session":N(e,Ds),a=(l,m)=>c`<ol>${h(l.map(p=>Gs(p,m)))}</ol>`,i=t.slice(xn),d=i.length===0?f:c`<details><summary>${i.length} more in this session</summary>${a(i,!1)}</details>`;return c`<li><p class="of"><a href="${vo(r)}" dir="auto">${s}</a><span class="count">${E(t.length,"hit")}</span>${Qt(r.agent)}${e?.cwd===void 0?f:c`<span>${L(e.cwd,n.home)}</span>`}${ht(e?.updated_at,n)}</p>${a(t.slice(0,xn),o)}${d}</li>`}function Gs(t,e){let{role:n,tool:o}=t;return c`<li${e?c` data-row`:f}><a href="${vo(t)}"><span class="role">${b(o??n)}</span> <span dir="auto">${Ys(t)}</span></a></li>`}function Ys({snippet:t,ranges:e}){let n=[],o=0;for(let[r,s]of e)n.push(c`${t.slice(o,r)}<mark>${t.slice(r,s)}</mark>`),o=s;return c`${h(n)}${t.slice(o)}`}var Ks={agent:({agent:t})=>t,title:({title:t})=>t.toLowerCase(),project:({cwd:t})=>t,branch:({git_branch:t})=>t,model:({models:t})=>t?.at(-1),messages:({message_count:t})=>t,cost:({cost_usd:t})=>t,files:({changes:t})=>t&&t.added+t.removed,duration:$o,size:({bytes:t})=>t,created:({created_at:t=""})=>Date.parse(t),updated:({updated_at:t=""})=>Date.parse(t)};function $o({created_at:t="",updated_at:e=""}){let n=Date.parse(e)-Date.parse(t);return n>=0?n:void 0}async function qs(t,{sort:e,reversed:n},{library:{kept:o}}){if(e==="updated")return n?t.toReversed():t;let r=await ee(t,{kept:o,changes:e==="files"}),s=Ks[e],a=new Map(t.map(d=>{let l=r.get(d.ref);return[d,l&&s(l)]})),i=n?-1:1;return t.toSorted((d,l)=>Vs(a.get(d),a.get(l),i))}function Vs(t,e,n){let[o,r]=[Sn(t),Sn(e)];return o||r?Number(o)-Number(r):typeof t=="number"&&typeof e=="number"?(e-t)*n:t===e?0:(String(t)<String(e)?-1:1)*n}function Sn(t){return t===void 0||Number.isNaN(t)}function Zs(t,{group:e,page:n},{day_of:o},r){let s=({updated:l,cwd:m=""})=>e==="project"?m:e==="none"||Number.isNaN(l)?"":o(l),a=Map.groupBy(t,s),i=(n-1)*r,d=[...a.values()].flat().slice(i,i+r);return[...Map.groupBy(d,s)].map(([l,m])=>({key:l,entries:m,count:a.get(l)?.length??0}))}var Js=160,Qs=500;async function Xs(t,e,n,o){if(o.length===0)return ta(e);let r=Zs(await qs(o,n,t),n,t,pt),s=r.flatMap(g=>g.entries),a=()=>ee(s,{kept:t.library.kept,changes:n.columns.includes("files")}),i=await a();i.values().some(({message_count:g})=>g===void 0)&&(await t.library.fillCounts(s,Qs),i=await a());let l=(n.page-1)*pt,m=s.length===0?`None of ${o.length}`:`${l+1} to ${l+s.length} of ${o.length}`,p=Math.ceil(o.length/pt),u=g=>ma(e,n,p,g);return c`<div class="above"><p class="note">${m}</p>${u("Pages, above")}</div>
<table class="list">
${ea(e,n)}
${h(r.map(g=>na(g,{rows:i,site:t,filter:e,view:n})),`
`)}
</table>
${u("Pages, below")}`}function ta(t){let e=Object.keys(t).length===0?"No coding agent has left a session on this machine yet.":"There is no such session.";return c`<p class="note">${e}</p>`}function ea(t,e){let n=ae(e).map(o=>{let r=o===e.sort,s={...e,sort:o,reversed:r&&!e.reversed,page:1},a=c`<a href="./${P(t,nt(s))}">${St[o]}</a>`;if(!r)return c`<th scope="col" class="of-${o}">${a}</th>`;let i=e.reversed!==["agent","title","project","branch","model"].includes(o);return c`<th scope="col" class="of-${o}" aria-sort="${i?"ascending":"descending"}">${a}</th>`});return c`<thead><tr>${h(n)}<th scope="col" class="of-act"><span class="unseen">Resume</span></th></tr></thead>`}function na({key:t,count:e,entries:n},o){let{rows:r,view:s}=o,a=s.group==="none"?f:c`<tr class="group"><th scope="rowgroup" colspan="${ae(s).length+1}">${oa(t,o)} <span class="note">${e}</span></th></tr>\n`,i=n.flatMap(({ref:d})=>{let l=r.get(d);return l===void 0?[]:[ia(l,o)]});return c`<tbody>\n${a}${h(i,`
`)}\n</tbody>`}function oa(t,{site:e,filter:n,view:o}){if(o.group==="day")return c`${t===""?"No date":sa(t,e)}`;if(t==="")return c`No directory`;let r=P({...n,project:t},nt({...o,page:1}));return c`<a href="./${r}">${L(t,e.home)}</a>`}var wo=864e5,ra=new Intl.DateTimeFormat("en",{weekday:"long"});function sa(t,{day_of:e,now:n}){let o=n().getTime();return t===e(o)?"Today":t===e(o-wo)?"Yesterday":`${ra.format(new Date(`${t}T12:00`))}, ${t}`}var aa=c`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.4"><rect x="5.5" y="5.5" width="8" height="8" rx="1.5"></rect><path d="M3.5 10.5h-1v-8h8v1"></path></svg>`;function ia(t,{site:e,filter:n,view:o}){let r=ae(o).map(i=>c`<td class="of-${i}">${ca[i](t,e)}</td>`),s=Qn(t.ref),a=n.gone?f:c`<button type="button" data-copy="${s}" title="Copy: ${s}" aria-label="Copy the command that resumes it">${aa}</button>`;return c`<tr data-row>${h(r)}<td class="of-act">${a}</td></tr>`}var ca={agent:({agent:t})=>Qt(t),title:la,project:({cwd:t},{home:e})=>{if(t===void 0)return f;let n=L(t,e);return c`<span title="${n}">${Jn(n)}</span>`},branch:({git_branch:t=""})=>c`${b(t)}`,model:({models:t=[]})=>{let e=b(t.at(-1)??"");if(e==="")return f;let n=t.length>1?` +${t.length-1}`:"";return c`<span title="${b(t.join(", "))}">${e}${n}</span>`},messages:({message_count:t})=>t===void 0?c`<span title="Counted when the list is shown again">…</span>`:c`${t}<span class="unit"> message${t===1?"":"s"}</span>`,cost:t=>c`${U(t)}`,files:({changes:t})=>{if(t===void 0)return c`<span title="Not counted yet">…</span>`;let{files:e,more:n,added:o,removed:r}=t;return e===0?f:c`${E(e,"file")}${n?" or more":""} +${o} −${r}`},duration:t=>{let e=$o(t);return e===void 0?f:c`${da(e)}`},size:({bytes:t})=>t===void 0?f:c`${C(t)}`,created:({created_at:t},e)=>ht(t,e),updated:({updated_at:t},e)=>ht(t,e)};function la(t){let e=[t.status==="running"?c`<b class="running">running</b>`:f,t.status==="failed"?c`<b class="fail">failed</b>`:f,t.pinned?c`<b class="pinned">pinned</b>`:f,...(t.tags??[]).map(Zn)].filter(({markup:n})=>n!=="");return c`<a href="${k(t.ref)}" dir="auto">${N(t,Js)}</a>${h(e.map(n=>c` ${n}`))}`}function da(t){let e=Math.floor(t/wo);return e>=2?`${e} days`:t<1e3?"<1 s":le(t*1e6)}function ma(t,e,n,o){if(n<=1)return f;let r=(a,i,d)=>a<1||a>n?f:c`<a data-step="${d}" href="./${P(t,A(nt({...e,page:a})))}">${i}</a>`,{page:s}=e;return c`<nav class="pages" aria-label="${o}">${r(s-1,"Previous","earlier")}<span>Page ${s} of ${n}</span>${r(s+1,"Next","later")}</nav>`}var pa=4e6,ua=3;async function*fa({library:t,now:e},n,o,r){let s={...o,now:e().getTime()},a={cache:t.cache,kept:t.kept,signal:r},i=new He("relevance",o.limit),[d,l,m,p]=[0,0,0,0],u=[],g=n.length,v=y=>({hits:i.hits,total:d,possible:l,unread:u,scanned_bytes:m,read:p,all:g,is_last:y});for(let y=pa;p<g;y*=ua){let S=n.slice(p,p+ha(n,p,y)),w=await Mt(S,s,a);for(let x of w.hits)i.offer(x,()=>x);d+=w.total,l+=w.possible,m+=w.scanned_bytes,u.push(...w.unread),p+=S.length,w.scanned_bytes===0&&(y=1/0);let $=n[p],M=i.hits[o.limit-1];if($===void 0)break;let H=Me({ref:we($.session),updated:$.updated,roles:o.roles,may_be_whole:!0},s.now);if(M!==void 0&&_e("relevance",H,M)>0){l=1/0;break}yield v(!1)}yield v(!0)}function ha(t,e,n){let[o,r]=[e,n];do r-=Math.max(0,t[o++]?.state?.size??0);while(o<t.length&&r>0);return o-e}var ga=160,va=300;async function $a(t,e){let n=Kn(e),o=$s(e),{words:r}=n,{entries:s,projects:a,unread:i}=await Ts(t,n),d=[...Do(e),...o.odd,...i].map(p=>c`<p class="notice">${b(p)}</p>`),l=c`${ys(n,{view:o,projects:a,home:t.home})}\n${h(d)}`;if(r!==void 0){let p=`Search: ${D(r,ga)}`,u=c`<h1>${p}</h1>\n${l}`;return O({title:p,place:"sessions",body:u,rest:v=>wa(t,{...n,words:r},s,v)},t.version)}let m=c`<h1 class="unseen">Sessions</h1>\n${l}<div id="list" data-live="list">${await Xs(t,n,o,s)}</div>`;return O({title:"Sessions",place:"sessions",body:m,events:"events"},t.version)}async function*wa(t,e,n,o){let{words:r,role:s,tool:a,path:i}=e,d=bt(e,t.now())?.getTime(),l=A({query:r,limit:va,roles:s&&[s],tool:a,file:i,since:d});yield c`<section class="stage"><p class="note" role="status">Searching ${E(n.length,"session")}</p></section>\n`;try{for await(let m of fa(t,n,l,o))yield await Us(t,e,n,m),m.is_last&&(yield Wr(t,r,m.scanned_bytes))}catch(m){if(o.aborted)return;if(!(m instanceof SyntaxError||m instanceof I))throw m;yield c`<p class="notice"><b class="fail">Cannot search</b>: ${b(m.message)}</p>\n`}}var ba=864e5,bo=10;async function ya(t,e,n){let o=new Set,r=t.now(),s=bt(e,r)?.getTime(),a=({message:_})=>o.add(_),{entries:i}=await t.library.query({archived:"any",agents:e.agent&&[e.agent],onError:a}),d=go(i,e.project),l=s===void 0?0:r.getTime()-s,m=_=>t.day_of(r.getTime()-_),[p,u]=[m(0),s===void 0?"":m(l)],{estimate:g,as_of:v}=await q();async function y(_){return await ct(_,{estimate:g,kept:t.library.kept,onError:a,work:!0,...n&&{onProgress:n},dayOf:ot=>`${t.day_of(ot)}T${t.hour_of(ot)}`})}let S=s===void 0?d:d.filter(({updated:_})=>!(_<r.getTime()-2*l)),w=await y(S),$=w.map(kn),M=Tn($,u,p),x=(M.messages>0?$:(await y(d)).map(kn)).flatMap(({rows:_})=>_.map(({day:ot})=>ot)).filter(_=>_!=="").sort();return{used:$,total:M,as_of:v,from:u,last:p,unread:[...o],projects:ho(i),first:u||(x[0]??""),before:s===void 0?void 0:Tn($,m(2*l),xa(u)),hours:Sa(w,u),last_used:x.at(-1)??""}}function kn(t){let e=t.rows.map(n=>({...n,day:n.day.slice(0,bo)}));return{...t,rows:e}}function Tn(t,e,n){let o=new Pt("agent",e,n);for(let r of t)o.add(r);return o.total()}function xa(t){return new Date(Date.parse(t)-ba).toISOString().slice(0,bo)}function Sa(t,e){let n=new Array(168).fill(0);for(let{day:o,usage:r}of t.flatMap(({rows:s})=>s)){let[s="",a]=o.split("T");if(a===void 0||s<e)continue;let d=24*((new Date(`${s}T00:00:00Z`).getUTCDay()+6)%7)+Number(a);n[d]=(n[d]??0)+K(r)}return n}var Ea=15;function Oa({used:t,from:e,last:n},{home:o,day_of:r}){let s=m=>{if(e==="")return!0;let p=m===0?"":r(m*1e3);return p>=e&&p<=n},a=new Map,i=new Map;for(let{cwd:m="",work:p}of t){for(let[u,g,v,y]of p?.tools??[]){if(!s(g))continue;let S=a.get(u)??[0,0];a.set(u,[S[0]+v,S[1]+y])}for(let[u,g,v,y,S]of p?.files??[]){if(!s(g))continue;let w=ka(u)?u:Ta(m,u),$=i.get(w)??[0,0,0];i.set(w,[$[0]+v,$[1]+y,$[2]+S])}}let[d,l]=[En(a),En(i)];return c`${On("Tools",["Tool","Calls","Failed"],d,([m,[p,u]],g)=>[c`${b(m)}`,c`${p}${gt(p,g)}`,u===0?f:c`${u} (${Math.round(u/p*100)} %)`])}
${On("Files most changed",["File","Changes","Lines"],l,([m,[p,u,g]],v)=>[c`<a href="./${P({file:m})}">${L(m,o)}</a>`,c`${p}${gt(p,v)}`,c`+${u} −${g}`])}
<p class="note">What a fork copied counts again.</p>`}function En(t){return[...t].sort(([,[e=0]],[,[n=0]])=>n-e)}function On(t,[e,...n],o,r){if(o.length===0)return f;let s=o[0]?.[1][0]??0,a=o.slice(0,Ea).map(l=>{let[m,...p]=r(l,s);return c`<tr><td class="name">${m}</td>${h(p.map(u=>c`<td>${u}</td>`))}</tr>\n`}),i=o.length-a.length,d=n.map(l=>c`<th scope="col">${l}</th>`);return c`<section><h2>${t}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${t}"><table class="sums">
<thead><tr><th class="name" scope="col">${e}</th>${h(d)}</tr></thead>
<tbody>
${h(a)}</tbody></table></div>
${i===0?f:c`<p class="note">${E(i,"row")} more</p>`}</section>`}var Mn="30d",kt=["7d","30d","90d","365d","all"],Ma=40,_a=[["project","Project"],["model","Model"],["agent","Agent"]];function Ha(t,e){let n=e.get("since")??Mn,o=kt.includes(n)?n:Mn,{agent:r,project:s}=Kn(e),a={span:o,...r&&{agent:r},...s&&{project:s}},i=Ca(e,a).map(m=>c`<p class="notice">${m}</p>\n`),d=c`<h1>Statistics</h1>
${Pa(a)}
${h(i)}`;return O({title:"Statistics",place:"stats",body:d,rest:()=>Aa(t,a)},t.version)}async function*Aa(t,e){let n=0,o=ya(t,e,(r,s)=>n=r/s);for await(let r of Zt(o)){let s=`Reading what sessions used: ${Math.floor(100*n)} %`;yield c`<section class="stage"><p class="note" role="status">${s}</p></section>\n`}try{yield La(t,await o,e)}catch(r){yield c`<section class="stage">
<p class="notice">${b(at(r))}</p></section>`}}function La(t,e,n){let o=e.unread.map(r=>c`<p class="notice">${b(r)}</p>\n`);return c`<section class="stage" aria-label="Figures">
${Ia(n,e.projects,t.home)}
${h(o)}
${e.total.messages===0?Na(t,e,n):ja(t,e,n)}</section>`}function Ca(t,{span:e="",agent:n}){let o=(r,s,a)=>{let i=t.get(s)??"";return i===""||kt.includes(i)||i===n?[]:[c`There is no ${r} “${b(i)}”: this shows ${a}.`]};return[...o("time span","since",et(e)),...o("agent","agent","all agents")]}function et(t){return j[t]?.name??"all time"}function yo(t){return`stats${P({...t,span:""},{since:t.span??""})}`}function Pa(t){let e=kt.map(n=>{let o=yo({...t,span:n});return n===t.span?c`<a href="${o}" aria-current="true">${et(n)}</a>`:c`<a href="${o}">${et(n)}</a>`});return c`<nav class="pages" aria-label="Time">${h(e)}</nav>`}function Ia(t,e,n){return c`<form class="filter" role="search" aria-label="Statistics">
<input type="hidden" name="since" value="${t.span}">
<div class="fields">${h(uo(t,{projects:e,home:n}),`
`)}
<div><button>Show</button></div></div>
</form>`}function Na(t,{last_used:e},n){let o=n.span==="all"?"":` in the ${et(n.span??"")}`;if(e==="")return c`<p class="note">No token usage found${o}.</p>`;let r=a=>{let i=bt({span:a},t.now());return i===void 0||e>=t.day_of(i.getTime())},s=kt.find(r)??"all";return c`<p class="note">No token usage found${o}. The last is of ${e}: <a href="${yo({...n,span:s})}">show ${et(s)}</a>.</p>`}function ja(t,e,n){let{first:o,last:r,total:s,hours:a,as_of:i}=e,d=_n(e,"day").filter(({group:v})=>v!==""),l=v=>U({cost_usd:v}),m=d.map(({group:v,cost_usd:y=0})=>({day:v,value:y})),p=d.map(({group:v,usage:y})=>({day:v,value:K(y)})),u=_a.map(([v,y])=>Hn(v,y,_n(e,v),t)),g=me(s,i).map(v=>c`<p class="note">${v}</p>`);return c`${Ra(e,n)}${h(g)}
<div class="charts">${an("Cost by day",m,{first:o,last:r,format:l})}
${an("Tokens by day",p,{first:o,last:r,format:T})}
${sr("Tokens by hour of the week",a,T)}</div>
${h(u,`
`)}
${Oa(e,t)}
<details class="days"><summary>By day, in figures</summary>${Hn("day","Day",d.toReversed(),t)}</details>`}function _n({used:t,first:e,last:n},o){let r=new Pt(o,e,n);for(let s of t)r.add(s);return r.groups()}function Ra({total:t,before:e},{span:n=""}){let o=[["Cost",U(t),t.cost_usd??0,e&&(e.cost_usd??0)],...[["Tokens",({usage:a})=>K(a)],["Answers",({messages:a})=>a],["Sessions",({sessions:a})=>a]].map(([a,i])=>[a,a==="Tokens"?T(i(t)):String(i(t)),i(t),e&&i(e)])],r=j[n]?.days,s=o.filter(([,a])=>a!=="").map(([a,i,d,l])=>c`<div><dt>${a}</dt><dd>${i}<span class="change">${l===void 0||e?.messages===0?"":`${Da(d,l)} the ${r} days before`}</span></dd></div>`);return c`<dl class="tiles">${h(s)}</dl>`}function Da(t,e){let n=e===0?0:Math.round((t/e-1)*100);return n===0?"as in":`${n>0?"+":"−"}${Math.abs(n)} % on`}function Hn(t,e,n,o){if(n.length===0)return f;let s=(t==="day"?n:n.toSorted((l,m)=>(m.cost_usd??0)-(l.cost_usd??0))).slice(0,Ma),a=Math.max(...s.map(({cost_usd:l=0})=>l)),i=n.length-s.length,d=`By ${t}`;return c`<section><h2>${d}</h2>
<div class="wide" tabindex="0" role="region" aria-label="${d}"><table class="sums">
<thead><tr><th class="name" scope="col">${e}</th><th scope="col">Cost</th><th scope="col">Tokens</th><th class="rare" scope="col">In</th><th class="rare" scope="col">From cache</th><th class="rare" scope="col">To cache</th><th class="rare" scope="col">Out</th><th class="rare" scope="col">Answers</th><th scope="col">Sessions</th></tr></thead>
<tbody>
${h(s.map(l=>Ua(za(t,l,o),l,a)),`
`)}
</tbody></table></div>
${i===0?"":c`<p class="note">${i} more: reprise stats --all --by ${t}</p>`}</section>`}function Ua(t,e,n){let{usage:o,messages:r,sessions:s,cost_usd:a=0}=e,{input:i,cache_read:d,cache_write:l,output:m}=o,p=[i,d,l,m].map(u=>c`<td class="rare">${u===void 0?"":T(u)}</td>`);return c`<tr><td class="name">${t}</td><td>${U(e)}${gt(a,n)}</td><td>${T(K(o))}</td>${h(p)}<td class="rare">${r}</td><td>${s}</td></tr>`}function za(t,{group:e},{home:n}){return t==="project"?e===""?"no directory":L(e,n):b(e)||(t==="day"?"no date":"no name")}var Fa=100,Ba=4,Wa=16*1024*1024,Ga=class{#t;#e;#n=Fa;#o;constructor(t,e){this.#t=t,this.#e=e}async items(t,e){let n=await(this.#o??=this.#r());for(;n.items.length<-t;){this.#n*=Ba;let s=await(this.#o=this.#r());if(s.items.length<=n.items.length)break;n=s}let o=Math.max(0,n.items.length+t),r=Math.max(0,n.items.length+t+e);return{...n,items:n.items.slice(o,r),first:t}}async#r(){let{events:t,numbered:e}=await this.#t.readEnd(A({...this.#e,messages:this.#n,most_bytes:Wa,needs:Pe}));return{items:Ie(t,!0),numbered:e}}},Ya=50,Ka=4,Gm=class{#t;#e;#n=new Map;constructor(t,{named:e=[]}={}){this.#t=t,this.#e=new Set(e)}async open(t,e){let n=`${t}
${e??""}`,o=this.#n.get(n);if(this.#n.delete(n),o!==void 0&&o.state===Ln(o.handle))return this.#n.set(n,o),o;o?.items.close();let r=await this.#o(t,e);this.#n.set(n,r);for(let[s,{items:a}]of this.#n){if(this.#n.size<=Ka)break;a.close(),this.#n.delete(s)}return r}async prepare(t,e){let{items:n,summary:o}=await this.open(t,e);await Promise.all([n.items(0,Ya),o()])}async#o(t,e){if(!this.#e.has(t)&&ge(t,it).kind==="path")throw new I("not-found",`Cannot find session "${t}"`,{ref:t});let n=await this.#t.open(t),o,r,s,a=A({thread:e}),i=()=>o??=qa(n,this.#t.kept);return{ref:t,handle:n,thread:a,end:new Ga(n,a),items:Ne(n.at(a),{between:()=>rt(1,void 0)}),summary:i,turns:()=>r??=i().then(({summary:d})=>An(d)?Zr(n,a):[]),context:()=>s??=i().then(({summary:d})=>An(d)?n.context(a):void 0),state:Ln(n)}}};function An({bytes:t=0}){return t<=xo}function Ln({path:t}){try{let{size:e,mtime:n,isDirectory:o}=ue(t);return o?"":`${e} ${n?.getTime()}`}catch{return"gone"}}var xo=8*1024*1024;async function qa(t,e){let n=await t.summary(),o=[{...n,session:t.session}],{estimate:r}=await q(),s={dayOf:Tt,estimate:r,kept:e,most_bytes:xo},[a]=await ct(o,s);return a===void 0?{summary:n,is_counted:n.usage!==void 0}:{summary:Ze(n,a),is_counted:!0}}var Va={"":$a,blame:Go,context:ar,events:ur,files:$r,hit:Dr,index:Gr,neighbour:Vr,session:ds,stats:Ha,threads:gs},Za={index:Kr},Ja={"not-found":404,"invalid-ref":404,ambiguous:404,permission:404,"unsupported-source":404};function Ym(t,e,n=()=>{}){let o=new Io(e);return async r=>{let s=o.admit(r);if("status"in s)return Fn(s.status,s.reason);let{path:a,query:i,enters:d,acts:l}=s;if(d)return n(),Qa(a,i,o);let m=l?Za:Va,p=Object.hasOwn(m,a)?m[a]:void 0;if(p===void 0)return Cn(t,404,"There is no such page");try{return await p(t,i)}catch(u){let v=u instanceof I?Ja[u.code]??500:500;return Cn(t,v,at(u))}}}function Qa(t,e,{set_cookie:n}){let o=e.get("seq")??"",r=/^\d+$/.test(o)?`#e${o}`:"",s=Xa(`./${t}${e.size===0?"":`?${e}`}${r}`),a=Jt(s,"default-src 'none'");return{...a,headers:{...a.headers,"set-cookie":n}}}function Cn({version:t},e,n){let o=c`<h1>This page cannot be shown</h1>\n<p class="notice">${b(n)}</p>\n<p><a href="./">All sessions</a></p>`;return O({title:"Not shown",place:"session",body:o,status:e},t)}function Xa(t){let e=`0; url=${t}`;return c`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="${e}">
<title>Reprise</title>
</head>
<body><p><a href="${t}">Show the sessions</a></p></body>
</html>
`}export{Gm as OpenedSessions,Ym as createSite,Xa as redirectPage,k as sessionLink};
