/**
 * Titles, flags, tags and notes of sessions, whichever agent keeps them.
 */
import { appendMark } from "../../core/store/marks.ts";
import type { LocalStore } from "../../core/store/local_store.ts";
import type { SessionHandle } from "./session_handle.ts";

/**
 * The change to a session's marks. An empty title restores the agent's own, an empty note removes
 * the note. Tags replace earlier ones.
 */
export type Annotation =
  | { title: string }
  | { archived: boolean }
  | { tags: readonly string[] }
  | { pinned: boolean }
  | { note: string };

/**
 * Marks a session. A session of the store notes a title and the archiving in its log. All else gets a
 * mark beside all logs. Nothing is written into another agent's files.
 *
 * @param store Where marks are kept.
 * @param session What a {@linkcode Library} opened.
 * @param annotation The title, or the flag.
 * @returns Where it was recorded: a log that another process holds gets a mark, too.
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
