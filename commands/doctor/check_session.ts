/** Checks every byte of a session: `reprise doctor REF`. */
import { type Diagnostic, isFault } from "../../lib/core/log/diagnostic.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import type { IdentityFlags } from "../_scope_flags.ts";
import { say } from "../_message.ts";
import type { SourceAccount } from "../../lib/agents/contract/agent.ts";
import { openWhole } from "../_session.ts";
import { describeTally } from "../_diagnostics.ts";

export async function checkSession(
  context: Context,
  ref: string,
  { json, identity }: IdentityFlags & { json?: true },
): Promise<void> {
  const source = await openWhole(context, ref, { damaged: true, identity });
  const [{ toJsonLine }, { sanitizeLine }] = await Promise.all([
    import("../../lib/text/render/json_lines.ts"),
    import("../../lib/text/render/sanitize.ts"),
  ]);
  let faults = 0;
  const tally = await source.verify((diagnostic) => {
    if (isFault(diagnostic.code)) faults++;
    const line = json ? toJsonLine(diagnostic) : `${sanitizeLine(describe(diagnostic))}\n`;
    context.stdout.write(line);
  });
  const wrong = await source.checkBackup();
  for (const detail of wrong ?? []) {
    faults++;
    const line = json
      ? toJsonLine({ code: "source-copy", detail })
      : `${sanitizeLine(`the source: source-copy: ${detail}`)}\n`;
    context.stdout.write(line);
  }
  context.stdout.write(
    json
      ? toJsonLine(tally)
      : `${sanitizeLine(`${stateOf(tally, faults)}: ${describeTally(tally)}`)}\n`,
  );
  if (wrong?.length === 0) await say(context, "The saved copies of the original files are intact");
  if (faults > 0) throw new CommandExit(STATUS.failed);
}

function describe({ code, offset, length, line, detail }: Diagnostic): string {
  const place = line > 0 ? `line ${line}, bytes ${offset}-${offset + length}` : "the log";
  return `${place}: ${code}: ${detail}`;
}

function stateOf({ damage }: SourceAccount, faults: number): string {
  if (faults === 0) return "whole";
  return damage === 0 ? "changed or incomplete" : "damaged";
}
