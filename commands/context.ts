/** `reprise context` */
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import type { SessionContext } from "../lib/core/projection/context.ts";
import { present } from "../lib/core/event/present.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import { type Context, timeFormat, wantsColor } from "./_context.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import { fitted, printJson } from "./_message.ts";
import { directOutput, type PagedOutput, pagedOutput } from "./_pager.ts";
import { IDENTITY_FLAG } from "./_scope_flags.ts";
import { openWhole } from "./_session.ts";
import { parseCount } from "./_values.ts";

const LAST = "last";

const CONTEXT_FLAGS = {
  "--dropped [number]": {
    help: "print the messages that compaction NUMBER dropped (default: the last compaction)",
    preset: LAST,
    conflicts: ["give"],
    parse: numberOrLast,
  },
  "--give [number]": {
    help: "print the messages that compaction NUMBER dropped, as text that you can give to a model",
    preset: LAST,
    parse: numberOrLast,
  },
  "--thread <id>": "use this branch or subagent of the session (same as REF~ID)",
  "--json":
    "print one JSON object; with --dropped, print each message and tool call as one line of JSON",
  ...IDENTITY_FLAG,
} as const satisfies Flags;

export const contextCommand = defineCommand({
  description:
    "Show what is still in the model's context, by kind of content. Also list what the context " +
    "lost when it was compacted, or when messages were replaced. The lost messages stay in the " +
    "session: to print them, use --dropped.",
  arguments: [["<ref>", "the session's id, or the path of its log"]],
  flags: CONTEXT_FLAGS,
  examples: [
    "reprise context 3f2a",
    "reprise context 3f2a --dropped 1",
    "reprise context 3f2a --give 1 | claude",
  ],
  run: (context, ref, flags) => tellContext(context, ref, flags),
});

type Place = number | typeof LAST;

function numberOrLast(text: string): Place {
  return text === LAST ? LAST : parseCount(text);
}

async function tellContext(
  context: Context,
  ref: string,
  { dropped, give, thread, json, identity }: FlagsOf<typeof CONTEXT_FLAGS>,
): Promise<void> {
  const source = await openWhole(context, ref, { identity });
  const diagnostics = countDiagnostics();
  const options = present({ thread, report: diagnostics.report });
  const read = await import("../lib/features/export/dropped_context.ts");
  const found = await source.context(options);
  const place = dropped ?? give;
  if (place === undefined) await printContext(context, source, found, json ?? false);
  else {
    const one = read.droppedAt(found, place === LAST ? undefined : place);
    if (give !== undefined) {
      await print(directOutput(context.stdout), read.droppedPrompt(source, one, options));
    } else if (json) {
      const { itemView } = await import("./show/session_view.ts");
      const view = await itemView(context.stdout, true);
      for await (const events of read.droppedEvents(source, one, view.needs, options)) {
        for (const item of view.take(events)) view.print(item);
      }
      for (const item of view.rest()) view.print(item);
    } else await print(pagedOutput(context), read.droppedText(source, one, options));
  }
  await diagnostics.tell(context, source.ref);
}

async function print(output: PagedOutput, texts: AsyncIterable<string>): Promise<void> {
  try {
    for await (const text of texts) {
      output.write(text);
      await output.ready();
    }
  } finally {
    // Later messages must not appear in the middle of a page.
    await output.close();
  }
}

async function printContext(
  context: Context,
  { short_ref: ref }: SessionHandle,
  found: SessionContext,
  json: boolean,
): Promise<void> {
  if (json) return await printJson(context, found);
  const { renderContext } = await import("../lib/text/render/context_table.ts");
  const { stdout } = context;
  const options = {
    color: wantsColor(context, stdout),
    width: stdout.terminal ? stdout.width : Infinity,
    ref,
    format_time: timeFormat(context),
  };
  stdout.write(await fitted(stdout, renderContext(found, options)));
}
