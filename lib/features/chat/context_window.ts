/**
 * Watches the model's window, and compacts the conversation when it is nearly full. Usage is the
 * provider's last count and an estimate of all text since then.
 */
import { present } from "../../core/event/present.ts";
import type { Message, NewEvent } from "../../../mod.ts";
import { contentFor } from "../../core/pipeline/mod.ts";
import type { ChatView, CompactionEnd } from "./chat_options.ts";
import { makeCompaction } from "./compaction.ts";
import type { ModelClient, ModelResponse } from "./models/model.ts";
import { ModelError } from "./models/model_error.ts";
import { messageTokens, outputTokens, textTokens } from "../../core/projection/token_estimate.ts";

interface WindowParts {
  model: ModelClient;
  /** Number of tokens that every request takes besides the conversation. */
  fixed_tokens: number;
  messages: () => Message[];
  keep: (event: NewEvent) => Promise<void>;
  view: Pick<ChatView, "onNotice">;
  /** Share of the window above which the conversation is summarized. */
  compact_at: number;
}

/** A requested compaction. With a `turn_id` the chat requested it; without one, the user did. */
interface CompactionWish {
  guidance?: string | undefined;
  turn_id?: string | undefined;
  signal?: AbortSignal | undefined;
}

export class ContextWindow {
  readonly #parts: WindowParts;
  readonly #meter: ContextMeter;

  constructor(parts: WindowParts) {
    this.#parts = parts;
    this.#meter = new ContextMeter(this.#estimate());
  }

  get used(): number {
    return this.#meter.used;
  }

  get estimated(): boolean {
    return this.#meter.estimated;
  }

  /** Counts an event that will be part of the next request. */
  add(event: NewEvent): void {
    this.#meter.add(event);
  }

  count(response: ModelResponse): void {
    this.#meter.count(response);
  }

  /**
   * Compacts the conversation if the window is nearly full, or if `urgent` is true.
   *
   * @returns True if the conversation was shortened.
   * @throws {ModelError} `aborted`
   */
  async makeRoom(urgent: boolean, turn_id: string, signal: AbortSignal): Promise<boolean> {
    const { compact_at, model, view } = this.#parts;
    if (!urgent && !this.#meter.isOver(compact_at * model.context_limit)) return false;
    const message = "The context window is nearly full: the conversation is being summarized";
    view.onNotice?.({ code: "compacting", message });
    const end = await this.compact({ turn_id, signal });
    this.#meter.accept();
    // A new error, because the partial summary was not shown and belongs to no answer.
    if (end.result === "cancelled") throw new ModelError("aborted", "The request was stopped");
    if (end.result === "failed") {
      view.onNotice?.({ code: "compaction-failed", message: end.message ?? "" });
    }
    return end.result === "applied";
  }

  async compact({ guidance, turn_id, signal }: CompactionWish): Promise<CompactionEnd> {
    const trigger = turn_id === undefined ? "manual" : "auto";
    const messages = this.#parts.messages();
    const request = { model: this.#parts.model, messages, trigger, guidance } as const;
    try {
      const payload = await makeCompaction({ ...request, tokens_before: this.used }, { signal });
      if (payload === undefined) return { result: "nothing" };
      await this.#parts.keep(present({ kind: "compaction_applied", turn_id, payload }));
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

class ContextMeter {
  #counted: number;
  #since = 0;
  #exact = false;
  #accepted = 0;

  constructor(estimate: number) {
    this.#counted = estimate;
  }

  get used(): number {
    return this.#counted + this.#since;
  }

  get estimated(): boolean {
    return !this.#exact || this.#since > 0;
  }

  /**
   * True if more tokens are in use than `most`. After a compaction, use must also have grown by a
   * fifth. So a useless compaction is not repeated before every request.
   */
  isOver(most: number): boolean {
    return this.used > Math.max(most, 1.2 * this.#accepted);
  }

  /** Makes the tokens now in use the base from which `isOver` measures growth. */
  accept(): void {
    this.#accepted = this.used;
  }

  /** Sets the tokens in use to the provider's count. Without a count, adds an estimate. */
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

  reset(estimate: number): void {
    this.#counted = estimate;
    this.#since = 0;
    this.#exact = false;
  }

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
