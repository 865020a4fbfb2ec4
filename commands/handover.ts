/** `reprise handover` */
import { AGENT_NAMES, REPRISE } from "../lib/event/agent_name.ts";
import { SessionError } from "../lib/event/session_error.ts";
import type { HandoverRecord } from "../lib/handover/mod.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { type HandoverOutcome, handOverSession } from "./_handover/hand_over_session.ts";
import { handOverToStore } from "./_handover/continue_elsewhere.ts";
import { quoteWord, runProgram } from "./_handover/run_program.ts";
import { latestRef } from "./_latest_session.ts";
import { contextLibrary } from "./_library.ts";
import { printExact, printJson, say } from "./_message.ts";
import { parseCount } from "./_values.ts";
import { openWhole } from "./_session.ts";

const NOTES = `
What goes along is told before anything is written: the conversation in force,
with calls and their results. Nothing that exists is changed; the session gets a
new id. Reasoning stays, unless its provider gets it back (--reasoning keep).

Examples:
  reprise handover claude:3f2a --to codex
  reprise handover --to codex           this project's latest session
  reprise handover 3f2a --to claude --last 20 --redact
  reprise handover --undo 019a          while nobody has gone on with it`;

export const handoverCommand = defineCommand({
  summary: "continue a session in another agent",
  description:
    "Convert a session to another agent's own format and put it where that agent finds it. " +
    "Prints the command that continues it. To run that at once: reprise resume REF --in AGENT. " +
    "Without REF, it is this project's latest.",
  arguments: [["[ref]", "which session, or the path of a log"]],
  flags: {
    "--to <agent>": { help: "the agent that gets the session", choices: AGENT_NAMES },
    "--cwd <dir>": "the directory in which it continues (default: its own)",
    "--title <text>": "the title of the new session (default: its own)",
    "--tools <form>": {
      help: "calls as the agent's own tools, as they were, or as text",
      choices: ["mapped", "native", "text"],
    },
    "--reasoning <what>": {
      help: "keep: reasoning that its provider gets back goes along",
      choices: ["drop", "keep"],
    },
    "--last <turns>": {
      help: "only the last turns, with a note that names the rest",
      parse: parseCount,
    },
    "--redact": "replace secrets",
    "--dry-run": "say what would go along; write nothing",
    "--out <file>": "write the session to a file; the agent need not be there",
    "--again": "once more, though the agent has it already, unchanged",
    "--force": "also to an agent that was never used here",
    "--undo <id>": "remove the session that a hand-over made, if it is unchanged",
    "--json": "one object {id, path, prepare, command, report}",
  },
  notes: NOTES,
  run: async (context, ref, { undo, json, to, ...choice }) => {
    if (undo !== undefined) {
      if (ref !== undefined || to !== undefined) {
        throw new UsageError("--undo takes the id of a session that was handed over, and no REF");
      }
      const { agent, id } = await undoById(context, undo);
      if (json) await printJson(context, { undone: `${agent}:${id}` });
      return;
    }
    if (to === undefined) throw new UsageError("give the agent that gets the session: --to AGENT");
    const session = await openWhole(context, ref ?? await latestRef(context));
    if (to === REPRISE) {
      const { id, path } = await handOverToStore(context, session, { to, ...choice });
      const command = ["reprise", "chat", "--resume", id];
      if (json) await printJson(context, { id, path, prepare: [], command });
      else await printExact(context, command.join(" "));
      return;
    }
    const outcome = await handOverSession(context, session, { to, ...choice });
    if (json) await printJson(context, outcomeJson(outcome));
    else await tell(context, outcome);
  },
});

function outcomeJson({ report, done }: HandoverOutcome): object {
  if (done === undefined) return { report };
  const { id, file: { path }, prepare, command: { argv } } = done;
  return { id, path, prepare, command: argv, report };
}

async function tell(context: Context, { done, cwd }: HandoverOutcome): Promise<void> {
  if (done === undefined) return;
  await say(context, doneLines(done).join("\n"));
  await printExact(context, resumeLine(done, cwd));
}

function doneLines(
  { id, file, belongs, prepare }: NonNullable<HandoverOutcome["done"]>,
): string[] {
  if (prepare.length > 0) return [`Wrote ${file.path}`, "To take it in, and go on:"];
  if (belongs !== file.path) return [`Wrote ${file.path}`, `Its place is ${belongs}`, "To go on:"];
  return [`Handed over as ${id}`, `To take it back: reprise handover --undo ${id}`, "To go on:"];
}

/** Returns the shell line that continues the session. */
function resumeLine(
  { prepare, command: { argv, in_directory } }: NonNullable<HandoverOutcome["done"]>,
  cwd: string,
): string {
  const commands = [...prepare, argv].map((words) => words.map(quoteWord).join(" "));
  const moves = in_directory || prepare.length > 0 ? [`cd ${quoteWord(cwd)}`] : [];
  return [...moves, ...commands].join(" && ");
}

/**
 * Removes the files of a hand-over, unless the session was continued.
 *
 * @param id The new session's id, or its first characters.
 * @throws {SessionError}
 */
async function undoById(context: Context, id: string): Promise<HandoverRecord> {
  const { findHandover, undoHandover } = await import("../lib/handover/mod.ts");
  const { root } = contextLibrary(context);
  const record = findHandover(root, id);
  if (record.file === undefined) await removeImported(context, record);
  const { removed, gone, kept } = await undoHandover(root, record, context.now());
  const name = `${record.agent}:${record.id}`;
  const lines = [
    ...(removed.length > 0 || record.file === undefined ? [`Removed ${name}`] : []),
    ...removed.map((path) => `  ${path}`),
    ...(record.file !== undefined && record.remove !== undefined
      ? [`If it was taken in: ${record.remove.map(quoteWord).join(" ")}`]
      : []),
    ...gone.map((path) => `It is gone already: ${path}`),
    ...kept.map((path) => `It stays, for it was changed or others need it: ${path}`),
  ];
  await say(context, lines.join("\n"));
  return record;
}

/** Lets the agent remove a session, because only the agent may change its database. */
async function removeImported(context: Context, record: HandoverRecord): Promise<void> {
  const { remove, cwd } = record;
  const [program, ...args] = remove ?? [];
  if (program === undefined) throw refusal(record, "its agent has no command that removes it");
  const line = [program, ...args].map(quoteWord).join(" ");
  const { importedState } = await import("../lib/handover/hand_over.ts");
  const state = await importedState(contextLibrary(context), record);
  if (state === "gone") return;
  if (state === "changed") {
    throw refusal(record, `somebody has gone on with it, and it stays. To remove it: ${line}`);
  }
  const outcome = await runProgram(context, [program, ...args], cwd);
  if (outcome.state === "done") return;
  const why = outcome.state === "missing" ? `there is no program ${program} on PATH` : outcome.why;
  throw refusal(record, `${why}. To remove it: ${line}`);
}

function refusal({ agent, id }: HandoverRecord, reason: string): SessionError {
  const ref = `${agent}:${id}`;
  return new SessionError("unsupported-source", `Cannot undo hand-over of ${ref}: ${reason}`, {
    ref,
  });
}
