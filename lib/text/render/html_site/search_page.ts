/** The page that searches exported pages. It works from a file, without a server. */
import { createFrame } from "../html_document/frame.ts";
import { NOTHING, safe, type SafeHtml } from "../html_document/html.ts";
import { SEARCH_SCRIPT } from "./search_script.ts";
import { LISTS_STYLE } from "./site_style.ts";

const FRAME = createFrame(
  { style: LISTS_STYLE, script: SEARCH_SCRIPT, adds_scripts: true },
  ["form-action 'none'"],
);

/** @param links Links to the site's lists of sessions. */
export function searchPage(title: string, generator: string, links: SafeHtml = NOTHING): string {
  return safe`${FRAME.head({ title: `Search · ${title}`, generator })}<body class="lists" id="top">
<header class="top"><h1 dir="auto">${title}</h1>${links}</header>
<main id="main">
<form class="find" role="search"><label for="q">Words on the pages<input id="q" type="search" autocomplete="off" autofocus></label><button>Search</button></form>
<noscript><p class="notice">The search needs JavaScript. All pages can be read without it.</p></noscript>
<p class="note">A page must have all words; a word may be the beginning of a longer one.</p>
<p id="count" role="status"></p>
<ol class="rows" id="found"></ol>
<button id="more" type="button" hidden>Show more</button>
</main>
${FRAME.script}</body>
</html>
`.markup;
}
