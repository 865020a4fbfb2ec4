/** Renders the edits of all sessions, newest first: each turn's changes below its prompt. */
import type { LogEvent } from "../../core/event/envelope.ts";
import type { PayloadByKind } from "../../core/event/payload.ts";
import { contentText } from "../../core/event/message.ts";
import { present } from "../../core/event/present.ts";
import { isUnseen } from "../../core/projection/unseen_message.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { rowsOf } from "../../library/query/candidate.ts";
import type { SessionEntry } from "../../library/query/query.ts";
import { FOLDS } from "../../text/render/fold.ts";
import { changeHtml } from "../../text/render/html_document/diff.ts";
import { counted } from "../../core/event/counted.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../text/render/html_document/html.ts";
import { sessionTitle } from "../../text/render/html_document/page.ts";
import { createView } from "../../text/render/html_document/view.ts";
import { directoryText, relativePath } from "../../text/render/path_text.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { firstLine } from "../../text/render/text_width.ts";
import { filterQuery, type ListFilter, oddFilters, readFilter } from "./list/filter.ts";
import { chipsHtml, menusHtml } from "./list/filter_form.ts";
import { findSessions } from "./list/found_sessions.ts";
import { blameLink } from "./session/blame_page.ts";
import { agentHtml, agoHtml, emptyHtml } from "./session_labels.ts";
import type { SiteContext } from "./site_context.ts";
import { type PageResponse, sessionLink, sitePage } from "./site_frame.ts";

const TURNS = 20;
/** Maximum number of changed lines on a page. `MOST_BYTES` is the longest session that is read. */
const MOST_LINES = 800;
const MOST_BYTES = 32 * 1024 * 1024;
const TITLE = 140;

interface Edits {
  entry: SessionEntry;
  thread: string;
  /** Number of the prompt's event; 0 if there is none. */
  seq: number;
  prompt: string;
  /** Time of the last change, in milliseconds since 1970. */
  time: number;
  changes: PayloadByKind["diff"][];
}

