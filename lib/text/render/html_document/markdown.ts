/** Renders Markdown as HTML. Own templates write the parser's tokens. Embedded HTML stays text. */
import { decodeEntities, lexMarkdown, MARKDOWN_LIMIT, MAX_DEPTH } from "../markdown/lex.ts";
import { sanitizeLine, sanitizeText } from "../sanitize.ts";
import { firstLine } from "../text_width.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./html.ts";
import type { HtmlHighlight } from "./view.ts";
import type { Token, Tokens } from "npm:marked@18.2.1";

interface BlockContext {
  highlight: HtmlHighlight;
  depth: number;
  /** True inside a list whose items are not paragraphs of their own. */
  tight: boolean;
  /** Markdown levels of the next block's enclosing headings, the outermost first. */
  headings: number[];
}

/** HTML level of a text's top heading. The page itself uses levels 1 and 2. */
const FIRST_HEADING = 3;

export function markdownHtml(text: string, highlight: HtmlHighlight): SafeHtml {
  const clean = sanitizeText(text).trimEnd();
  if (clean.length > MARKDOWN_LIMIT) return plainHtml(clean);
  try {
    return blocksHtml(lexMarkdown(clean), { highlight, depth: 0, tight: false, headings: [] });
  } catch (error) {
    // Nested too deep for the stack.
    if (error instanceof RangeError) return plainHtml(clean);
    throw error;
  }
}

export function plainHtml(text: string): SafeHtml {
  return safe`<p class="plain">${text}</p>`;
}

function blocksHtml(tokens: readonly Token[], context: BlockContext): SafeHtml {
  return joinHtml(tokens.map((token) => blockHtml(token as Tokens.Generic, context)));
}

function blockHtml(token: Tokens.Generic, context: BlockContext): SafeHtml {
  if (context.depth > MAX_DEPTH) return plainHtml(token.raw.trimEnd());
  switch (token.type) {
    case "space":
    case "checkbox":
      return NOTHING;
    case "heading":
      return headingHtml(token, context);
    case "paragraph":
      return safe`<p>${inlineHtml(token.tokens)}</p>`;
    case "text":
      return context.tight
        ? safe`${inlineHtml(token.tokens ?? [token])} `
        : safe`<p>${inlineHtml(token.tokens ?? [token])}</p>`;
    case "code":
      return fenceHtml(token, context.highlight);
    case "blockquote":
      return safe`<blockquote>${
        blocksHtml(token.tokens ?? [], { ...context, depth: context.depth + 1, tight: false })
      }</blockquote>`;
    case "list":
      return listHtml(token as Tokens.List, context);
    case "table":
      return tableHtml(token as Tokens.Table);
    case "hr":
      return safe`<hr>`;
    default:
      return plainHtml(token.raw.trimEnd());
  }
}

/** Renders a heading at most one level below its parent heading, so that no level is skipped. */
function headingHtml(token: Tokens.Generic, { headings }: BlockContext): SafeHtml {
  const text = inlineHtml(token.tokens);
  if (text.markup.trim() === "") return NOTHING;
  while ((headings.at(-1) ?? 0) >= token["depth"]) headings.pop();
  const level = Math.min(6, FIRST_HEADING + headings.length);
  headings.push(token["depth"]);
  return safe`<h${level}>${text}</h${level}>`;
}

