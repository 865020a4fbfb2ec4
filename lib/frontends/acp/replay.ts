/** Replays a session, or only the end of a long one, to an editor. Compacted turns are included. */
import type { Summary } from "../../core/projection/summary_row.ts";
import { transcript } from "../../core/projection/transcript/transcript.ts";
import type { MessageItem, TranscriptItem } from "../../core/projection/transcript/item.ts";
import { formatBytes } from "../../text/render/byte_size.ts";
import { fileState } from "../../core/store/import/source_state.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { ItemUpdates, type SessionUpdate, textChunk } from "./protocol.ts";
import { eventSize } from "../../core/projection/event_size.ts";
import { foldEvents } from "../../core/projection/projection.ts";
import { openWindow } from "../../library/handle/window/session_window.ts";

interface ReplayOptions {
  /** The session's row: its directory, its size, and its number of turns if known. */
  row: Summary;
  /** Maximum bytes to replay. Of a larger session, only this many bytes of its end are replayed. */
  limit: number;
  /** The directory to which relative paths belong, if the session names none. */
  cwd: string;
}

/** Number of calls at the end whose outputs are not shortened. */
const WHOLE_CALLS = 20;

/**
 * Yields the updates that show a session, a few at a time.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* replay(
  session: SessionHandle,
  options: ReplayOptions,
): AsyncGenerator<readonly SessionUpdate[]> {
  const { row, limit, cwd } = options;
  const bytes = row.bytes ?? fileState(session.path).bytes;
  const place = { cwd: row.cwd ?? cwd };
  if (bytes <= limit) {
    const updates = new ItemUpdates({ ...place, nameOf: nameOf("m") });
    return yield* updatesOf(allItems(session), updates);
  }
  const note = new Note(session.ref, row);
  yield [note.begin(bytes)];
  const { items, whole, numbered } = await readEnd(session, limit);
  yield [note.end(items, whole)];
  const updates = new ItemUpdates({ ...place, numbered, nameOf: nameOf(numbered ? "m" : "t") });
  yield* updatesOf(inBatches(items), updates);
}

/**
 * Returns a function that makes ids for items. The letter separates items numbered within a
 * session's end from items numbered within the whole session.
 */
function nameOf(letter: "m" | "t"): (item: { seq: number }) => string {
  return ({ seq }) => `${letter}${seq}`;
}

/** A note that a session's beginning is missing. `begin` is sent before the session is read. */
class Note {
  readonly #ref: string;
  readonly #row: Summary;

  constructor(ref: string, row: Summary) {
    this.#ref = ref;
    this.#row = row;
  }

  begin(bytes: number): SessionUpdate {
    return this.#chunk(`This session is long (${formatBytes(bytes)}). `);
  }

  end(items: readonly TranscriptItem[], whole: boolean): SessionUpdate {
    if (whole) return this.#chunk("The whole session is shown.");
    const { turn_count } = this.#row;
    const shown = items.filter((item) => item.type === "message" && item.role === "user").length;
    const missing = turn_count === undefined ? 0 : turn_count - shown;
    const turns = missing > 0 ? `${missing} earlier turns` : "Earlier turns";
    return this.#chunk(`${turns} are not shown here. To read them: reprise show ${this.#ref}`);
  }

  #chunk(text: string): SessionUpdate {
    return textChunk("agent_message_chunk", text, { messageId: "note" });
  }
}

async function* allItems(session: SessionHandle): AsyncGenerator<readonly TranscriptItem[]> {
  const shown = transcript();
  let state = shown.initial();
  for await (const events of session.events({ needs: shown.needs })) {
    for (const event of events) state = shown.apply(state, event);
    yield shown.take(state);
  }
  yield shown.result(state);
}

async function* inBatches(
  items: readonly TranscriptItem[],
): AsyncGenerator<readonly TranscriptItem[]> {
  for (let at = 0; at < items.length; at += 64) yield items.slice(at, at + 64);
}

/**
 * Yields updates. Shortens all calls but the last {@linkcode WHOLE_CALLS}. Holds items back until
 * it knows if their calls are among the last.
 */
async function* updatesOf(
  batches: AsyncIterable<readonly TranscriptItem[]>,
  updates: ItemUpdates,
): AsyncGenerator<readonly SessionUpdate[]> {
  const waiting: TranscriptItem[] = [];
  let calls = 0;
  for await (const items of batches) {
    const ready: SessionUpdate[] = [];
    for (const item of items) {
      waiting.push(item);
      calls += Number(isCall(item));
      while (calls > WHOLE_CALLS) {
        const next = waiting.shift() as TranscriptItem;
        calls -= Number(isCall(next));
        for (const one of updates.of(next, false)) ready.push(one);
      }
    }
    if (ready.length > 0) yield ready;
  }
  yield waiting.flatMap((item) => updates.of(item, true));
}

function isCall({ type }: TranscriptItem): boolean {
  return type === "tool" || type === "bash";
}

interface SessionEnd {
  /** The last items, in order. If their first half has a prompt, items before it are dropped. */
  items: readonly TranscriptItem[];
  whole: boolean;
  /** True if the items' numbers are those of their events. */
  numbered: boolean;
}

const STEP = 64;

/**
 * Reads the end of a session.
 *
 * @param most Maximum characters of items, and maximum bytes of another agent's file.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
async function readEnd(session: SessionHandle, most: number): Promise<SessionEnd> {
  return session.log === undefined ? await endOfFile(session, most) : await endOfLog(session, most);
}

async function endOfLog(session: SessionHandle, most: number): Promise<SessionEnd> {
  const view = openWindow(session);
  const steps: (readonly TranscriptItem[])[] = [];
  let size = 0;
  let whole = false;
  for (let count = STEP; size < most && !whole; count += STEP) {
    const items = await view.items(-count, STEP);
    steps.push(items);
    size += sizeOf(items);
    whole = items.length < STEP;
  }
  view.close();
  const items = inOrder(steps);
  return { items: whole ? items : cut(items, most), whole, numbered: true };
}

async function endOfFile(session: SessionHandle, most: number): Promise<SessionEnd> {
  const shown = transcript();
  const options = { needs: shown.needs, most_bytes: most };
  const items = foldEvents(shown, await session.tail(Infinity, options));
  return { items: cut(items, most), whole: false, numbered: false };
}

function inOrder(steps: (readonly TranscriptItem[])[]): TranscriptItem[] {
  return steps.reverse().flat();
}

/** Returns the last items up to the size `most`. Begins at the first prompt in their first half. */
function cut(items: readonly TranscriptItem[], most: number): readonly TranscriptItem[] {
  let first = items.length;
  let size = 0;
  while (first > 0 && size < most) size += sizeOf(items.slice(--first, first + 1));
  const kept = items.slice(first);
  const prompt = kept.findIndex((item) => isMessage(item) && item.role === "user");
  return prompt < 0 || prompt > kept.length / 2 ? kept : kept.slice(prompt);
}

function isMessage(item: TranscriptItem): item is MessageItem {
  return item.type === "message";
}

function sizeOf(items: readonly TranscriptItem[]): number {
  return items.reduce((sum, item) => sum + eventSize({ payload: item }), 0);
}
