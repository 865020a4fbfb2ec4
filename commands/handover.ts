/** `reprise handover` */
import { REPRISE, WRITABLE_AGENTS } from "../lib/core/event/agent_name.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { type HandoverOutcome, handOverSession } from "./_handover/hand_over_session.ts";
import { handOverToStore } from "./_handover/continue_elsewhere.ts";
import { resumeLine } from "./_handover/resume_line.ts";
import { undoById } from "./_handover/undo_by_id.ts";
import { latestRef } from "./_latest_session.ts";
import { printExact, printJson, say } from "./_message.ts";
import { assertOneSession, LATEST_FLAG } from "./_scope_flags.ts";
import { parseCount } from "./_values.ts";
import { openWhole } from "./_session.ts";

const NOTES = `
The command first shows what will be handed over: the messages that are in the
model's context now, with tool calls and their results. The original is not
changed. The new session gets a new id. Reasoning is left out by default. With
--reasoning keep, it is included if the provider of the receiving agent accepts
it.

Examples:
  reprise handover claude:3f2a --to codex
  reprise handover --to codex           this project's latest session
  reprise handover 3f2a --to claude --last 20 --redact
  reprise handover --undo 019a          remove a copy that was not continued`;

export const handoverCommand = defineCommand({
  description:
    "Copy a session to another agent, in that agent's own format. Print the command line that " +
    "continues the copy. To run that command line at once, use reprise resume REF --in AGENT. " +
    "Without REF, use this project's latest session.",
  arguments: [["[ref]", "the session's id, or the path of its log"]],
  flags: {
    ...LATEST_FLAG,
    "--to <agent>": { help: "the agent that receives the session", choices: WRITABLE_AGENTS },
    "--cwd <dir>": "the new session's directory (default: the original's directory)",
    "--title <text>": "the title of the new session (default: the original's title)",
    "--tools <form>": {
      help:
        "how to write tool calls: as calls of the receiving agent's tools (mapped), unchanged " +
        "(native), or as plain text (text)",
      choices: ["mapped", "native", "text"],
    },
    "--reasoning <what>": {
      help: "drop or keep the model's reasoning; keep has no effect if the receiving agent's " +
        "provider rejects reasoning",
      choices: ["drop", "keep"],
    },
    "--last <turns>": {
      help:
        "the number of turns to hand over, counted from the end; a note describes the earlier " +
        "turns",
      parse: parseCount,
    },
    "--redact": "replace secrets",
    "--dry-run": "show what would be handed over; write nothing",
    "-o, --out <file>": "write the copy to this file; works even if the agent is not installed",
    "--again":
      "make a new copy, even if the agent already has a copy and nothing has changed since",
    "--force": "hand over even if the agent was never used on this machine",
    "--undo [id]": "remove the copy that a handover made, unless that copy has been continued",
    "--json": "print one JSON object {id, path, prepare, command, report}",
  },
  notes: NOTES,
  run: async (context, ref, { undo, json, to, agent, ...choice }) => {
    if (undo !== undefined) {
      if (undo === true) {
        const { undoChoices } = await import("./_undoable.ts");
        throw new UsageError(await undoChoices(context, "handover --undo"));
      }
      if (ref !== undefined || to !== undefined) {
        throw new UsageError(
          "--undo needs the id that `handover` printed. Leave out REF: reprise handover --undo ID",
        );
      }
      const undone = await undoById(context, undo);
      if (json) await printJson(context, { undone: `${undone.agent}:${undone.id}` });
      return;
    }
    if (to === undefined) {
      throw new UsageError("Name the agent that receives the session: --to AGENT");
    }
    assertOneSession(ref, agent, (name) => `reprise handover --agent ${name} --to ${to}`);
    const session = await openWhole(context, ref ?? await latestRef(context, agent));
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
    if (outcome.done?.failed) throw new CommandExit(STATUS.failed);
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
  if (prepare.length > 0) return [`Wrote ${file.path}`, "To import the session and continue it:"];
  if (belongs !== file.path) {
    return [
      `Wrote ${file.path}`,
      `The agent looks for the session's file at ${belongs}`,
      "Continue it:",
    ];
  }
  return [`Handed over as ${id}`, `Undo: reprise handover --undo ${id}`, "Continue it:"];
}
