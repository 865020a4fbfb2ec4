/** `reprise diff` */
import type { LogEvent } from "../lib/core/event/envelope.ts";
import { type DiffPart, diffSessions, shortPart } from "../lib/core/projection/session_diff.ts";
import { transcript } from "../lib/core/projection/transcript/transcript.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import { type Context, timeFormat, wantsColor } from "./_context.ts";
import { countDiagnostics, type DiagnosticCount } from "./_diagnostics.ts";
import { directOutput, type PagedOutput, pagedOutput } from "./_pager.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { IDENTITY_FLAG, type IdentityFlags } from "./_scope_flags.ts";
import { openWhole } from "./_session.ts";

type Print = (part: DiffPart) => string;

const DETAILS = `
Sessions are compared turn by turn. Numbers, ids, times, models and reasoning
are ignored. The exit status is 0, even if the sessions differ.

Examples:
  reprise diff 3f2a 8d1f                   compare a session with its fork
  reprise diff 3f2a claude:01a1 --full     show outputs and changes in full
  reprise diff 3f2a 8d1f --json | jq -s 'map(select(.type == "turn")) | length'`;

const DIFF_FLAGS = {
  "--full": "show outputs and changes in full",
  "--json":
    "print JSON: one line for the common turns, one line for each turn that differs, and one " +
    "line for the files",
  ...IDENTITY_FLAG,
} as const satisfies Flags;

type DiffFlags = FlagsOf<typeof DIFF_FLAGS>;

export const diffCommand = defineCommand({
  description:
    "Show the turn at which two sessions diverge, the turns of each session after that, and the " +
    "files that each session changed.",
  arguments: [
    ["<ref>", "the first session (A), of any agent, or the path of its log"],
    [
      "<other>",
      "the second session (B)",
    ],
  ],
  flags: DIFF_FLAGS,
  notes: DETAILS,
  run: (context, ref, other, flags) => diff(context, [ref, other], flags),
});

async function diff(
  context: Context,
  refs: readonly [string, string],
  flags: DiffFlags,
): Promise<void> {
  const sides = [
    await openSide(context, refs[0], flags),
    await openSide(context, refs[1], flags),
  ] as const;
  const output = flags.json ? directOutput(context.stdout) : pagedOutput(context);
  try {
    const print = flags.json ? await lines(flags) : await rows(context, output, flags, sides);
    for await (const part of diffSessions(sides[0].events(), sides[1].events())) {
      output.write(print(part));
      await output.ready();
    }
  } finally {
    // Later messages must not appear in the middle of a page.
    await output.close();
  }
  for (const { source, diagnostics } of sides) await diagnostics.tell(context, source.ref);
}

interface Side {
  source: SessionHandle;
  diagnostics: DiagnosticCount;
  events(): AsyncIterable<readonly LogEvent[]>;
}

async function openSide(
  context: Context,
  ref: string,
  { identity }: IdentityFlags,
): Promise<Side> {
  const source = await openWhole(context, ref, { identity });
  const diagnostics = countDiagnostics();
  const { needs } = transcript();
  const { report } = diagnostics;
  return { source, diagnostics, events: () => source.events({ needs, report }) };
}

async function lines({ full }: DiffFlags): Promise<Print> {
  const { toJsonLine } = await import("../lib/text/render/json_lines.ts");
  return (part) => toJsonLine(full ? part : shortPart(part));
}

/** Prints the titles of both sessions. Returns a function that renders parts of the comparison. */
async function rows(
  context: Context,
  output: PagedOutput,
  { full }: DiffFlags,
  [a, b]: readonly [Side, Side],
): Promise<Print> {
  const { renderDiffHead, renderDiffPart } = await import("../lib/text/render/session_diff.ts");
  const { shortIds } = await import("../lib/text/render/short_id.ts");
  const { markedTitle } = await import("../lib/text/render/integrity_mark.ts");
  const { WIDEST } = await import("../lib/text/render/terminal.ts");
  const options = {
    width: Math.min(output.width, WIDEST),
    color: wantsColor(context, output),
    full: full ?? false,
    format_time: timeFormat(context),
  };
  const summaries = [await a.source.summary(), await b.source.summary()];
  const [one, other] = shortIds(summaries).map((id, index) => {
    const { title = "", altered } = summaries[index] ?? {};
    return `${id}  ${markedTitle(title, altered)}`;
  });
  output.write(renderDiffHead({ a: one ?? "", b: other ?? "" }, options));
  return (part) => renderDiffPart(part, options);
}
