/**
 * The window of the model that a chat talks to: how full it is, and how there is room again.
 */
import type { Message, NewEvent } from "../../mod.ts";
import { contentFor } from "../pipeline/mod.ts";
import type { ChatView, CompactionEnd } from "./chat_options.ts";
import { makeCompaction } from "./compaction.ts";
import type { ModelClient, ModelResponse } from "./models/model.ts";
import { ModelError } from "./models/model_error.ts";
import { messageTokens, outputTokens, textTokens } from "./token_estimate.ts";

/** What a window is made of. */
interface WindowParts {
  model: ModelClient;
  /** Tokens that every request takes beside the conversation. */
  fixed_tokens: number;
  /** The conversation, as the next request would begin. */
  messages: () => Message[];
  /** Keeps a compaction. */
  keep: (event: NewEvent) => Promise<void>;
  view: Pick<ChatView, "onNotice">;
  /** Part of the window from which on the conversation is summarized. */
  compact_at: number;
}

/** Which compaction: of a turn it is the chat's own doing, else the user's. */
interface CompactionWish {
  guidance?: string | undefined;
  turn_id?: string | undefined;
  signal?: AbortSignal | undefined;
}

/** Watches the window, and compacts the conversation. */
export class ContextWindow {
  readonly #parts: WindowParts;
  readonly #meter: ContextMeter;

  constructor(parts: WindowParts) {
    this.#parts = parts;
    this.#meter = new ContextMeter(this.#estimate());
  }

  /** Tokens that are taken. */
  get used(): number {
    return this.#meter.used;
  }

  /** Whether some of `used` is an estimate. */
  get estimated(): boolean {
    return this.#meter.estimated;
  }

  /** Adds what an event adds to the next request. */
  add(event: NewEvent): void {
    this.#meter.add(event);
  }

  /** Takes what the provider counts. */
  count(response: ModelResponse): void {
    this.#meter.count(response);
  }

  /**
   * Compacts where the window is nearly full; `urgent`, whatever it seems.
   *
   * @returns Whether there is more room now.
   * @throws {ModelError} `aborted`
   */
  async makeRoom(urgent: boolean, turn_id: string, signal: AbortSignal): Promise<boolean> {
    const { compact_at, model, view } = this.#parts;
    if (!urgent && !this.#meter.isOver(compact_at * model.context_limit)) return false;
    const message = "The window is nearly full: the conversation is being summarized";
    view.onNotice?.({ code: "compacting", message });
    const end = await this.compact({ turn_id, signal });
    this.#meter.accept();
    // Thrown anew: what came of the summary was not shown, and is no part of an answer.
    if (end.result === "cancelled") throw new ModelError("aborted", "The request was stopped");
    if (end.result === "failed") {
      view.onNotice?.({ code: "compaction-failed", message: end.message ?? "" });
    }
    return end.result === "applied";
  }

  /** Replaces the conversation by a summary and the last turn. */
  async compact({ guidance, turn_id, signal }: CompactionWish): Promise<CompactionEnd> {
    const trigger = turn_id === undefined ? "manual" : "auto";
    const messages = this.#parts.messages();
    const request = { model: this.#parts.model, messages, trigger, guidance } as const;
    try {
      const payload = await makeCompaction(
        { ...request, tokens_before: this.used },
        signal === undefined ? {} : { signal },
      );
      if (payload === undefined) return { result: "nothing" };
      const turn = turn_id === undefined ? {} : { turn_id };
      await this.#parts.keep({ kind: "compaction_applied", ...turn, payload });
      this.#meter.reset(this.#estimate());
      return { result: "applied" };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (error.code === "aborted") return { result: "cancelled" };
      return { result: "failed", message: error.message };
    }
  }

  #estimate(): number {
    return this.#parts.fixed_tokens + messageTokens(this.#parts.messages());
  }
}

/** Counts tokens of the window. */
class ContextMeter {
  #counted: number;
  #since = 0;
  #exact = false;
  /** Tokens that could not be done without. */
  #accepted = 0;

  /** Begins with an estimate. */
  constructor(estimate: number) {
    this.#counted = estimate;
  }

  get used(): number {
    return this.#counted + this.#since;
  }

  /** Whether some of it is an estimate. */
  get estimated(): boolean {
    return !this.#exact || this.#since > 0;
  }

  /**
   * Whether more is taken than there should be. What was accepted before is more than that only once
   * it has grown by a fifth: what did not help is not tried again before every request.
   */
  isOver(most: number): boolean {
    return this.used > Math.max(most, 1.2 * this.#accepted);
  }

  /** Says that as much as is taken now could not be done without. */
  accept(): void {
    this.#accepted = this.used;
  }

  /** Takes what the provider counts; without it the estimate goes on. */
  count({ context_used, text, calls }: ModelResponse): void {
    if (context_used === undefined) {
      const parts = calls.map((call) => ({ type: "tool_call" as const, ...call }));
      this.#since += messageTokens([{
        role: "assistant",
        content: [{ type: "text", text }, ...parts],
      }]);
      return;
    }
    this.#counted = context_used;
    this.#since = 0;
    this.#exact = true;
  }

  /** Begins anew, with another estimate. */
  reset(estimate: number): void {
    this.#counted = estimate;
    this.#since = 0;
    this.#exact = false;
  }

  /** Adds what an event adds to the next request. */
  add(event: NewEvent): void {
    this.#since += eventTokens(event);
  }
}

function eventTokens(event: NewEvent): number {
  switch (event.kind) {
    case "user_message":
      return messageTokens([{
        role: "user",
        content: contentFor(event.payload.content, "model"),
      }]);
    case "assistant_interrupted":
      return messageTokens([{ role: "assistant", content: event.payload.content }]);
    case "tool_end":
    case "bash_end":
      return outputTokens(contentFor(event.payload.output ?? "", "model")) +
        textTokens(event.payload.error ?? "");
    default:
      return 0;
  }
}
