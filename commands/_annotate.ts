/**
 * Titles and flags of sessions, whoever keeps them.
 */
import { parseRef } from "../lib/session/ref.ts";
import { AGENT_NAMES } from "../lib/event/agent_name.ts";
import { appendMark } from "../lib/session/marks.ts";
import type { Recorded } from "../lib/session/session_store.ts";
import type { Context } from "./_context.ts";
import { findOwn, openWhole } from "./_source.ts";
import { contextStore } from "./_store.ts";

/** A session to annotate. */
export interface AnnotationTarget {
  /** An id of ours, or `<agent>:<id>`. */
  ref: string;
  /** How messages name it. */
  name: string;
  own: boolean;
}

/** What to say of a session. */
export type Annotation = { title: string } | { archived: boolean };

/** The session that a reference names, ours or another agent's. */
export async function annotationTarget(context: Context, given: string): Promise<AnnotationTarget> {
  if (parseRef(given, AGENT_NAMES).kind === "agent") {
    const { ref } = await openWhole(context, given);
    return { ref, name: ref, own: false };
  }
  const { session_id } = findOwn(context, given);
  return { ref: session_id, name: session_id.slice(0, 8), own: true };
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
