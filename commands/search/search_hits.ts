/** Renders search hits as text and as JSON. */
import type { FileTouches } from "../../lib/features/blame/mod.ts";
import { present } from "../../lib/core/event/present.ts";
import type { HitRow } from "../../lib/library/search/hit_rows.ts";
import type { SearchHit } from "../../lib/library/search/search_task.ts";
import type { TieredResult } from "../../lib/library/search/tiers.ts";
import { type Context, listTimeFormat, timeFormat, wantsColor } from "../_context.ts";
import { homeFolder } from "../../lib/core/workspace/home_folder.ts";

export interface FoundHit extends HitRow, Pick<TieredResult, "tier"> {
  hit: SearchHit;
  strength: TieredResult["strength"];
  /** The session's changes to the file of `--file`. Undefined without `--file`. */
  changed?: FileTouches | undefined;
}

/** Maximum columns of a title, enough to recognize it. */
const WIDEST_TITLE = 60;
const INDENT = 4;
const LEAST_SNIPPET = 20;

/** Returns the columns left for a snippet on a terminal's line. Undefined for JSON and pipes. */
export function snippetSize({ stdout }: Context, { json }: { json?: true }): number | undefined {
  return stdout.terminal && !json ? Math.max(LEAST_SNIPPET, stdout.width - INDENT) : undefined;
}

export async function hitAsJson(
  { hit, tier, strength, summary, changed }: FoundHit,
): Promise<string> {
  const { toJsonLine } = await import("../../lib/text/render/json_lines.ts");
  const { ref, seq, thread, agent, session_id, time, role, snippet, ranges, score } = hit;
  const { integrity, session_hits: hits } = hit;
  const isAltered = integrity === "mismatch" || integrity === "salvaged";
  const { title, altered, cwd } = summary;
  return toJsonLine(present({
    ...{ ref, seq, thread, agent, session_id, title },
    altered: altered || undefined,
    cwd,
    time: Number.isNaN(time) ? undefined : new Date(time).toISOString(),
    integrity: isAltered ? integrity : undefined,
    ...{ role, snippet, ranges, score: Number(score.toFixed(6)), changed, hits, tier, strength },
  }));
}

export async function renderHits(context: Context, found: readonly FoundHit[]): Promise<string> {
  const { directoryText } = await import("../../lib/text/render/path_text.ts");
  const { integrityLabel, markedTitle } = await import("../../lib/text/render/integrity_mark.ts");
  const { sanitizeLine } = await import("../../lib/text/render/sanitize.ts");
  const { createStyle } = await import("../../lib/text/render/style.ts");
  const { timeLabel } = await import("../../lib/text/render/time_label.ts");
  const { cutText, textWidth } = await import("../../lib/text/render/text_width.ts");
  const { stdout } = context;
  const style = createStyle(wantsColor(context, stdout));
  const format_time = timeFormat(context);
  const home = homeFolder(context.variable);
  const width = stdout.terminal ? stdout.width : Infinity;
  return found.map(({ hit, name, summary }) => {
    const { time, role, snippet, ranges, seq, thread, integrity } = hit;
    const when = Number.isNaN(time) ? [] : [timeLabel(new Date(time).toISOString(), format_time)];
    const where = summary.cwd === undefined ? [] : [directoryText(summary.cwd, home)];
    const title = cutText(
      markedTitle(sanitizeLine(summary.title), summary.altered),
      WIDEST_TITLE,
    );
    // The reference also works for another thread.
    const place = `${name}${thread === undefined ? "" : `~${sanitizeLine(thread)}`}#${seq}`;
    const facts = ["", ...when, role, ...where, title].join("  ");
    const head = style.paint("cyan", place) + cutText(facts, width - place.length);
    const label = integrityLabel(integrity);
    const mark = label === undefined ? "" : style.paint(["bold", "red"], label) + " ";
    let room = width - INDENT - textWidth(mark);
    const fit = (part: string): string => {
      const text = cutText(sanitizeLine(part), room);
      room -= textWidth(text);
      return text;
    };
    const text = marked(
      snippet,
      ranges,
      fit,
      (match) => match === "" ? "" : style.paint(["bold", "yellow"], match),
    );
    return `${head}\n${" ".repeat(INDENT)}${mark}${text}\n`;
  }).join("\n");
}

export async function renderHitSessions(
  context: Context,
  found: readonly FoundHit[],
): Promise<string> {
  const { renderSessionTable } = await import("../../lib/text/render/session_table.ts");
  const { stdout } = context;
  return renderSessionTable(found.map(({ summary }) => summary), {
    ...{ width: stdout.terminal ? stdout.width : Infinity, color: wantsColor(context, stdout) },
    ...{ with_directory: true, format_time: listTimeFormat(context) },
    ...present({ home: homeFolder(context.variable) }),
    hits: found.map(({ hit }) => hit.session_hits ?? 1),
    ids: new Map(found.map(({ summary, name }) => [summary, name])),
  });
}

/** Paints ranges of a text. Sanitizes each piece by itself, because `sanitize` moves offsets. */
function marked(
  text: string,
  ranges: SearchHit["ranges"],
  sanitize: (text: string) => string,
  paint: (text: string) => string,
): string {
  let result = "";
  let at = 0;
  for (const [start, end] of ranges) {
    result += sanitize(text.slice(at, start)) + paint(sanitize(text.slice(start, end)));
    at = end;
  }
  return result + sanitize(text.slice(at));
}
