/** Tells a session that is as it was when it was handed over from one that somebody went on with. */
import { isFileThere } from "../file/presence.ts";
import type { SessionHandle } from "../library/session_handle.ts";
import { fileState } from "../session/import/source_state.ts";
import type { AgentName } from "../event/agent_name.ts";
import { type HandedSource, type HandoverRecord, readHandovers } from "./handover_record.ts";

/** The session as it is now. A database holds others, too: there its own last time tells. */
export async function handedSource(handle: SessionHandle): Promise<HandedSource> {
  const { agent, id, thread, path } = handle;
  const ref = `${agent}:${id}`;
  const own = thread === undefined ? { ref } : { ref, thread };
  if ((await handle.files()).length > 0) {
    const { bytes, modified_at: changed_at } = fileState(path);
    return { ...own, bytes, changed_at };
  }
  const { updated_at: changed_at } = await handle.summary();
  return changed_at === undefined ? own : { ...own, changed_at };
}

/**
 * Finds the last hand-over of a session to an agent, if the session is unchanged since.
 *
 * @param root The data root.
 * @param agent The agent that gets it.
 * @param handle The session.
 * @returns The hand-over; undefined where there was none, or its file is gone.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openStore } from "@reprise/reprise";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { earlierHandover } from "@reprise/reprise/handover";
 *
 * const root = await Deno.makeTempDir();
 * await using session = openStore({ root }).create({ cwd: root });
 * await session.turn().user("Hello");
 * await session.finish();
 * const handle = await openLibrary({ root, variable: () => undefined }).open(session.id);
 * assert.equal(await earlierHandover(root, "codex", handle), undefined);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function earlierHandover(
  root: string,
  agent: AgentName,
  handle: SessionHandle,
): Promise<HandoverRecord | undefined> {
  const same = JSON.stringify(await handedSource(handle));
  return readHandovers(root).findLast((record) =>
    record.agent === agent && JSON.stringify(record.source) === same &&
    (record.file === undefined || isFileThere(record.file.path))
  );
}

/** A file that changed so lately may still be written. */
const QUIET_MS = 60_000;

/** Whether somebody may be writing the session now. */
export async function isBeingWritten(handle: SessionHandle, now: number): Promise<boolean> {
  const { status } = await handle.summary();
  if (status !== undefined && handle.log !== undefined) return status === "running";
  return now - Date.parse(fileState(handle.path).modified_at) < QUIET_MS;
}
