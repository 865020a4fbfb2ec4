/** `reprise repair` of a session that another agent keeps. */
import { present } from "../../lib/event/present.ts";
import { resolve } from "node:path";
import { SessionError } from "../../lib/event/session_error.ts";
import { openLibrary } from "../../lib/library/library.ts";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { RepairOptions, RepairReport } from "../../lib/repair/examine_session.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { say } from "../_message.ts";
import type { RepairArguments } from "../repair.ts";
import { databaseText, reportText } from "./report_text.ts";

/** Mends a session of another agent, or says what that would do. */
export async function repairForeign(
  context: Context,
  session: SessionHandle,
  options: RepairArguments,
): Promise<void> {
  if (options.undo) return await undo(context, session, options);
  const { checkDatabase } = await import("../../lib/repair/examine_session.ts");
  const faults = await checkDatabase(session);
  if (faults !== undefined) return await tellDatabase(context, session, faults, options);
  if (options.out !== undefined) return await copy(context, session, options, options.out);
  if (options.write) return await write(context, session, options);
  const { examineSession } = await import("../../lib/repair/examine_session.ts");
  const report = await examineSession(session, repairOptions(context, options));
  await print(context, { ref: session.ref, ...report }, options, () => {
    return reportText(session, report, { written: false });
  });
}

function repairOptions(
  { cwd: from, now }: Context,
  { relink, trimOutput, cwd }: RepairArguments,
): RepairOptions {
  return present({
    now,
    relink,
    trim_output_bytes: trimOutput,
    ...(cwd === undefined ? {} : { cwd: resolve(from, cwd) }),
  });
}

function machine(
  { variable, cwd }: Context,
): ReturnType<typeof openLibrary>["place"]["environment"] {
  return openLibrary({ variable, cwd }).place.environment;
}

/** Prints a value as JSON, or a text that is safe on a terminal. */
async function print(
  context: Context,
  value: unknown,
  { json }: RepairArguments,
  text: () => string,
): Promise<void> {
  if (json) {
    const { toJsonLine } = await import("../../lib/render/json_lines.ts");
    context.stdout.write(toJsonLine(value));
    return;
  }
  const { sanitizeText } = await import("../../lib/render/sanitize.ts");
  context.stdout.write(`${sanitizeText(text())}\n`);
}

async function write(
  context: Context,
  session: SessionHandle,
  options: RepairArguments,
): Promise<void> {
  const { repairSession } = await import("../../lib/repair/repair_session.ts");
  const environment = machine(context);
  const done = await repairSession(session, { ...repairOptions(context, options), environment });
  const { report, backup, notes } = done;
  const value = { ref: session.ref, ...report, written: backup !== undefined, backup, notes };
  await print(context, value, options, () => {
    return reportText(session, report, { written: backup !== undefined });
  });
  if (backup === undefined || options.json) return;
  for (const note of notes) await say(context, `reprise: ${note}`);
  await say(context, `Repaired ${session.path}\nThe original is ${backup}`);
  await say(context, `Undo with: reprise repair ${named(session, report)} --in-place --undo`);
}

/** A chat whose head was lost has another id now. */
function named({ ref, path }: SessionHandle, { findings }: RepairReport): string {
  return findings.some(({ damage }) => damage === "no-header") ? path : ref;
}

async function copy(
  context: Context,
  session: SessionHandle,
  options: RepairArguments,
  out: string,
): Promise<void> {
  const { repairCopy } = await import("../../lib/repair/repair_session.ts");
  const target = resolve(context.cwd, out);
  const report = await repairCopy(session, target, repairOptions(context, options));
  await print(context, { ref: session.ref, ...report, out: target }, options, () => {
    return reportText(session, report, { written: true });
  });
  if (!options.json) await say(context, `Wrote ${target}; the session itself is as it was`);
}

async function undo(
  context: Context,
  session: SessionHandle,
  options: RepairArguments,
): Promise<void> {
  const { undoRepair } = await import("../../lib/repair/undo_repair.ts");
  const { now } = context;
  const undone = await undoRepair(session, { now, environment: machine(context) });
  await print(context, { ref: session.ref, ...undone }, options, () => {
    return `Put the original back: ${undone.path}`;
  });
}

async function tellDatabase(
  context: Context,
  session: SessionHandle,
  faults: readonly string[],
  options: RepairArguments,
): Promise<void> {
  const { ref, path } = session;
  if (options.write || options.out !== undefined) {
    const message =
      "Cannot repair session: it is kept in a database, which is never changed; export " +
      `what can be read: reprise export ${ref} --out FILE`;
    throw new SessionError("unsupported-source", message, { path });
  }
  const value = { ref, path, database_faults: faults };
  await print(context, value, options, () => databaseText(session, faults));
  if (faults.length > 0) throw new CommandExit(STATUS.failed);
}
