/** `reprise repair` of a session that an agent other than Reprise wrote. */
import { present } from "../../lib/core/event/present.ts";
import { resolve } from "node:path";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { openLibrary } from "../../lib/library/library.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import type { RepairOptions, RepairReport } from "../../lib/features/repair/examine_session.ts";
import { type Context, pathOf } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { printJson, say } from "../_message.ts";
import type { RepairArguments } from "./repair_arguments.ts";
import type { RepairFinding, RepairOption } from "../../lib/features/repair/finding.ts";
import { counted } from "../../lib/core/event/counted.ts";

export async function repairForeign(
  context: Context,
  session: SessionHandle,
  options: RepairArguments,
): Promise<void> {
  if (options.undo) return await undo(context, session, options);
  const { checkDatabase } = await import("../../lib/features/repair/examine_session.ts");
  const faults = await checkDatabase(session);
  if (faults !== undefined) return await tellDatabase(context, session, faults, options);
  if (options.out !== undefined) return await copy(context, session, options, options.out);
  if (options.write) return await write(context, session, options);
  const { examineSession } = await import("../../lib/features/repair/examine_session.ts");
  const report = await examineSession(session, repairOptions(context, options));
  await print(context, { ref: session.ref, ...report }, options, () => {
    return reportText(session, report, { written: false });
  });
}

function repairOptions(
  context: Context,
  { relink, trimOutput: trim_output_bytes, cwd }: RepairArguments,
): RepairOptions {
  return present({ now: context.now, relink, trim_output_bytes, cwd: pathOf(context, cwd) });
}

function machine(
  { variable, cwd }: Context,
): ReturnType<typeof openLibrary>["place"]["environment"] {
  return openLibrary({ variable, cwd }).place.environment;
}

async function print(
  context: Context,
  value: unknown,
  { json }: RepairArguments,
  text: () => string,
): Promise<void> {
  if (json) return await printJson(context, value);
  const { sanitizeText } = await import("../../lib/text/render/sanitize.ts");
  context.stdout.write(`${sanitizeText(text())}\n`);
}

async function write(
  context: Context,
  session: SessionHandle,
  options: RepairArguments,
): Promise<void> {
  const { repairSession } = await import("../../lib/features/repair/repair_session.ts");
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

/**
 * Returns the session's reference. If the first record was lost, returns the path, because the
 * repair makes a new id.
 */
function named({ ref, path }: SessionHandle, { findings }: RepairReport): string {
  return findings.some(({ damage }) => damage === "no-header") ? path : ref;
}

async function copy(
  context: Context,
  session: SessionHandle,
  options: RepairArguments,
  out: string,
): Promise<void> {
  const { repairCopy } = await import("../../lib/features/repair/repair_session.ts");
  const target = resolve(context.cwd, out);
  const report = await repairCopy(session, target, repairOptions(context, options));
  await print(context, { ref: session.ref, ...report, out: target }, options, () => {
    return reportText(session, report, { written: true });
  });
  if (!options.json) await say(context, `Wrote ${target}; the session itself is unchanged`);
}

async function undo(
  context: Context,
  session: SessionHandle,
  options: RepairArguments,
): Promise<void> {
  const { undoRepair } = await import("../../lib/features/repair/undo_repair.ts");
  const { now } = context;
  const undone = await undoRepair(session, { now, environment: machine(context) });
  await print(context, { ref: session.ref, ...undone }, options, () => {
    return `Restored the original: ${undone.path}`;
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
      "Cannot repair session: it is stored in a database, which Reprise never changes. Export " +
      `what can be read: reprise export ${ref} --out FILE`;
    throw new SessionError("unsupported-source", message, { path });
  }
  const value = { ref, path, database_faults: faults };
  await print(context, value, options, () => databaseText(session, faults));
  if (faults.length > 0) throw new CommandExit(STATUS.failed);
}

type Named = Pick<SessionHandle, "ref" | "agent_title">;

const ENDS: Readonly<Record<NonNullable<RepairReport["client"]>, (agent: string) => string>> = {
  refuses: (agent) => `${agent} refuses to open the session`,
  wipes: (agent) =>
    `${agent} may overwrite the file as if it were empty, so resuming the session could lose ` +
    `everything`,
  hangs: (agent) => `${agent} hangs or fails when the session is resumed`,
  "does-not-find": (agent) => `${agent} does not find the session`,
};

const NEEDED: Readonly<Record<RepairOption, string>> = {
  relink: "with --relink: attach this record to the previous record (a guess)",
  cwd: "with --cwd DIRECTORY: write a new first record that names the project's directory",
  trim_output: "with --trim-output BYTES: shorten tool output (changes the session)",
};

const REPEATED = "with --relink: give this record a new id (a guess)";

function reportText(
  session: Named,
  report: RepairReport,
  { written }: { written: boolean },
): string {
  const { findings, more_findings, client, messages, repairable } = report;
  const { ref, agent_title } = session;
  if (findings.length === 0) {
    return `Nothing to repair in ${ref}: if the session is resumed, the model receives ` +
      `${counted(messages.before, "message")}`;
  }
  const lines = findings.flatMap(findingLines);
  if (more_findings > 0) lines.push(`and ${more_findings} more problems of this kind`);
  if (client !== undefined) lines.push(ENDS[client](agent_title));
  const { before, after } = messages;
  lines.push(`The model receives ${counted(before, "message")} now, and ${after} after the repair`);
  if (!repairable) lines.push("The flags that you gave repair none of these problems");
  else if (!written) lines.push(`To write the repair: reprise repair ${ref} --in-place --write`);
  return lines.join("\n");
}

function findingLines(finding: RepairFinding): string[] {
  const { line, offset, found, today, repair, needs } = finding;
  const needed = finding.damage === "repeated-id" ? REPEATED : needs && NEEDED[needs];
  const does = [
    ...(repair === undefined ? [] : [repair]),
    ...(needs === undefined ? [] : [needed]),
  ];
  return [
    `line ${line}, byte ${offset}: ${found}`,
    ...(today === undefined ? [] : [`  now: ${today}`]),
    `  repair: ${does.length === 0 ? "none; unchanged" : does.join("; ")}`,
  ];
}

function databaseText({ ref }: Named, faults: readonly string[]): string {
  const found = faults.length === 0
    ? "No problems found in the database"
    : ["SQLite reports problems in the database:", ...faults.map((fault) => `  ${fault}`)].join(
      "\n",
    );
  return `${found}\nReprise never changes an agent's database. To export what can be read: ` +
    `reprise export ${ref} --out FILE`;
}
