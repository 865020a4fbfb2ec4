/**
 * Previews the highlighted session in the picker. It loads after a moment, so that sessions
 * scrolled past cost nothing.
 */
import { SessionError } from "../../lib/event/session_error.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import type { Context } from "../_context.ts";
import { counted } from "../_counted.ts";
import { lastMessages } from "./messages.ts";
import { contextLibrary } from "../_library.ts";
import { itemRenderer } from "../_transcript.ts";

/** A session is looked into once it was highlighted for so long. */
const DELAY_MS = 120;
/** Previews that are remembered. */
const MOST_KEPT = 100;

/** Who is told. */
export interface PreviewListener {
  onReady(): void;
  onError(error: unknown): void;
}

/** Previews of sessions, one at a time. */
export class PickerPreview {
  readonly #context: Context;
  readonly #listener: PreviewListener;
  readonly #kept = new Map<string, readonly string[]>();
  #wanted = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #abort = new AbortController();

  constructor(context: Context, listener: PreviewListener) {
    this.#context = context;
    this.#listener = listener;
  }

  /** The rows of a session's preview; none yet, where they are still to be found. */
  linesOf(row: Summary | undefined, width: number): readonly string[] {
    const wanted = row === undefined ? "" : previewKey(row, width);
    const known = this.#kept.get(wanted);
    if (wanted === this.#wanted) return known ?? [];
    this.#stop();
    this.#wanted = wanted;
    if (row !== undefined && known === undefined) {
      const { signal } = this.#abort;
      this.#timer = setTimeout(() => {
        this.#find(wanted, row, width, signal).catch((error) => this.#listener.onError(error));
      }, DELAY_MS);
    }
    return known ?? [];
  }

  /** Looks for nothing any more. */
  close(): void {
    this.#stop();
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  async #find(key: string, row: Summary, width: number, signal: AbortSignal): Promise<void> {
    const lines = await previewLines(this.#context, row, width, signal);
    if (signal.aborted) return;
    const [oldest] = this.#kept.keys();
    if (this.#kept.size >= MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    this.#kept.set(key, lines);
    this.#listener.onReady();
  }
}

/** Names a preview; a session that changed gets another one. */
function previewKey({ ref, bytes = 0, updated_at = "" }: Summary, width: number): string {
  return `${width} ${bytes} ${updated_at} ${ref}`;
}

/** What is known of a session's other threads. */
function othersOf({ threads = [] }: Summary): string[] {
  return threads.length === 0 ? [] : ["", counted(threads.length, "other thread")];
}

async function previewLines(
  context: Context,
  row: Summary,
  width: number,
  signal: AbortSignal,
): Promise<string[]> {
  try {
    const session = await contextLibrary(context).handleOf(row);
    const items = await lastMessages(session, signal);
    const toText = await itemRenderer(context, { ...context.stdout, terminal: true, width });
    const lines = items.flatMap((item) => toText(item).trimEnd().split("\n"));
    return [...lines, ...othersOf(row)];
  } catch (error) {
    if (signal.aborted) return [];
    if (!(error instanceof SessionError)) throw error;
    const { sanitizeLine } = await import("../../lib/render/sanitize.ts");
    return [sanitizeLine(error.message)];
  }
}
