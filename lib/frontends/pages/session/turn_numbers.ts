/** Numbers the turns at the end of a session that is too long to be read for each page. */
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import { transcript } from "../../../core/projection/transcript/transcript.ts";

interface NumberedPrompt {
  id: string;
  /** The number of the turn that the prompt begins, counted from 1. */
  number: number;
}

/** Remembers the number of the last counted prompt, to number the prompts added after it. */
export class TurnNumbers {
  #last: NumberedPrompt | undefined;

  /** Counts the prompts of a session by reading it once. Later calls return at once. */
  async count(handle: SessionHandle, thread: { thread?: string }): Promise<void> {
    if (this.#last !== undefined) return;
    const prompts = transcript();
    const needs = new Set(["user_message" as const]);
    let state = prompts.initial();
    let [number, id] = [0, ""];
    const take = (items: readonly TranscriptItem[]): void => {
      for (const item of items.filter(isPrompt)) {
        number++;
        id = item.id ?? "";
      }
    };
    for await (const events of handle.events({ ...thread, needs })) {
      for (const event of events) state = prompts.apply(state, event);
      take(prompts.take(state));
    }
    take(prompts.result(state));
    if (id !== "") this.#last = { id, number };
  }

  /** Returns the number of prompts before the session's last `items`, or undefined if unknown. */
  before(items: readonly TranscriptItem[]): number | undefined {
    const last = this.#last;
    const prompts = items.filter(isPrompt);
    const at = prompts.findLastIndex(({ id }) => id !== undefined && id === last?.id);
    if (last === undefined || at < 0) return this.#last = undefined;
    const before = last.number - at - 1;
    this.#last = { id: prompts.at(-1)?.id ?? last.id, number: before + prompts.length };
    return before;
  }
}

function isPrompt(item: TranscriptItem): boolean {
  return item.type === "message" && item.role === "user";
}
