/** Reads what `resume` prints of a session: of a long one, its end alone. */
import type { LogEvent } from "../../lib/event/envelope.ts";
import type { EventKind } from "../../lib/event/payload.ts";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { Report } from "../../lib/log/diagnostic.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import { transcript } from "../../lib/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../lib/projection/transcript/transcript_item.ts";
import { LastItems } from "../_transcript.ts";

/** The end of a session, and facts about it. */
export interface SessionEnd {
  /** The last items of the transcript. */
  items: TranscriptItem[];
  /** The branch that the work tree was on, if the session says so. */
  branch: string | undefined;
  /** Tokens and cost, in words. */
  used: string | undefined;
}

/** Number of items to show. */
const TAIL_ITEMS = 8;
/** A longer session is not read whole: that takes more than a moment. */
const MOST_BYTES = 16 * 1024 * 1024;
const KINDS: ReadonlySet<EventKind> = new Set([...transcript().needs, "workspace_snapshot"]);

/** Reads the end of a session whose row is known. */
export async function readEnd(
  source: SessionHandle,
  row: Summary,
  report: Report,
): Promise<SessionEnd> {
  return (row.bytes ?? 0) <= MOST_BYTES
    ? await readShort(source, report)
    : await readLong(source, row, report);
}

async function readShort(source: SessionHandle, report: Report): Promise<SessionEnd> {
  const { usageText } = await import("../_usage.ts");
  const read = await fold(source.events({ needs: KINDS, report }));
  return { ...read, used: await usageText(source) };
}

async function readLong(
  source: SessionHandle,
  row: Summary,
  report: Report,
): Promise<SessionEnd> {
  const options = { needs: KINDS, report };
  const tail = await source.tail(TAIL_ITEMS, options);
  const { items, branch } = await fold(
    tail === undefined ? source.events({ ...options, last_messages: TAIL_ITEMS }) : [tail],
  );
  const { log } = source;
  return {
    // The numbers of such events are known in a log of ours alone.
    items: tail === undefined || log !== undefined
      ? items
      : items.map((item) => ({ ...item, seq: 0 })),
    branch: log === undefined ? branch : await source.branch(MOST_BYTES),
    used: await usageInRow(row),
  };
}

/** Describes what the row tells of tokens and cost: a log's last checkpoint has their sums. */
async function usageInRow(row: Summary): Promise<string | undefined> {
  if (row.usage === undefined) {
    const { formatBytes } = await import("../../lib/render/byte_size.ts");
    const size = formatBytes(row.bytes ?? 0);
    return `not counted: the session has ${size}; see: reprise stats --by session`;
  }
  const { describeUsage } = await import("../../lib/render/cost_text.ts");
  return describeUsage(row.usage, row) || undefined;
}

type Batches = AsyncIterable<readonly LogEvent[]> | Iterable<readonly LogEvent[]>;

async function fold(batches: Batches): Promise<Pick<SessionEnd, "items" | "branch">> {
  const projection = transcript();
  const last = new LastItems<TranscriptItem>(TAIL_ITEMS);
  let state = projection.initial();
  let branch: string | undefined;
  for await (const events of batches) {
    for (const event of events) {
      branch = branchOf(event) ?? branch;
      state = projection.apply(state, event);
    }
    for (const item of projection.take(state)) last.push(item);
  }
  for (const item of projection.result(state)) last.push(item);
  return { items: last.items, branch };
}

function branchOf(event: LogEvent): string | undefined {
  if (event.form !== "known") return undefined;
  if (event.kind === "session_started") return event.payload.git?.branch;
  return event.kind === "workspace_snapshot" ? event.payload.git_branch : undefined;
}
