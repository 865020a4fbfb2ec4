/** `reprise repair` */
import { resolve } from "node:path";
import { SessionError } from "../lib/core/event/session_error.ts";
import { repairLog } from "../lib/core/log/repair_log.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { InvalidArgument, parseSize } from "./_values.ts";
import { printJson, say } from "./_message.ts";
import { assertWhole, openWhole } from "./_session.ts";
import type { RepairArguments } from "./repair/repair_arguments.ts";

/** Minimum of `--trim-output`, in bytes. It leaves space for the note about the cut. */
const LEAST_BYTES = 1024;

export const repairCommand = defineCommand({
  description:
    "Repair a session. --out writes a clean copy of a damaged session. --in-place repairs a " +
    "session that its agent cannot find or refuses to open. No content is invented. Without " +
    "--write, --in-place only shows the problems and what a repair would change. The " +
    "original is kept beside the session.",
  arguments: [["<ref>", "the session's id, or the path of its log"]],
  flags: {
    "-o, --out <file>": "the file to write; it must not exist",
    "--in-place":
      "repair a session of an agent other than Reprise, in the agent's own file; without " +
      "--write, only show the changes",
    "--write": "with --in-place: change the session (otherwise only show the repair)",
    "--undo": "with --in-place: restore the original",
    "--relink":
      "attach records that lost their parent, and records with a repeated id, to the previous " +
      "record (a guess)",
    "--trim-output <bytes>": {
      help: "shorten tool output to this size (changes the session)",
      parse: parseBytes,
    },
    "--cwd <directory>": "the session's directory; needed if the first record is lost",
    "--json": "print the report as JSON",
  },
  examples: [
    "reprise repair 3f2a --out clean.jsonl && reprise doctor ./clean.jsonl",
    "reprise repair pi:01a1 --in-place",
    "reprise repair pi:01a1 --in-place --write",
  ],
  run: async (context, ref, options) => {
    checkOptions(options);
    const session = await openWhole(context, ref, { damaged: true });
    assertWhole(session, ref);
    if (session.log === undefined || options.out === undefined) {
      const { repairForeign } = await import("./repair/foreign.ts");
      return await repairForeign(context, session, options);
    }
    checkOwn(options);
    await repairOwn(context, session, options, options.out);
  },
});

function parseBytes(text: string): number {
  const bytes = /^\d+$/.test(text) ? Number(text) : parseSize(text);
  if (Number.isSafeInteger(bytes) && bytes >= LEAST_BYTES) return bytes;
  throw new InvalidArgument(`Give at least ${LEAST_BYTES} bytes, such as 65536 or 64KiB.`);
}

function checkOptions({ out, inPlace, write, undo, ...changes }: RepairArguments): void {
  if (out === undefined && !inPlace) {
    throw new UsageError(
      "Give --out FILE for a clean copy, or --in-place to repair the session itself",
    );
  }
  if (out !== undefined && (inPlace || write || undo)) {
    throw new UsageError(
      "--out writes a copy: it cannot be used with --in-place, --write or --undo",
    );
  }
  const { relink, trimOutput, cwd } = changes;
  if (undo && (write || relink || trimOutput !== undefined || cwd !== undefined)) {
    throw new UsageError(
      "--undo restores the original. Leave out --write, --relink, --trim-output and --cwd",
    );
  }
}

function checkOwn({ relink, trimOutput, cwd }: RepairArguments): void {
  if (!relink && trimOutput === undefined && cwd === undefined) return;
  throw new UsageError(
    "--relink, --trim-output and --cwd work only with sessions of agents other than Reprise",
  );
}

async function repairOwn(
  context: Context,
  { log, path }: SessionHandle,
  { json }: RepairArguments,
  out: string,
): Promise<void> {
  if (log === undefined) throw new SessionError("unsupported-source", `Cannot read log: ${path}`);
  const target = resolve(context.cwd, out);
  const repair = await repairLog(log, target);
  const { events, salvaged, dropped_bytes } = repair;
  if (json) return await printJson(context, { path: target, ...repair });
  const rescued = salvaged === 0 ? "" : ` (${salvaged} of them recovered from damaged lines)`;
  await say(
    context,
    `Wrote ${events} events${rescued}, and left out ${dropped_bytes} damaged bytes: ${target}`,
  );
}
