/** `reprise show` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { LogEvent } from "../lib/event/envelope.ts";
import { transcript } from "../lib/projection/transcript.ts";
import type { TranscriptItem } from "../lib/projection/transcript_item.ts";
import { watchEvents } from "../lib/session/watch_events.ts";
import type { Context } from "./_context.ts";
import { countDiagnostics, type DiagnosticCount } from "./_diagnostics.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { parseCount } from "./_number.ts";
import { pagedOutput } from "./_pager.ts";
import { openSource, type SessionSource, type SourceOptions } from "./_source.ts";
import { itemRenderer, LastItems } from "./_transcript.ts";

interface ShowFlags {
  last?: number;
  full?: true;
  follow?: true;
  json?: true;
  events?: true;
  branch?: string;
  color: boolean;
}

/** Prints one thing; what it gives nothing for is not printed. */
type Print<Item> = (item: Item) => void;

/** Shows what was said and done in a session. */
export function showCommand(context: Context): Command {
  return new Command("show")
    .summary("show what was said and done in a session")
    .description("Show a session's transcript. REF#12 begins at event 12.")
    .argument("<ref>", "which session, or the path of a log")
    .option("--last <count>", "only so many items from the end", parseCount)
    .option("--full", "long outputs to their end")
    .option("--follow", "go on as events arrive, until ^C")
    .option("--json", "one item a line")
    .option("--events", "the events themselves, one a line")
    .option("--branch <id>", "of another agent's session: the branch with this record")
    .option("--no-color", "without colours")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise show 3f2a --last 10\n  reprise show 3f2a#41 --full\n  reprise show 3f2a --json | jq .type",
    )
    .action((ref, flags) => show(context, ref, flags)) as unknown as Command;
}

async function show(context: Context, ref: string, flags: ShowFlags): Promise<void> {
  if (flags.json && flags.events) throw new UsageError("Choose one of --json and --events");
  const source = await openSource(context, ref);
  if (flags.follow && source.resumeCommand !== undefined) {
    throw new UsageError("--follow is for sessions that Reprise keeps, not for other agents' ones");
  }
  const diagnostics = countDiagnostics();
  if (flags.events) await showEvents(context, source, flags, diagnostics);
  else await showItems(context, source, flags, diagnostics);
  await diagnostics.tell(context, source.ref);
}

async function showEvents(
  context: Context,
  source: SessionSource,
  flags: ShowFlags,
  { report }: DiagnosticCount,
): Promise<void> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  const print: Print<LogEvent> = (event) => {
    const { form: _form, position: _position, ...fields } = event;
    context.stdout.write(toJsonLine(fields));
  };
  const wanted = (event: LogEvent): boolean => event.seq >= (source.seq ?? 0);
  if (flags.follow) {
    await follow(source, flags.last, print, report, (events) => events.filter(wanted), () => []);
    return;
  }
  const last = new LastItems<LogEvent>(flags.last);
  for await (const events of batches(source, flags, { report })) {
    for (const event of events.filter(wanted)) {
      if (flags.last === undefined) print(event);
      else last.push(event);
    }
  }
  for (const event of last.items) print(event);
}

/** The events to show: of the end alone, where that is asked for and can be read by itself. */
async function* batches(
  source: SessionSource,
  { last, branch }: ShowFlags,
  options: SourceOptions,
): AsyncIterable<readonly LogEvent[]> {
  const all = branch === undefined ? options : { ...options, branch };
  if (last !== undefined && source.seq === undefined && source.tail !== undefined) {
    yield await source.tail(last, all);
  } else yield* source.events(all);
}

async function showItems(
  context: Context,
  source: SessionSource,
  flags: ShowFlags,
  { report }: DiagnosticCount,
): Promise<void> {
  const pager = flags.follow || flags.json ? undefined : pagedOutput(context);
  const print = await itemPrinter(context, (pager ?? context.stdout).write, flags);
  const projection = transcript();
  let state = projection.initial();
  const fold = (events: readonly LogEvent[]): TranscriptItem[] => {
    for (const event of events) state = projection.apply(state, event);
    return projection.take(state).filter(wanted);
  };
  const wanted = (item: TranscriptItem): boolean => (item.end_seq ?? item.seq) >= (source.seq ?? 0);
  const rest = (): TranscriptItem[] => projection.result(state).filter(wanted);
  if (flags.follow) {
    await follow(source, flags.last, print, report, fold, rest);
    return;
  }
  const last = new LastItems<TranscriptItem>(flags.last);
  for await (
    const events of batches(source, flags, {
      needs: projection.needs,
      report,
    })
  ) {
    for (const item of fold(events)) {
      if (flags.last === undefined) print(item);
      else last.push(item);
    }
  }
  for (const item of rest()) last.push(item);
  for (const item of last.items) print(item);
  await pager?.close();
}

async function itemPrinter(
  context: Context,
  write: (text: string) => void,
  flags: ShowFlags,
): Promise<Print<TranscriptItem>> {
  if (flags.json) {
    const { toJsonLine } = await import("../lib/render/json_lines.ts");
    return (item) => write(toJsonLine(item));
  }
  const { full = false, color } = flags;
  const render = await itemRenderer(context, context.stdout, { full, color });
  return (item) => {
    const text = render(item);
    if (text !== "") write(text);
  };
}

/** Prints what is there, then what arrives, until the process is told to stop. */
async function follow<Item>(
  source: SessionSource,
  count: number | undefined,
  print: Print<Item>,
  report: DiagnosticCount["report"],
  take: (events: readonly LogEvent[]) => Item[],
  rest: () => Item[],
): Promise<void> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  Deno.addSignalListener("SIGINT", onSignal);
  const before = new LastItems<Item>(count);
  let live = false;
  const onCaughtUp = (): void => {
    live = true;
    for (const item of before.items) print(item);
  };
  try {
    const options = { signal: stop.signal, report, onCaughtUp };
    for await (const events of watchEvents(source.path, options)) {
      for (const item of take(events)) {
        if (live) print(item);
        else before.push(item);
      }
    }
    for (const item of rest()) print(item);
  } finally {
    Deno.removeSignalListener("SIGINT", onSignal);
  }
  throw new CommandExit(STATUS.cancelled);
}
