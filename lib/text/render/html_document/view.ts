/** Holds what all parts of one page share: settings, the colours of code, and changed words. */
import { present } from "../../../core/event/present.ts";
import type { ToolDetail } from "../block/block.ts";
import { type CodeRun, createHighlight as createRuns, TEXT_LIMIT } from "../highlight.ts";
import { sanitizeText } from "../sanitize.ts";
import type { TimeFormat } from "../time_label.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./html.ts";
import { diffWordsWithSpace } from "npm:diff@9.0.0";

export interface HtmlView {
  tools: ToolDetail;
  format_time: TimeFormat | undefined;
  highlight: HtmlHighlight;
  changed_words: FindChangedWords;
  /** True to render prompts as Markdown. False shows them as typed. @default {false} */
  renders_prompts?: boolean | undefined;
  /** Returns the address of the page that tells who wrote a file's lines. @default {no page} */
  blame?: ((path: string) => string) | undefined;
}

export function createView(
  { tools, format_time, blame, renders_prompts }:
    & Pick<HtmlView, "tools" | "blame" | "renders_prompts">
    & { format_time?: TimeFormat },
): HtmlView {
  return {
    tools,
    renders_prompts,
    format_time,
    blame,
    highlight: createHighlight(),
    changed_words: createChangedWords(),
  };
}

export type HtmlHighlight = (code: string, language: string | undefined) => SafeHtml;

export function createHighlight(): HtmlHighlight {
  const runsOf = createRuns();
  return (code, language) => {
    const runs = runsOf(sanitizeText(code), language);
    if (runs === undefined) return safe`${code}`;
    return joinHtml(runs.map(runHtml));
  };
}

function runHtml({ text, ink }: CodeRun): SafeHtml {
  return ink === undefined ? safe`${text}` : safe`<span class="c-${ink}">${text}</span>`;
}

/** Highlights lines in groups of up to `TEXT_LIMIT` units. Longer code would not be highlighted. */
export function highlightLines(lines: readonly string[], language?: string): SafeHtml[] {
  const runsOf = createRuns();
  const done: SafeHtml[] = [];
  for (let first = 0; first < lines.length;) {
    let [end, size] = [first, 0];
    do size += (lines[end++]?.length ?? 0) + 1; while (
      end < lines.length && size + (lines[end]?.length ?? 0) <= TEXT_LIMIT
    );
    const text = lines.slice(first, end).join("\n");
    let line = NOTHING;
    for (const { text: code, ink } of runsOf(text, language) ?? [{ text }]) {
      for (const [index, piece] of code.split("\n").entries()) {
        if (index > 0) {
          done.push(line);
          line = NOTHING;
        }
        line = safe`${line}${runHtml(present({ text: piece, ink }))}`;
      }
    }
    done.push(line);
    first = end;
  }
  return done;
}

export interface Stretch {
  text: string;
  changed: boolean;
}

export interface ChangedWords {
  before: Stretch[];
  after: Stretch[];
}

/** Finds changed words. Returns undefined if the lines differ too much or are too long. */
type FindChangedWords = (before: string, after: string) => ChangedWords | undefined;

/** Maximum length in UTF-16 units of lines whose words are compared. */
const LINE_LIMIT = 400;
/** Maximum number of characters of one document that are compared to find changed words. */
const DOCUMENT_LIMIT = 256 * 1024;
const MAX_EDITS = 80;
/** Minimum share of equal characters of two lines. Below it, changed words are not shown. */
const LEAST_SHARED = 0.3;

export function createChangedWords(): FindChangedWords {
  let room = DOCUMENT_LIMIT;
  return (before, after) => {
    if (Math.max(before.length, after.length) > LINE_LIMIT || room <= 0) return undefined;
    room -= before.length + after.length;
    return compareWords(before, after);
  };
}

function compareWords(before: string, after: string): ChangedWords | undefined {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS });
  const words: ChangedWords = { before: [], after: [] };
  let shared = 0;
  for (const { value, added, removed } of changes ?? []) {
    if (!added) words.before.push({ text: value, changed: removed });
    if (!removed) words.after.push({ text: value, changed: added });
    if (!added && !removed) shared += value.trim().length;
  }
  const longest = Math.max(before.trim().length, after.trim().length);
  return shared < LEAST_SHARED * longest ? undefined : words;
}
