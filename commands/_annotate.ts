/**
 * Titles and flags of sessions, whoever keeps them.
 */
import { appendMark } from "../lib/session/marks.ts";
import type { Recorded } from "../lib/session/session_store.ts";
import type { Context } from "./_context.ts";
import { openWhole } from "./_session.ts";
import { contextStore } from "./_store.ts";

/** A session to annotate. */
export interface AnnotationTarget {
  /** An id of ours, or `<agent>:<id>`. */
  ref: string;
  /** How messages name it. */
  name: string;
  /** Whether it is in the store, so that its own log can say it. */
  own: boolean;
}

/** What to say of a session. */
export type Annotation = { title: string } | { archived: boolean };

/** The session that a reference names, ours or another agent's. */
export async function annotationTarget(context: Context, given: string): Promise<AnnotationTarget> {
  const { ref, id, writable } = await openWhole(context, given);
  if (writable) return { ref: id, name: id.slice(0, 8), own: true };
  return { ref, name: ref, own: false };
}

/** Says it in the log, or beside it: nothing is written into another agent's files. */
export async function annotate(
  context: Context,
  { ref, own }: AnnotationTarget,
  annotation: Annotation,
): Promise<Recorded> {
  const store = contextStore(context);
  if (!own) {
    appendMark(store.root, { ref, ...annotation, time: context.now().toISOString() });
    return "mark";
  }
  return "title" in annotation
    ? await store.rename(ref, annotation.title)
    : await store.archive(ref, annotation.archived);
}
