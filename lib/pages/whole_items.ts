/** The items of a session by their number. */
import type { SessionHandle } from "../library/session_handle.ts";
import { foldBatches } from "../projection/projection.ts";
import { transcript } from "../projection/transcript/transcript.ts";
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import { promptTitle } from "../render/html_document/message.ts";

/** Items of a session, of any length. */
export interface SessionItems {
  items(first: number, count: number): Promise<readonly TranscriptItem[]>;
  readAll(): Promise<void>;
  readonly progress: { total?: number };
  readonly prompts: readonly { item: number; seq: number; text: string }[];
  close(): void;
}

/** Holds all items of a session. */
export class WholeItems implements SessionItems {
  readonly #handle: SessionHandle;
  readonly #thread: string | undefined;
  #all: readonly TranscriptItem[] | undefined;

  /** Reads nothing before it is asked. */
  constructor(handle: SessionHandle, thread: string | undefined) {
    this.#handle = handle;
    this.#thread = thread;
  }

  async items(first: number, count: number): Promise<readonly TranscriptItem[]> {
    await this.readAll();
    return this.#all?.slice(first, first + count) ?? [];
  }

  async readAll(): Promise<void> {
    const projection = transcript();
    const thread = this.#thread === undefined ? {} : { thread: this.#thread };
    const events = this.#handle.events({ needs: projection.needs, ...thread });
    this.#all ??= await foldBatches(projection, events);
  }

  get progress(): { total?: number } {
    return this.#all === undefined ? {} : { total: this.#all.length };
  }

  get prompts(): { item: number; seq: number; text: string }[] {
    return this.#all?.flatMap((one, item) =>
      one.type === "message" && one.role === "user"
        ? [{ item, seq: one.seq, text: promptTitle(one) }]
        : []
    ) ?? [];
  }

  close(): void {}
}
