/** Holds what the parts of one page share: settings, the colours of code, changed words. */
import type { ToolDetail } from "../block/block.ts";
import { createHighlight as createRuns } from "../highlight.ts";
import { sanitizeText } from "../sanitize.ts";
import type { TimeFormat } from "../time_label.ts";
import { joinHtml, safe, type SafeHtml } from "./safe_html.ts";
import { diffWordsWithSpace } from "npm:diff@9.0.0";

export interface HtmlView {
  tools: ToolDetail;
  format_time: TimeFormat | undefined;
  highlight: Highlight;
  changed_words: FindChangedWords;
}

export function createView(
  { tools, format_time }: { tools: ToolDetail; format_time?: TimeFormat },
): HtmlView {
  return {
    tools,
    format_time,
    highlight: createHighlight(),
    changed_words: createChangedWords(),
  };
}

/** Writes code as HTML, in colours if its language is known. */
export type Highlight = (code: string, language: string | undefined) => SafeHtml;

export function createHighlight(): Highlight {
  const runsOf = createRuns();
  return (code, language) => {
    const runs = runsOf(sanitizeText(code), language);
    if (runs === undefined) return safe`${code}`;
    return joinHtml(
      runs.map(({ text, ink }) =>
        ink === undefined ? safe`${text}` : safe`<span class="c-${ink}">${text}</span>`
      ),
    );
  };
}

export interface Stretch {
  text: string;
  changed: boolean;
}

/** A line as it was and as it is, in stretches. */
export interface ChangedWords {
  before: Stretch[];
  after: Stretch[];
}

/** Finds the changes between two lines; `undefined` if they differ too much. */
type FindChangedWords = (before: string, after: string) => ChangedWords | undefined;

/** Longer lines are not compared. In UTF-16 units. */
const LINE_LIMIT = 400;
/** Characters compared in one document. */
const DOCUMENT_LIMIT = 256 * 1024;
const MAX_EDITS = 80;
/** Lines that share less are two lines, not one that was changed. */
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
