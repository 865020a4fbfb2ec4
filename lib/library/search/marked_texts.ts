/** Searches titles, tags and notes that the user gave to sessions. No session's file has them. */
import type { KnownEvent } from "../../core/event/envelope.ts";
import type { Marks } from "../../core/store/marks.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { TopHits } from "./rank.ts";
import {
  type SearchedSession,
  searchEvent,
  type SearchHit,
  type SearchTask,
} from "./search_task.ts";

export interface MarkedText {
  text: string;
  time: string;
}

export function markedTexts({ session }: SearchedSession, marks: Marks): MarkedText[] {
  const { title, tags, note } = marks.get(sessionRef(session)) ?? {};
  return [title, tags, note].flatMap((mark) => {
    const text = typeof mark?.value === "string" ? mark.value : mark?.value.join(" ");
    return mark !== undefined && text ? [{ text, time: mark.time }] : [];
  });
}

/** Searches a session's titles, tags and notes. Adds hits to `top` as hits of the first event. */
export function searchMarked(
  task: SearchTask,
  searched: SearchedSession,
  marked: readonly MarkedText[],
  top: TopHits<SearchHit>,
): void {
  for (const { text, time } of marked) searchEvent(task, searched, toEvent(text, time), top);
}

function toEvent(title: string, time: string): KnownEvent {
  const kind = "session_renamed";
  return { form: "known", seq: 1, kind, time, payload: { title }, integrity: "unverified" };
}
