/** `reprise show` */
import type { LogEvent } from "../lib/core/event/envelope.ts";
import type { SessionHandle, SessionReadOptions } from "../lib/library/handle/session_handle.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { countDiagnostics } from "./_diagnostics.ts";
import { follow, type ItemView, LastItems, type Shown } from "./show/session_view.ts";
import { say } from "./_message.ts";
import { wantsPage } from "./_page.ts";
import { directOutput, type PagedOutput, pagedOutput } from "./_pager.ts";
import { openSession } from "./_session.ts";
import {
  BEFORE,
  factsForHead,
  isWhole,
  noSuchEvent,
  sessionUse,
  type UsedTokens,
  withView,
} from "./show/shown_view.ts";
import { printThreads } from "./_threads.ts";
import { KeptText, printEndPage, printShownPage, shownPlace } from "./show/page.ts";
import {
  SHOW_FLAGS,
  type ShowFlags,
  type ShownSession,
  shownSession,
  tellLeftOut,
} from "./show/shown_session.ts";
import { present } from "../lib/core/event/present.ts";

export const showCommand = defineCommand({
  description:
    "Show a session's transcript. With REF#12, the transcript starts shortly before event 12. " +
    "With REF@ID, it starts shortly before the agent's record with this id. Without REF, at a " +
    "terminal, choose a session from a list.",
  arguments: [["[ref]", "the session's id, or the path of its log"]],
  flags: SHOW_FLAGS,
  examples: [
    "reprise show 3f2a --last 10",
    "reprise show 3f2a#41 --full",
    "reprise show 3f2a --answer > answer.md",
    "reprise show claude:8d1f@727aec4d",
    "reprise show 3f2a --json | jq .type",
  ],
  run: async (context, ref, flags) => {
    await show(context, ref ?? await pickedRef(context), flags);
  },
});

async function pickedRef(context: Context): Promise<string> {
  const { pickRef } = await import("./_terminal.ts");
  return await pickRef(context, "show");
}

async function show(context: Context, ref: string, flags: ShowFlags): Promise<void> {
  const opened = await openSession(context, ref, { identity: flags.identity, keeps_record: true });
  if (flags.threads) return await printThreads(context, opened, flags.json ?? false);
  if (wantsPage(flags)) return await showPage(context, opened, flags, ref);
  const diagnostics = countDiagnostics();
  const { report } = diagnostics;
  if (flags.answer) {
    const { printLastAnswer } = await import("./show/last_answer.ts");
    await printLastAnswer(context, opened, flags, report);
    return await diagnostics.tell(context, opened.ref);
  }
  const shown = await shownSession(opened, flags, report);
  const { source } = shown;
  const forPeople = !flags.follow && !flags.json && !flags.events;
  const output = forPeople ? pagedOutput(context) : directOutput(context.stdout);
  const whole = forPeople && isWhole(flags, source);
  const printing = { context, flags, output, report, ...shown };
  let seen: number | undefined;
  const used: UsedTokens = { is_told: !whole };
  try {
    if (!used.is_told) Object.assign(used, await factsForHead(source));
    const making = { context, flags, output, used, shown };
    seen = await withView(making, (view) => print(printing, view));
  } finally {
    // Later messages must not appear in the middle of a page.
    await output.close();
  }
  await diagnostics.tell(context, source.ref);
  if (!flags.follow) await tellLeftOut(context, shown, flags);
  if (whole) {
    const { text } = used.use ?? await sessionUse(source);
    if (text !== undefined && !used.is_told) await say(context, `Tokens: ${text}`);
  }
  if (seen === undefined) await say(context, "The session has no events");
  else if (seen < (source.seq ?? 0)) throw noSuchEvent(ref, seen);
}

interface Printing extends ShownSession {
  context: Context;
  flags: ShowFlags;
  output: PagedOutput;
  report: NonNullable<SessionReadOptions["report"]>;
}

/** Prints a session. Returns the number of its last event, or undefined if it has no events. */
async function print<Item extends Shown>(
  printing: Printing,
  view: ItemView<Item>,
): Promise<number | undefined> {
  const { context, source, numbered, flags, output, report } = printing;
  if (flags.follow) {
    const { last } = flags;
    if (!numbered) await tellLeftOut(context, printing, flags);
    return await follow(context, source, { report, last, tail: !numbered }, view);
  }
  const { needs } = view;
  const last = new LastItems<Item>(flags.last, (item) => item);
  let seen: number | undefined;
  for await (const events of batches(printing, present({ report, needs }))) {
    seen = events.at(-1)?.seq ?? seen;
    for (const item of view.take(events)) {
      if (flags.last === undefined) view.print(item);
      else last.push(item);
    }
    await output.ready();
  }
  for (const item of view.rest()) last.push(item);
  for (const item of last.items) view.print(item);
  return seen;
}

/** Yields the events to show. If `end` is set, yields only `end`, the session's last events. */
async function* batches(
  { source, flags, end }: Printing,
  options: SessionReadOptions,
): AsyncIterable<readonly LogEvent[]> {
  const { last, thread } = flags;
  const { seq: before_seq } = source;
  const last_messages = before_seq === undefined ? last : BEFORE;
  if (end !== undefined) yield end;
  else yield* source.events(present({ ...options, thread, last_messages, before_seq }));
}

async function showPage(
  context: Context,
  opened: SessionHandle,
  flags: ShowFlags,
  ref: string,
): Promise<void> {
  const diagnostics = countDiagnostics();
  const { report } = diagnostics;
  const text = new KeptText(context.stdout.width);
  const used: UsedTokens = { is_told: true };
  // A cursor counts the items from the start.
  if (flags.cursor === undefined && flags.last !== undefined) {
    const shown = await shownSession(opened, flags, report);
    const { end } = shown;
    const is_printed = end !== undefined &&
      await withView(
        { context, flags, output: text, used, shown },
        (view) => printEndPage(context, flags, { view, text, end }),
      );
    if (is_printed) {
      await diagnostics.tell(context, opened.ref);
      return await tellLeftOut(context, shown, flags);
    }
  }
  const source = await opened.atEvent();
  const page = { source, flags, width: context.stdout.width };
  const place = await shownPlace(page);
  const { last: _, ...form } = flags;
  const has_head = (place?.item ?? 0) === 0 && isWhole(flags, source);
  if (has_head && !flags.json && !flags.events) Object.assign(used, await factsForHead(source));
  const options = present({ report, thread: flags.thread });
  const shown = { source, numbered: true };
  const seen = await withView(
    { context, flags: form, output: text, used, shown },
    (view) => printShownPage(context, page, { view, text, place, options }),
  );
  await diagnostics.tell(context, source.ref);
  if (place === undefined) await tellLeftOut(context, shown, flags);
  if (seen !== undefined && seen < (source.seq ?? 0)) throw noSuchEvent(ref, seen);
}
