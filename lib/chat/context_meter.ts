/** Estimates how full the context window is: the provider's last count, plus all since then. */
import { contentFor } from "../pipeline/mod.ts";
import type { NewEvent } from "../../mod.ts";
import type { ModelResponse } from "./models/model.ts";
import { messageTokens, outputTokens, textTokens } from "./token_estimate.ts";

/** Counts tokens of the window. */
export class ContextMeter {
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