function fenceHtml(token: Tokens.Generic, highlight: HtmlHighlight): SafeHtml {
  const language = firstLine(token["lang"] ?? "", 40);
  const name = /^[\w+#.-]+/.exec(language)?.[0];
  const label = language === "" ? NOTHING : safe`<p class="language">${language}</p>`;
  return safe`<div class="fence">${label}<pre><code>${
    highlight(token.text, name)
  }</code></pre></div>`;
}

function listHtml(list: Tokens.List, context: BlockContext): SafeHtml {
  const inner = { ...context, depth: context.depth + 1, tight: !list.loose };
  const items = joinHtml(list.items.map((item) => itemHtml(item, inner)));
  if (!list.ordered) return safe`<ul>${items}</ul>`;
  const start = Number(list.start);
  return start === 1 ? safe`<ol>${items}</ol>` : safe`<ol start="${start}">${items}</ol>`;
}

function itemHtml(item: Tokens.ListItem, context: BlockContext): SafeHtml {
  const inner = blocksHtml(item.tokens, context);
  if (!item.task) return safe`<li>${inner}</li>`;
  const [mark, label] = item.checked ? ["☑", "done"] : ["☐", "to do"];
  return safe`<li class="task"><span role="img" aria-label="${label}">${mark}</span> ${inner}</li>`;
}

/** Makes a table that can be scrolled if it is wide, also with the keyboard. */
function tableHtml(table: Tokens.Table): SafeHtml {
  const head = joinHtml(table.header.map((cell) => {
    const text = inlineHtml(cell.tokens);
    return text.markup.trim() === "" ? safe`<td></td>` : safe`<th scope="col">${text}</th>`;
  }));
  const rows = joinHtml(
    table.rows.map((row) =>
      safe`<tr>${joinHtml(row.map((cell, column) => cellHtml(cell, table.align[column])))}</tr>`
    ),
  );
  return safe`<div class="wide" role="group" aria-label="Table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;
}

function cellHtml(cell: Tokens.TableCell, align: string | null | undefined): SafeHtml {
  const text = inlineHtml(cell.tokens);
  if (align !== "right" && align !== "center") return safe`<td>${text}</td>`;
  return safe`<td class="${align}">${text}</td>`;
}

function inlineHtml(tokens: readonly Token[] | undefined): SafeHtml {
  return joinHtml((tokens ?? []).map((token) => tokenHtml(token as Tokens.Generic)));
}

function tokenHtml(token: Tokens.Generic): SafeHtml {
  switch (token.type) {
    case "strong":
      return safe`<strong>${inlineHtml(token.tokens)}</strong>`;
    case "em":
      return safe`<em>${inlineHtml(token.tokens)}</em>`;
    case "del":
      return safe`<s>${inlineHtml(token.tokens)}</s>`;
    case "codespan":
      return safe`<code>${token.text}</code>`;
    case "link":
      return linkHtml(decodeEntities(token["href"]), inlineHtml(token.tokens));
    case "image":
      return imageNote(decodeEntities(token["href"]), token["text"]);
    case "checkbox":
      return NOTHING;
    case "br":
      return safe`<br>`;
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? safe`<br>` : safe`${token.raw}`;
    default:
      return token.tokens === undefined
        ? safe`${decodeEntities(token["text"] ?? token.raw)}`
        : inlineHtml(token.tokens);
  }
}

const ALLOWED = /^(?:https?:\/\/|mailto:)[^\s<>"\\]+$/i;
const TAGS = /<[^>]*>/g;

const SHOWN = 300;

/** Makes a link. An unsafe link becomes its text with its address. */
function linkHtml(href: string, text: SafeHtml): SafeHtml {
  const shown = shownAddress(href);
  const named = text.markup.replaceAll(TAGS, "").trim() === "" ? safe`${shown}` : text;
  if (!ALLOWED.test(href) || sanitizeLine(href) !== href) {
    return named === text ? safe`${text} (<code>${shown}</code>)` : safe`<code>${shown}</code>`;
  }
  return safe`<a href="${href}" rel="noreferrer noopener">${named}</a>`;
}

/** Shows the image's address. The image is not loaded. */
function imageNote(href: string, text: string): SafeHtml {
  const label = text.trim() === "" ? "[image]" : `[image: ${text}]`;
  return safe`${label} (<code>${shownAddress(href)}</code>)`;
}

function shownAddress(href: string): string {
  return sanitizeLine(href.length > SHOWN ? `${href.slice(0, SHOWN).toWellFormed()}…` : href);
}
