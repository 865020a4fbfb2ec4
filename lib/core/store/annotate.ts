/** Changes a session's title or its archived state. */
import type { NewEvent } from "../event/envelope.ts";
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";
import { annotationOf, type LogAnnotation } from "./checked_arguments.ts";
import { appendMark, outdateMark } from "./marks.ts";
import type { OpenedHere } from "./opened_here.ts";
import type { Session } from "./session.ts";

/** The file that took the change: the session's log, or `marks.jsonl` while the log is locked. */
export type Recorded = "log" | "mark";

/**
 * Appends an event about the whole session and releases the lock. If the session was closed, its
 * close is written again, because a close counts only as the last event.
 */
export async function annotateSession(session: Session, event: NewEvent): Promise<void> {
  try {
    const { closed, exit_code, summary } = session.summary;
    const close = closed && present({ status: closed, exit_code, summary });
    const again = close === undefined ? [] : [{ kind: "session_closed", payload: close } as const];
    await session.appendAll([event, ...again]);
    await session.sync();
  } finally {
    await session.release();
  }
}

interface AnnotatedStore {
  readonly root: string;
  readonly now: () => Date;
  resume(ref: string): Promise<Session>;
  readonly open: OpenedHere;
}

/**
 * Writes a rename or an archiving to a session's log. If this process has the session open, the
 * open session appends the event. If another process has it open, the change is written to
 * `marks.jsonl` instead.
 */
export async function annotate(
  store: AnnotatedStore,
  session_id: string,
  mark: LogAnnotation,
): Promise<Recorded> {
  const event = annotationOf(mark);
  try {
    await annotateSession(await store.resume(session_id), event);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "locked") throw error;
    const appended = await store.open.append(session_id, event);
    if (appended === "log") return outdated();
    try {
      appendMark(store.root, { ref: session_id, ...mark, time: store.now().toISOString() });
    } catch (error) {
      // A session in memory has the change. Lists show it where the disk has room for the mark.
      if (!(error instanceof SessionError) || appended === false) throw error;
    }
    return appended === false ? "mark" : "log";
  }
  return outdated();

  function outdated(): Recorded {
    outdateMark(store.root, { ref: session_id, ...mark }, store.now());
    return "log";
  }
}
