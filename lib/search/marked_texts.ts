/** Searches titles, tags and notes that were given to sessions here, beside their files. */
import type { KnownEvent } from "../event/envelope.ts";
import type { Marks } from "../session/marks.ts";
import { sessionRef } from "../source/session_name.ts";
import type { ScanResult } from "./scan/scan_sources.ts";
import { TopHits } from "./rank.ts";
import {
  type SearchedSession,
  searchEvent,
  type SearchHit,
  type SearchTask,
} from "./search_task.ts";

/** Searches the marks of sessions. A hit is at the start of its session. */
export function scanMarks(
  task: SearchTask,
  sessions: readonly SearchedSession[],
  marks: Marks,
): ScanResult {
  const top = new TopHits<SearchHit>(task.sort, task.limit);
  for (const searched of marks.size === 0 ? [] : sessions) {
    const { title, tags, note } = marks.get(sessionRef(searched.session)) ?? {};
    for (const mark of [title, tags, note]) {
      const text = typeof mark?.value === "string" ? mark.value : mark?.value.join(" ");
      if (mark !== undefined && text) searchEvent(task, searched, toEvent(text, mark.time), top);
    }
  }
  const read = { stopped: false, scanned: 0, scanned_bytes: 0, unread: [], counted: [] };
  return { hits: top.hits, total: top.total, ...read };
}

function toEvent(title: string, time: string): KnownEvent {
  const kind = "session_renamed";
  return { form: "known", seq: 1, kind, time, payload: { title }, integrity: "unverified" };
}
