/** Titles, flags, tags and notes of sessions, whichever agent keeps them. */
import { appendMark } from "../../core/store/marks.ts";
import type { LocalStore } from "../../core/store/local_store.ts";
import type { SessionHandle } from "./session_handle.ts";

/**
 * A change to a session's title, flags, tags or note. An empty title restores the agent's own
 * title, an empty note removes the note. Tags replace all earlier tags.
 */
export type Annotation =
  | { title: string }
  | { archived: boolean }
  | { tags: readonly string[] }
  | { pinned: boolean }
  | { note: string };

/**
 * Changes the title, a flag, the tags or the note of a session. The log of a session of the store
 * gets a title or the archived flag. Every other change is stored as a mark outside the logs. Other
 * agents' files stay unchanged.
 *
 * @param store The store that keeps the marks.
 * @param session The session, opened by a {@linkcode Library}.
 * @param annotation The change, such as a title or a flag.
 * @returns Where the change was recorded: `mark` also if another process holds the log.
 * @throws {SessionError} `not-found`, `permission`, `disk-full`, `unsafe-store`, `io`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { annotate, openLibrary } from "@reprise/reprise/library";
 * import { openLocalStore } from "@reprise/reprise/store";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = `${root}/talk.jsonl`;
 * await writeFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * const library = openLibrary({ root, variable: () => undefined });
 * assert.equal(await annotate(openLocalStore({ root }), await library.open(path), { title: "A" }), "mark");
 * await rm(root, { recursive: true });
 * ```
 */
export async function annotate(
  store: LocalStore,
  session: SessionHandle,
  annotation: Annotation,
): Promise<"log" | "mark"> {
  if (session.writable) {
    if ("title" in annotation) return await store.rename(session.id, annotation.title);
    if ("archived" in annotation) return await store.archive(session.id, annotation.archived);
  }
  const ref = session.writable ? session.id : session.ref;
  appendMark(store.root, { ref, ...annotation, time: store.now().toISOString() });
  return "mark";
}
