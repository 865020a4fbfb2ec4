/** `reprise verify` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { type Diagnostic, isFault } from "../lib/log/diagnostic.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { openWhole, type SourceTally } from "./_source.ts";

/** Checks a log whole. */
export function verifyCommand(context: Context): Command {
  return new Command("verify")
    .summary("check every byte of a session's log")
    .description(
      "Check a session's log: every byte is an event's, damage, or blank; every event in its place.\n" +
        "Exit status 1 when bytes were lost or changed.",
    )
    .argument("<ref>", "which session, or the path of a log")
    .option("--json", "one finding a line, then {bytes, events, damage, blank}")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise verify 3f2a\n  reprise verify --json ./transcript_events.jsonl",
    )
    .action((ref, flags) => verify(context, ref, flags.json ?? false)) as unknown as Command;
}

async function verify(context: Context, ref: string, json: boolean): Promise<void> {
  const source = await openWhole(context, ref, true);
  const [{ toJsonLine }, { sanitizeLine }] = await Promise.all([
    import("../lib/render/json_lines.ts"),
    import("../lib/render/sanitize.ts"),
  ]);
  let faults = 0;
  const tally = await source.verify((diagnostic) => {
    if (isFault(diagnostic.code)) faults++;
    const line = json ? toJsonLine(diagnostic) : `${sanitizeLine(describe(diagnostic))}\n`;
    context.stdout.write(line);
  });
  context.stdout.write(
    json ? toJsonLine(tally) : `${sanitizeLine(describeTally(tally, faults))}\n`,
  );
  if (faults > 0) throw new CommandExit(STATUS.failed);
}

function describe({ code, offset, length, line, detail }: Diagnostic): string {
  const place = line > 0 ? `line ${line}, bytes ${offset}-${offset + length}` : "the log";
  return `${place}: ${code}: ${detail}`;
}

function describeTally(tally: SourceTally, faults: number): string {
  const { events, damage, blank } = tally;
  const state = faults === 0 ? "whole" : damage === 0 ? "changed or incomplete" : "damaged";
  const ours = "bytes" in tally;
  const [total, unit] = ours ? [tally.bytes, "bytes"] : [tally.total, tally.unit];
  const side = ours ? [] : [
    ...Object.entries(tally.side).map(([type, count]) => `${count} of ${type}`),
    ...(tally.dead === 0 ? [] : [`${tally.dead} of other branches`]),
  ];
  const parts = [`${events} of events`, ...side, `${damage} of damage`, `${blank} blank`];
  return `${state}: ${total} ${unit} = ${parts.join(" + ")}`;
}