export async function editsPage(site: SiteContext, query: URLSearchParams): Promise<PageResponse> {
  const { agent, project, span, until } = readFilter(query);
  const filter: ListFilter = present({ agent, project, span, until });
  const before = Number(query.get("before")) || Infinity;
  const { entries, counts, unread } = await findSessions(site, filter);
  const { edits, left_out, more } = await newestEdits(site, entries, before);
  const rows = await rowsOf(edits.map(({ entry }) => entry));
  const rowOf = new Map(rows.map((row) => [row.ref, row]));
  const linkTo = (chosen: ListFilter): string => `edits${filterQuery(chosen)}`;
  const notes = [...oddFilters(query), ...unread, ...left_out]
    .map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>`);
  const room = { lines: MOST_LINES };
  const turns = edits.map((one) => turnHtml(site, one, rowOf.get(one.entry.ref), room));
  const last = edits.at(-1);
  const body = safe`<h1>Edits</h1>
<nav class="chips" aria-label="Filters">${menusHtml(filter, { counts, home: site.home }, linkTo)}${
    chipsHtml(filter, site.home, linkTo)
  }</nav>
${joinHtml(notes)}<div id="edits" data-live="">${
    turns.length > 0 ? joinHtml(turns, "\n") : emptyHtml(
      "No edits",
      entries.length === 0
        ? "There is no session that could have changed a file."
        : `None of ${counted(entries.length, "session")} changed a file.`,
      Object.keys(filter).length === 0
        ? safe`<a class="act" href="./">Show all sessions</a>`
        : safe`<a class="act" href="edits">Clear the filters</a>`,
    )
  }</div>${
    more && last !== undefined
      ? safe`<nav class="pages" aria-label="Pages"><a data-step="later" href="edits${
        filterQuery(filter, { before: String(last.time) })
      }">Earlier edits</a></nav>`
      : NOTHING
  }`;
  return sitePage({ title: "Edits", place: "edits", body, events: "events" }, site.version);
}

/** Reads sessions, the newest first. Stops when older ones cannot have any of the newest edits. */
async function newestEdits(
  { library }: SiteContext,
  entries: readonly SessionEntry[],
  before: number,
): Promise<{ edits: Edits[]; left_out: string[]; more: boolean }> {
  let edits: Edits[] = [];
  const left_out: string[] = [];
  let more = false;
  for (const entry of entries) {
    const { ref, updated, state } = entry;
    if ((edits[TURNS - 1]?.time ?? -Infinity) >= updated) {
      more = true;
      break;
    }
    if ((state?.size ?? 0) > MOST_BYTES) {
      left_out.push(`Left out, because it is long: ${ref}`);
      continue;
    }
    try {
      const found = (await editsOf(library, entry)).filter(({ time }) => time < before);
      edits = [...edits, ...found].sort((one, other) => other.time - one.time);
    } catch {
      left_out.push(`Cannot read ${ref}`);
    }
    more ||= edits.length > TURNS;
    edits = edits.slice(0, TURNS);
  }
  return { edits, left_out, more };
}

const NEEDS = new Set(["user_message", "diff"] as const);

async function editsOf(
  library: SiteContext["library"],
  entry: SessionEntry,
): Promise<Edits[]> {
  const turns: Edits[] = [];
  const handle = await library.open(entry.ref);
  for await (const { thread, events } of handle.allEvents({ needs: NEEDS })) {
    for (const event of events) take(turns, event, { entry, thread });
  }
  return turns.filter(({ changes }) => changes.length > 0);
}

function take(
  turns: Edits[],
  event: LogEvent,
  from: Pick<Edits, "entry" | "thread">,
): void {
  if (event.form !== "known") return;
  if (event.kind === "user_message" && !isUnseen(event.payload)) {
    const prompt = firstLine(contentText(event.payload.content).slice(0, 4 * TITLE), TITLE);
    turns.push({ ...from, seq: event.seq, prompt, time: 0, changes: [] });
  }
  if (event.kind !== "diff") return;
  if (turns.at(-1)?.thread !== from.thread) {
    turns.push({ ...from, seq: 0, prompt: "", time: 0, changes: [] });
  }
  const turn = turns.at(-1);
  turn?.changes.push(event.payload);
  if (turn !== undefined) turn.time = Date.parse(event.time ?? "") || from.entry.updated;
}

function turnHtml(
  site: SiteContext,
  { entry, thread, seq, prompt, time, changes }: Edits,
  row: Summary | undefined,
  room: { lines: number },
): SafeHtml {
  const { ref, cwd } = entry;
  const of = thread === MAIN_THREAD ? {} : { thread };
  const view = createView({ tools: "full", blame: (path) => blameLink(ref, path) });
  const place = seq === 0
    ? sessionLink(ref, of)
    : sessionLink(ref, { ...of, seq: String(seq) }, `e${seq}`);
  const facts = [
    agentHtml(entry.session.agent),
    ...row === undefined
      ? []
      : [safe`<a href="${sessionLink(ref)}" dir="auto">${sessionTitle(row)}</a>`],
    ...cwd === undefined ? [] : [safe`<span>${directoryText(cwd, site.home)}</span>`],
    ...time > 0 ? [agoHtml(new Date(time).toISOString(), site)] : [],
  ];
  return safe`<section class="edit" data-row><h2><a href="${place}" dir="auto">${
    prompt || "(no prompt)"
  }</a></h2><p class="of note">${joinHtml(facts, " · ")}</p>${
    joinHtml(changes.map(({ path = "", lines }) => {
      room.lines -= lines.length;
      const countOf = (wanted: string): number =>
        lines.filter(({ kind }) => kind === wanted).length;
      return changeHtml({
        ...{ type: "diff", seq: 0, path: relativePath(path, cwd), fold: FOLDS.diff },
        ...{ added: countOf("added"), removed: countOf("removed") },
        lines: room.lines < 0 ? [] : lines,
      }, view);
    }))
  }</section>`;
}
