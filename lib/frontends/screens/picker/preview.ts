/**
 * Previews the highlighted session in the picker. It loads after a moment, so that scrolling past
 * sessions is cheap.
 */
import { type Content, contentText } from "../../../core/event/message.ts";
import type { EventKind } from "../../../core/event/payload.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { sessionOf } from "../../../library/query/query.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { foldEvents } from "../../../core/projection/projection.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { transcript } from "../../../core/projection/transcript/transcript.ts";
import type { MessageItem, TranscriptItem } from "../../../core/projection/transcript/item.ts";
import type { ScreenSettings } from "../screen.ts";

/** Milliseconds that a session is highlighted before its preview is read. */
const DELAY_MS = 120;
const MOST_KEPT = 100;

interface PreviewListener {
  onReady(): void;
  onError(error: unknown): void;
}

export class PickerPreview {
  readonly #settings: ScreenSettings;
  readonly #listener: PreviewListener;
  readonly #kept = new Map<string, readonly string[]>();
  #wanted = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort = new AbortController();

  constructor(settings: ScreenSettings, listener: PreviewListener) {
    this.#settings = settings;
    this.#listener = listener;
  }

  /** Returns a preview's rows. If they are not loaded, starts to load them and returns none. */
  linesOf(row: Summary | undefined, width: number): readonly string[] {
    const wanted = row === undefined ? "" : previewKey(row, width);
    const known = this.#kept.get(wanted);
    if (wanted === this.#wanted) return known ?? [];
    this.close();
    this.#wanted = wanted;
    if (row !== undefined && known === undefined) {
      const { signal } = this.#abort;
      this.#timer = setTimeout(() => {
        this.#find(wanted, row, width, signal).catch((error) => this.#listener.onError(error));
      }, DELAY_MS);
    }
    return known ?? [];
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async #find(key: string, row: Summary, width: number, signal: AbortSignal): Promise<void> {
    const lines = await previewLines(this.#settings, row, width, signal);
    if (signal.aborted) return;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, lines);
    this.#listener.onReady();
  }
}

function previewKey({ ref, bytes = 0, updated_at = "" }: Summary, width: number): string {
  return `${width} ${bytes} ${updated_at} ${ref}`;
}

function othersOf({ threads = [] }: Summary): string[] {
  if (threads.length === 0) return [];
  const noun = threads.length === 1 ? "branch or subagent" : "branches or subagents";
  return ["", `${threads.length} other ${noun}`];
}

async function previewLines(
  settings: ScreenSettings,
  row: Summary,
  width: number,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const session = await settings.library.entry(sessionOf(row)).open();
    const items = await lastMessages(session, signal);
    const { itemPrinter } = await import("../item_drawing.ts");
    const print = itemPrinter(settings, width);
    const lines = items.flatMap((item) => print(item).trimEnd().split("\n"));
    return [...lines, ...othersOf(row)];
  } catch (error) {
    if (signal.aborted) return [];
    if (!(error instanceof SessionError)) throw error;
    const { sanitizeLine } = await import("../../../text/render/sanitize.ts");
    return [sanitizeLine(error.message)];
  }
}

const MESSAGES = 4;
const MOST_CHARACTERS = 4000;

const KINDS: ReadonlySet<EventKind> = new Set<EventKind>([
  "user_message",
  "assistant_message",
  "assistant_interrupted",
]);

async function lastMessages(
  session: SessionHandle,
  signal: AbortSignal,
): Promise<MessageItem[]> {
  // Some of the last messages may only call tools.
  const events = await session.tail(4 * MESSAGES, { needs: KINDS, signal });
  const items: TranscriptItem[] = foldEvents(transcript(), events);
  return items.filter((item) => item.type === "message")
    .filter(({ content }) => contentText(content).trim() !== "")
    .slice(-MESSAGES)
    // The end of a log knows its events' numbers; any other end does not.
    .map((item) => ({
      ...item,
      content: endOf(item.content),
      seq: session.log === undefined ? 0 : item.seq,
    }));
}

function endOf(content: Content): string {
  const text = contentText(content).trim();
  return text.length <= MOST_CHARACTERS ? text : `…${text.slice(-MOST_CHARACTERS)}`;
}
