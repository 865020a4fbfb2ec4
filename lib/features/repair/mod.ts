/**
 * Repairing sessions of other agents that their own clients lose or refuse. Nothing is invented, and
 * the original stays beside the repaired session, byte for byte.
 *
 * @example Repair a session that its client would wipe
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { examineSession, repairSession } from "@reprise/reprise/repair";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = `${root}/2026-11-22T10-00-00-000Z_a1.jsonl`;
 * const prompt = '{"type":"message","id":"b","parentId":null,"timestamp":"2026-11-22T10:00:01Z",' +
 *   '"message":{"role":"user","content":"Hello","timestamp":1}}';
 * await writeFile(path, `${prompt}\n`);
 * await utimes(path, new Date(0), new Date(0));
 *
 * const session = await openLibrary({ root, variable: () => root }).open(path);
 * const { client, messages } = await examineSession(session, { cwd: "/home/me/project" });
 * assert.deepEqual([client, messages], ["wipes", { before: 0, after: 1 }]);
 * await repairSession(session, { cwd: "/home/me/project" });
 * assert.match(await readFile(path, "utf8"), /^{"type":"session","version":3,"id":"a1"/);
 * await rm(root, { recursive: true });
 * ```
 *
 * @module
 */
export type { DamageKind } from "../../agents/contract/session_repair.ts";
export { examineSession, type RepairOptions, type RepairReport } from "./examine_session.ts";
export type { RepairFinding, RepairOption } from "./finding.ts";
export {
  type RepairedSession,
  type RepairInPlaceOptions,
  repairSession,
} from "./repair_session.ts";
export { type UndoneRepair, undoRepair, type UndoRepairOptions } from "./undo_repair.ts";
