/** The style of pages that lead to sessions: the lists of sessions, and the search. */
import { PAGE_STYLE } from "../html_document/page_style.ts";

export const LISTS_STYLE = `${PAGE_STYLE}
.lists{display:block;max-width:72rem}
.lists h3{font-size:.95rem;margin:1.4rem 0 .3rem;color:var(--muted)}
.lists .top{padding:1.2rem 0 .7rem;margin-bottom:.6rem}
.lists .steps{margin:.3rem 0}
.lists .top h1{font-size:1.5rem;margin:0 0 .3rem}
.rows{list-style:none;margin:0;padding:0;border-top:1px solid var(--line)}
.rows li{margin:0;padding:.35rem 0;border-bottom:1px solid var(--line)}
.rows a{font-weight:600;text-decoration:none}
.rows li>a{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.rows a:hover{text-decoration:underline}
.rows .meta{display:flex;flex-wrap:wrap;gap:0 1rem;margin:0;color:var(--muted);font-size:.84rem}
.rows .hit{margin:.2rem 0 0;font-size:.9rem}
.rows .hit a{font-variant-numeric:tabular-nums;font-weight:400;text-decoration:underline}
mark{background:var(--ins_word);color:var(--text);border-radius:.15rem}
.find{display:flex;gap:.6rem;align-items:end;max-width:44rem;margin:0 0 1rem}
.find label{flex:1;font-size:.82rem;color:var(--muted)}
.find input,.find button,#more{font:inherit;min-height:2.6rem;padding:.35rem .8rem;border:1px solid var(--muted);border-radius:.4rem;background:var(--page);color:var(--text)}
.find input{display:block;width:100%}
.find button{background:var(--link);color:var(--page);border-color:var(--link);font-weight:600;cursor:pointer}
#more{margin:1rem 0;cursor:pointer}
`;
