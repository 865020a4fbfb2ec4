/** Renders a file change as a table of old and new lines, in two columns on wide pages. */
import type { DiffLine } from "../../../core/event/payload.ts";
import type { DiffBlock } from "../block/block.ts";
import { sanitizeLine } from "../sanitize.ts";
import type { ChangedWords, HtmlView, Stretch } from "./view.ts";
import { detailsHtml } from "./elements.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./html.ts";

/** Maximum lines of a change that is shown open. Longer changes are folded. */
const OPEN_LINES = 60;

export function changeHtml(block: DiffBlock, view: HtmlView): SafeHtml {
  const { lines } = block;
  const path = sanitizeLine(block.path ?? "a file");
  const counts = safe`<span class="end">${changeCounts(block)} lines</span>`;
  const line = safe`<span class="name">Changed</span> <code class="short">${path}</code> ${counts}`;
  const table = lines.length === 0 ? NOTHING : diffTable(lines, `Changes in ${path}`, view);
  const blame = view.blame === undefined || block.path === undefined
    ? NOTHING
    : safe`<p class="note"><a href="${view.blame(block.path)}">Blame ${path}</a></p>`;
  return detailsHtml("call k-edit", line, safe`${table}${blame}`, lines.length <= OPEN_LINES);
}

export function changeCounts({ added, removed }: { added: number; removed: number }): SafeHtml {
  return safe`<span class="counts"><b class="ok">+${added}</b> <b class="fail">−${removed}</b></span>`;
}

export function diffTable(lines: readonly DiffLine[], caption: string, view: HtmlView): SafeHtml {
  const rows = inRuns(diffRows(lines)).map(([is_change, run]) =>
    safe`<tbody${is_change ? safe` class="run"` : NOTHING}>${
      joinHtml(run.map((row) => rowHtml(row, view)))
    }</tbody>`
  );
  const is_numbered = lines.some(({ old, new: now }) => old !== undefined || now !== undefined);
  const name = is_numbered ? "diff" : "diff unnumbered";
  return safe`<div class="${name}"><table><caption class="unseen">${caption}</caption><thead><tr><th scope="col">Line</th><th scope="col">Before</th><th scope="col">Line</th><th scope="col">After</th></tr></thead>${
    joinHtml(rows)
  }</table></div>`;
}

/** Splits rows into changed and unchanged runs. Narrow pages show a run's removed lines first. */
function inRuns(rows: readonly DiffRow[]): [is_change: boolean, rows: DiffRow[]][] {
  const runs: [boolean, DiffRow[]][] = [];
  for (const row of rows) {
    const is_change = !("hunk" in row) && row.before !== row.after;
    const last = runs.at(-1);
    if (last?.[0] === is_change) last[1].push(row);
    else runs.push([is_change, [row]]);
  }
  return runs;
}

function rowHtml(row: DiffRow, view: HtmlView): SafeHtml {
  if ("hunk" in row) {
    return safe`<tr class="hunk"><td colspan="4">${sanitizeLine(row.hunk) || "⋯"}</td></tr>\n`;
  }
  const { before, after } = row;
  if (before !== undefined && before === after) return contextRow(before);
  const words = before === undefined || after === undefined
    ? undefined
    : view.changed_words(lineText(before), lineText(after));
  return safe`<tr>${oldCells(before, words)}${newCells(after, words)}</tr>\n`;
}

function contextRow(line: DiffLine): SafeHtml {
  const text = lineText(line);
  return safe`<tr class="same"><td>${line.old}</td><td>${text}</td><td>${line.new}</td><td>${text}</td></tr>\n`;
}

const GONE = safe`<td class="gone"></td><td class="gone"></td>`;

function oldCells(line: DiffLine | undefined, words: ChangedWords | undefined): SafeHtml {
  if (line === undefined) return GONE;
  const text = words === undefined
    ? safe`${lineText(line)}`
    : joinHtml(words.before.map(removedHtml));
  return safe`<td class="del">${line.old}</td><td class="del">${text}</td>`;
}

function newCells(line: DiffLine | undefined, words: ChangedWords | undefined): SafeHtml {
  if (line === undefined) return GONE;
  const text = words === undefined ? safe`${lineText(line)}` : joinHtml(words.after.map(addedHtml));
  return safe`<td class="ins">${line.new}</td><td class="ins">${text}</td>`;
}

function removedHtml({ text, changed }: Stretch): SafeHtml {
  return changed ? safe`<del>${text}</del>` : safe`${text}`;
}

function addedHtml({ text, changed }: Stretch): SafeHtml {
  return changed ? safe`<ins>${text}</ins>` : safe`${text}`;
}

/** Removes control characters. Offsets of changed words refer to the returned text. */
function lineText(line: DiffLine): string {
  const content = line.content.endsWith("\n") ? line.content.slice(0, -1) : line.content;
  return sanitizeLine(content.replaceAll("\t", "    "));
}

/** A row of a diff. `before` is absent for an added line, and `after` for a removed line. */
export type DiffRow = { hunk: string } | { before?: DiffLine; after?: DiffLine };

/** Pairs removed lines with the added lines that replace them, one by one. */
export function diffRows(lines: readonly DiffLine[]): DiffRow[] {
  const rows: DiffRow[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  function settle(): void {
    for (let at = 0; at < Math.max(removed.length, added.length); at++) {
      const [before, after] = [removed[at], added[at]];
      rows.push({ ...(before && { before }), ...(after && { after }) });
    }
    removed = [];
    added = [];
  }
  for (const line of lines) {
    if (line.kind === "removed") {
      if (added.length > 0) settle();
      removed.push(line);
    } else if (line.kind === "added") added.push(line);
    else {
      settle();
      rows.push(line.kind === "hunk" ? { hunk: line.content } : { before: line, after: line });
    }
  }
  settle();
  return rows;
}
