/** Remembers what an agent imported into its database, and tells if it is as it was then. */
import { SessionError } from "../event/session_error.ts";
import type { Library } from "../library/library.ts";
import { hashEvents } from "../session/import/source_state.ts";
import type { HandedOver } from "./hand_over.ts";
import { type HandoverRecord, recordHandover } from "./handover_record.ts";
import type { HandoverPlan } from "./plan.ts";

/**
 * Remembers that an agent imported a session: from now on its database holds it. Call it when the
 * commands of `prepare` were run.
 *
 * @param library The sessions of this machine, the agent's among them.
 * @param plan What was handed over.
 * @param done What {@linkcode handOver} made.
 * @param cwd The directory in which it goes on.
 * @returns The hand-over, as it is remembered.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openStore } from "@reprise/reprise";
 * import { openLibrary } from "@reprise/reprise/library";
 * import * as handover from "@reprise/reprise/handover";
 *
 * const root = await Deno.makeTempDir();
 * await using session = openStore({ root }).create({ cwd: root });
 * await session.turn().user("Hello");
 * await session.finish();
 *
 * const library = openLibrary({ root, variable: () => undefined });
 * const environment = { ...library.place.environment, home: root };
 * const target = await handover.handoverTarget("opencode", environment);
 * const handle = await library.open(session.id);
 * const plan = await handover.planHandover(handle, target, { now: Date.now() });
 * const options = { root, cwd: root, force: true };
 * const done = await handover.handOver(plan, target, options);
 * assert.deepEqual(done.prepare, [["opencode", "import", done.file.path]]);
 * const record = await handover.rememberImport(library, plan, done, root);
 * assert.equal(await handover.importedState(library, record), "gone");
 * await Deno.remove(root, { recursive: true });
 * ```
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `disk-full`, `io`
 */
export async function rememberImport(
  library: Library,
  { agent, source, now }: HandoverPlan,
  { id, beside, remove }: HandedOver,
  cwd: string,
): Promise<HandoverRecord> {
  const events_sha256 = await digestOf(library, { agent, id });
  const record: HandoverRecord = {
    ...{ agent, id, beside, cwd, source, time: new Date(now).toISOString() },
    ...(events_sha256 === undefined ? {} : { events_sha256 }),
    ...(remove === undefined ? {} : { remove }),
  };
  recordHandover(library.root, record);
  return record;
}

/**
 * Tells if a session that an agent imported is as it was then.
 *
 * @param library The sessions of this machine.
 * @param record The hand-over, as {@linkcode findHandover} gives it.
 * @returns Whether somebody has gone on with it, or removed it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { importedState } from "@reprise/reprise/handover";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * const record = {
 *   ...{ agent: "opencode" as const, id: "ses_1", beside: [], cwd: root },
 *   ...{ time: "2027-01-01T00:00:00.000Z", source: { ref: "claude:1" } },
 * };
 * assert.equal(await importedState(library, record), "gone");
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function importedState(
  library: Library,
  record: HandoverRecord,
): Promise<"same" | "changed" | "gone"> {
  const digest = await digestOf(library, record);
  if (digest === undefined) return "gone";
  return digest === record.events_sha256 ? "same" : "changed";
}

async function digestOf(
  library: Library,
  { agent, id }: Pick<HandoverRecord, "agent" | "id">,
): Promise<string | undefined> {
  try {
    const handle = await library.open(`${agent}:${id}`);
    return await hashEvents(handle.events());
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}
