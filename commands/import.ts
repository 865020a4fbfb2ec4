/** `reprise import` */
import { counted } from "../lib/core/event/counted.ts";
import type { SessionError } from "../lib/core/event/session_error.ts";
import { realDirectory } from "../lib/core/workspace/real_directory.ts";
import { defineCommand } from "./_command.ts";
import { countDiagnostics, describeTally } from "./_diagnostics.ts";
import type { ImportOutcome } from "../lib/library/handle/import/import_handle.ts";
import { IDENTITY_FLAG } from "./_scope_flags.ts";
import { printJson, say } from "./_message.ts";
import { openWhole } from "./_session.ts";
import { contextStore } from "./_store.ts";
import { tellOthers } from "./_threads.ts";
import { present } from "../lib/core/event/present.ts";
import { pathOf } from "./_context.ts";
import { progressUntilInterrupted } from "./_until_signal.ts";

export const importCommand = defineCommand({
  description:
    "Copy another agent's session into Reprise, or import a log that `export --format jsonl` or " +
    "`export --encrypt` wrote. The source is not changed. Print the new session's id. Also " +
    "print how many bytes or rows of the source were imported, how many belong to other branches " +
    "or subagents, and how many are damaged.",
  arguments: [["<ref>", "the session, such as claude:3f2a, or the path of its file or database"]],
  flags: {
    "--cwd <dir>": "the directory of the new session",
    "--title <text>": "the title of the new session",
    "--thread <id>": "use this branch or subagent of the session (same as REF~ID)",
    ...IDENTITY_FLAG,
    "--again": "import again, even if nothing changed since the last import",
    "--json": "print the result as one JSON object",
  },
  examples: [
    "reprise import claude:3f2a",
    "reprise import ~/Downloads/session.jsonl --cwd ~/src/my-app",
    "reprise resume $(reprise import codex:019a)",
  ],
  run: async (context, ref, flags) => {
    const source = await openWhole(context, ref, { identity: flags.identity });
    const { json, identity: _, ...options } = flags;
    // A shared session names a directory of another machine.
    const cwd = flags.cwd ?? (source.session.ref === undefined ? undefined : ".");
    const { importHandle } = await import("../lib/library/handle/import/import_handle.ts");
    const diagnostics = countDiagnostics();
    const { report } = diagnostics;
    const unread = new Set<string>();
    const onError = ({ message }: SessionError): void => void unread.add(message);
    const places = { cwd: pathOf(context, cwd), default_cwd: realDirectory(context.cwd) };
    const outcome = await progressUntilInterrupted(context, "Importing", (running) => {
      const all = present({ ...options, ...places, report, onError, ...running });
      return importHandle(contextStore(context), source, all);
    });
    for (const message of unread) await say(context, `reprise: ${message}`);
    if (json) {
      await printJson(context, outcome);
    } else {
      await say(context, describe(outcome, source.ref));
      context.stdout.write(`${outcome.session_id}\n`);
    }
    await diagnostics.tell(context, source.ref);
    if (flags.thread === undefined && !source.has_bytes) {
      await tellOthers(context, source, "import");
    }
  },
});

function describe(outcome: ImportOutcome, ref: string): string {
  const { written, earlier, imported_from, session_id, marks = [] } = outcome;
  if (written === undefined) {
    const when = (imported_from.imported_at ?? "before").slice(0, 10);
    return `Imported already on ${when}, and the original has not changed since: ${session_id}\n` +
      `To import it once more: reprise import ${ref} --again`;
  }
  const { kept_raw, too_large, demoted } = written.alterations;
  const lines = [
    `Imported ${ref}: ${counted(written.events, "event")}`,
    `The source: ${describeTally(written.account)}`,
    ...(kept_raw === 0 ? [] : [
      `${counted(kept_raw, "record")} copied unchanged, because Reprise does not know their ` +
      "meaning",
    ]),
    ...(too_large === 0
      ? []
      : [`Not imported, because they are longer than 64 MiB: ${counted(too_large, "event")}`]),
    ...(demoted === 0 ? [] : [
      `System messages that were imported as user messages: ${counted(demoted, "message")}`,
    ]),
    ...(marks.length === 0 ? [] : [`Also copied from the original session: ${marks.join(", ")}`]),
    ...(earlier === undefined
      ? []
      : [`This session was also imported earlier, as ${earlier.session_id}`]),
  ];
  return lines.join("\n");
}
