/** The style of the statistics: figures, charts and tables. */
export const STATS_STYLE = `
.dates{display:flex;flex-wrap:wrap;gap:var(--s1);align-items:baseline}
.dates :is(input,button){font:inherit;font-size:var(--t3);color:var(--text);background:var(--page);border:1px solid var(--muted);border-radius:.35rem;padding:1px var(--s2)}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:var(--s3);margin:0 0 var(--s4)}
.tiles div{background:var(--card);border-radius:.5rem;padding:var(--s2) var(--s4)}
.tiles dt{font-size:var(--t2);color:var(--muted)}
.tiles dd{margin:0;font-size:var(--t5);font-weight:600;line-height:1.3}
.tiles .change{display:block;font-size:var(--t1);font-weight:400;color:var(--muted)}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,max(26rem,40%)),1fr));gap:0 var(--s5)}
.chart{margin:0 0 var(--s4);min-width:0}
.chart svg{display:block}
.axis{display:grid;grid-template-columns:56px minmax(0,1fr)}
.charts .heat{grid-column:1/-1}
.legend{margin:var(--s1) 0 0;font-size:var(--t2)}
.legend svg{display:inline;margin-inline-start:var(--s2);vertical-align:-1px}
.chart rect{fill:var(--link)}
.chart .part1{fill:var(--edit)}
.chart .part2{fill:var(--run)}
.chart .part3{fill:var(--task)}
.chart .part4{fill:var(--other)}
.legend span{white-space:nowrap;margin-inline-end:var(--s4)}
.legend a{text-decoration:none}
.chart .torn{stroke:var(--page);stroke-dasharray:4 3;fill-opacity:.55}
.chart rect:hover{fill:var(--text)}
.chart line{stroke:var(--line)}
.chart .base{stroke:var(--muted)}
.chart text{fill:var(--muted);font-size:var(--t1)}
.chart figcaption{margin:0 0 var(--s1);font-size:var(--t4);font-weight:600;color:var(--text)}
.chart .heat-0{fill:var(--code)}
.chart .heat-1{fill-opacity:.25}
.chart .heat-2{fill-opacity:.5}
.chart .heat-3{fill-opacity:.75}
.sums{width:100%}
.sums td,.sums th{white-space:nowrap;font-size:var(--t3)}
.wide .sums th,.wide .sums td{border-width:0 0 1px;padding:var(--s1) var(--s2) var(--s1) 0;min-width:0;background:none}
.sums td.name,.sums th.name{white-space:normal;text-align:start;min-width:7rem;overflow-wrap:anywhere}
.sums td:not(.name),.sums th:not(.name){text-align:end;font-variant-numeric:tabular-nums}
${
  [1, 2, 3, 4, 5, 6].map((depth) =>
    `.wide .sums td.depth${depth}{padding-inline-start:calc(${depth}*var(--s5))}`
  ).join("\n")
}
.shares{max-width:36rem;border-collapse:collapse}
.shares td,.shares th{border-bottom:1px solid var(--line);padding:var(--s1) var(--s2) var(--s1) 0;font-weight:400}
.shares thead th{font-weight:600}
.sums .share{display:block;width:100%;min-width:3rem;height:.3rem;fill:var(--link)}
.wide .sums .name{position:relative;z-index:0;padding-inline-start:var(--s2)}
.sums .name .share{position:absolute;inset:2px 0;height:calc(100% - 4px);z-index:-1;fill-opacity:.16}
.sums .name a{color:var(--text);text-decoration:none}
.sums .name a:hover{color:var(--link);text-decoration:underline}
.wide:has(+.rest:not([open])) tbody tr:nth-child(n+9){display:none}
.rest summary{cursor:pointer;color:var(--link);font-size:var(--t3);width:max-content}
.rest[open] summary{display:none}
.groups{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,40rem),1fr));gap:0 var(--s6);align-items:start}
.groups>section{min-width:0}
@media (min-width:88rem){.groups .rare{display:none}}
.days>summary{cursor:pointer;margin:0 0 var(--s3)}
@media (max-width:40rem){.sums .rare{display:none}}
`;
