/** Writes a repaired copy of a session; the session itself is not changed. */
import type { SessionHandle } from "../library/session_handle.ts";
import { SessionError } from "../event/session_error.ts";
import { isNotFound } from "../platform/system_error.ts";
import { lstatSync } from "../platform/files.ts";
import { planRepair, type RepairOptions, type RepairReport } from "./examine_session.ts";
import { checkHeader } from "./repair_session.ts";
import { repairedBytes } from "./repaired_bytes.ts";
import { writeBytes } from "./write_bytes.ts";

/**
 * Writes a repaired copy of a session of another agent to a new file.
 *
 * @param session The session, as a library opens it.
 * @param out The file to make, which must not exist.
 * @param options What the repair may do beside what is certain.
 * @returns What was wrong, and what was done about it in the copy.
 * @throws {SessionError} `unsupported-source`, `invalid-config`, `not-found`, `permission`,
 * `disk-full`, `io`: no file is left then.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { repairCopy } from "@reprise/reprise/repair";
 *
 * const root = await Deno.makeTempDir();
 * const header = '{"type":"session","version":3,"id":"a","timestamp":"2026-11-22T10:00:00Z","cwd":"/p"}';
 * await Deno.writeTextFile(`${root}/torn.jsonl`, `${header}\n{"type":"mess`);
 *
 * const library = openLibrary({ root, variable: () => root });
 * const session = await library.open(`${root}/torn.jsonl`);
 * const { findings } = await repairCopy(session, `${root}/whole.jsonl`);
 * assert.equal(findings[0]?.damage, "torn-end");
 * assert.equal(await Deno.readTextFile(`${root}/whole.jsonl`), `${header}\n`);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function repairCopy(
  session: SessionHandle,
  out: string,
  options: RepairOptions = {},
): Promise<RepairReport> {
  checkFree(out);
  const { report, options: writing } = await planRepair(session, options);
  checkHeader(report);
  await writeBytes(out, repairedBytes(session.path, writing), "write repaired session");
  return report;
}

function checkFree(out: string): void {
  try {
    lstatSync(out);
  } catch (error) {
    // Whatever else is wrong with it shows when it is made.
    if (isNotFound(error)) return;
  }
  const message = `Cannot create file: it exists, and nothing is overwritten: ${out}`;
  throw new SessionError("io", message, { path: out });
}
