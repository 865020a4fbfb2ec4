/** The style of the statistics: figures, charts and tables. */
export const STATS_STYLE = `
.stats .filter{max-width:44rem}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.7rem;margin:0 0 1.2rem}
.tiles div{background:var(--card);border-radius:.5rem;padding:.6rem .9rem}
.tiles dt{font-size:.8rem;color:var(--muted)}
.tiles dd{margin:0;font-size:1.35rem;font-weight:600;line-height:1.3}
.tiles .change{display:block;font-size:.78rem;font-weight:400;color:var(--muted)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,max(26rem,40%)),1fr));gap:0 1.5rem}
.chart{margin:0 0 1.2rem;min-width:0}
.chart svg{display:block}
.axis{display:grid;grid-template-columns:56px minmax(0,1fr)}
.charts .heat{grid-column:1/-1}
.legend{margin:.3rem 0 0;font-size:.8rem}
.legend svg{display:inline;margin-inline-start:.6rem;vertical-align:-1px}
.chart rect{fill:var(--link)}
.chart .part1{fill:var(--edit)}
.chart .part2{fill:var(--run)}
.chart .part3{fill:var(--task)}
.chart .part4{fill:var(--other)}
.legend span{white-space:nowrap;margin-inline-end:.9rem}
.legend a{text-decoration:none}
.chart .torn{stroke:var(--page);stroke-dasharray:4 3;fill-opacity:.55}
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
${
  [1, 2, 3, 4, 5, 6].map((depth) =>
    `.wide .sums td.depth${depth}{padding-inline-start:${1.4 * depth}rem}`
  ).join("\n")
}
.shares{max-width:36rem;border-collapse:collapse}
.shares td,.shares th{border-bottom:1px solid var(--line);padding:.25rem .6rem .25rem 0;font-weight:400}
.shares thead th{font-weight:600}
.sums .share{display:block;width:100%;min-width:3rem;height:.3rem;fill:var(--link)}
.wide .sums .name{position:relative;z-index:0;padding-inline-start:.4rem}
.sums .name .share{position:absolute;inset:2px 0;height:calc(100% - 4px);z-index:-1;fill-opacity:.16}
.sums .name a{color:var(--text);text-decoration:none}
.sums .name a:hover{color:var(--link);text-decoration:underline}
.wide:has(+.rest:not([open])) tbody tr:nth-child(n+9){display:none}
.rest summary{cursor:pointer;color:var(--link);font-size:.85rem;width:max-content}
.rest[open] summary{display:none}
.groups{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,40rem),1fr));gap:0 2.5rem;align-items:start}
.groups>section{min-width:0}
@media (min-width:88rem){.groups .rare{display:none}}
.days>summary{cursor:pointer;margin:0 0 .8rem}
@media (max-width:40rem){.sums .rare{display:none}}
`;
