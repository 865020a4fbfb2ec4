/** The tool `read_session`. */
import { droppedAt } from "../../features/export/dropped_context.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import type { SessionWindow } from "../../library/handle/window/session_window.ts";
import type { TranscriptItem } from "../../core/projection/transcript/item.ts";
import {
  type CursorQuery,
  formatCursor,
  parseNumbers,
  toDigits,
} from "../../text/render/page/cursor.ts";
import { Page } from "../../text/render/page/page.ts";
import { utcMinute } from "../../text/render/time_label.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import { answerPage, ArgumentError, PAGE_ROOM, type ToolArguments } from "./tool_definitions.ts";
import { type History, type Request, sessionFacts } from "./history.ts";
import { itemText } from "./item_text.ts";

/** Number of items that are shown before a named event. */
const BEFORE = 2;
/** Maximum number of characters of the items before a named event. */
const MOST_BEFORE = PAGE_ROOM / 4;
/** Maximum ordinal in a cursor. No event has as many items. */
const MOST_ORDINAL = 1000;
const BATCH = 50;

export async function readSession(
  history: History,
  args: ToolArguments,
  request: Request,
): Promise<string> {
  const { cursor, last, ref = "", tools = "brief", what } = args;
  const opened = await history.sessions.open(ref);
  if (what === "context") return await contextText(opened);
  if (what === "files") {
    const { changedFiles } = await import("./changed_files.ts");
    return await changedFiles(history, opened, args);
  }
  const range = what === "dropped" ? droppedAt(await opened.context()) : undefined;
  const handle = range === undefined ? opened : opened.at({ seq: range.from_seq });
  const thread = handle.thread ?? "";
  const of: CursorQuery = {
    command: "read_session",
    query: { session: sessionRef(handle.session), thread, tools, what },
  };
  const window = history.windows.of(handle);
  const textOf = (item: TranscriptItem): string => itemText(item, tools, history.quote);
  const end = cursor === undefined && last !== undefined && readsEnd(handle)
    ? await endPage(window, last, textOf, await headLine(history, request, handle))
    : undefined;
  if (end !== undefined) return end;
  const start = cursor === undefined
    ? { item: await firstItem(window, handle, last, textOf), offset: 0 }
    : await placeOf(window, of, cursor);
  const page = new Page(PAGE_ROOM);
  if (cursor === undefined) page.add(-1, await headLine(history, request, handle));
  let next: string | undefined;
  let shown = 0;
  for await (const { number, item, ordinal } of itemsFrom(window, start.item)) {
    request.signal.throwIfAborted();
    if (range !== undefined && item.seq >= range.to_seq) break;
    if (range !== undefined && (item.end_seq ?? item.seq) < range.from_seq) continue;
    const text = textOf(item);
    if (text === "") continue;
    shown++;
    if (page.add(number, text, number === start.item ? start.offset : 0)) continue;
    const { offset = 0 } = page.next ?? {};
    next = formatCursor(of, [item.seq, ordinal, offset].map(toDigits));
    break;
  }
  if (shown === 0) return cursor === undefined ? "The session has nothing to show." : "No more.";
  return answerPage(page, next);
}

async function contextText(handle: SessionHandle): Promise<string> {
  const { renderContext } = await import("../../text/render/context_table.ts");
  const format_time = utcMinute;
  const options = { color: false, width: Infinity, ref: handle.short_ref, format_time };
  const page = new Page(PAGE_ROOM);
  page.add(0, renderContext(await handle.context(), options));
  return answerPage(page, undefined);
}

/** True if the last items can be read without reading all earlier ones. */
function readsEnd({ log, has_long_end }: SessionHandle): boolean {
  return log !== undefined || has_long_end;
}

/** Returns the last items as one page; undefined if there are none or they do not fit. */
async function endPage(
  window: SessionWindow,
  last: number,
  textOf: (item: TranscriptItem) => string,
  head: string,
): Promise<string | undefined> {
  const page = new Page(PAGE_ROOM);
  page.add(-1, head);
  const texts = (await window.items(-last, last)).map(textOf).filter((text) => text !== "");
  for (const [number, text] of texts.entries()) {
    if (!page.add(number, text, 0)) return undefined;
  }
  return texts.length === 0 ? undefined : answerPage(page, undefined);
}

async function headLine(
  history: History,
  request: Request,
  handle: SessionHandle,
): Promise<string> {
  return `${handle.ref}  ${sessionFacts(history, request, await handle.summary())}\n`;
}

/** Returns the number of the item with which the first page begins. */
async function firstItem(
  window: SessionWindow,
  { seq, ref }: SessionHandle,
  last: number | undefined,
  textOf: (item: TranscriptItem) => string,
): Promise<number> {
  if (last !== undefined) {
    await window.readAll();
    return Math.max(0, (window.progress.total ?? 0) - last);
  }
  if (seq === undefined) return 0;
  const at = await window.itemOf(seq);
  const [item] = at === undefined ? [] : await window.items(at, 1);
  const is_there = item !== undefined && (item.end_seq ?? item.seq) >= seq;
  if (at === undefined || !is_there && window.progress.total === at + 1) {
    throw new ArgumentError(`Cannot find event ${seq} in session ${ref}`);
  }
  // What is named must be on the first page.
  const before = await window.items(Math.max(0, at - BEFORE), Math.min(at, BEFORE));
  let room = MOST_BEFORE;
  const left = before.toReversed().findIndex((item) => (room -= textOf(item).length) < 0);
  return at - (left < 0 ? before.length : left);
}

interface NumberedItem {
  /** The item's number in the session, from 0. */
  number: number;
  item: TranscriptItem;
  /** The item's number among the items of the same event, from 0. */
  ordinal: number;
}

async function* itemsFrom(window: SessionWindow, first: number): AsyncGenerator<NumberedItem> {
  let [seq, ordinal] = [-1, 0];
  // Items of the same event may stand before.
  for (let at = Math.max(0, first - BATCH);; at += BATCH) {
    const items = await window.items(at, BATCH);
    for (const [index, item] of items.entries()) {
      [seq, ordinal] = [item.seq, item.seq === seq ? ordinal + 1 : 0];
      if (at + index >= first) yield { number: at + index, item, ordinal };
    }
    if (items.length < BATCH) return;
  }
}

async function placeOf(
  window: SessionWindow,
  of: CursorQuery,
  cursor: string,
): Promise<{ item: number; offset: number }> {
  const [seq, ordinal, offset] = parseNumbers(of, cursor);
  if (ordinal > MOST_ORDINAL) throw changed();
  const near = await window.itemOf(seq) ?? 0;
  const before = Math.max(0, near - BATCH);
  const items = await window.items(before, 2 * BATCH + ordinal);
  const first = items.findIndex((item) => item.seq === seq);
  if (first < 0 || items[first + ordinal]?.seq !== seq) {
    throw changed();
  }
  return { item: before + first + ordinal, offset };
}

function changed(): ArgumentError {
  return new ArgumentError(
    "Cannot continue: the session has changed since the previous page; read it again from the start",
  );
}
