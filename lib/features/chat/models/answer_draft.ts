/** Assembles a model's response from the streamed fragments of any provider's API. */
import { present } from "../../../core/event/present.ts";
import { type CallInput, parseCallInput } from "../../../core/event/call_input.ts";
import { encodeEvent } from "../../../core/pipeline/mod.ts";
import type { ModelCall, ModelDelta, ModelReasoning, PartialResponse } from "./model.ts";
import { ModelError } from "./model_error.ts";
import { type KeyFragments, SentKeys } from "./sent_keys.ts";

/**
 * Maximum length of a response in characters: about a million tokens, more than any model gives.
 */
const MAX_RESPONSE_LENGTH = 4 * 1024 * 1024;
/** Number of characters that a call or a block of reasoning counts in addition to its text. */
const PIECE_LENGTH = 256;
const MAX_NAME = 256;

interface CallDraft {
  call_id: string;
  name: string;
  json: string;
  keys: KeyFragments;
}

interface Stretch {
  text: string;
  keys: KeyFragments;
  provider_data?: unknown;
}

/** Collects a response's fragments and passes them on. Hides the request's API keys in them. */
export class AnswerDraft {
  readonly #keys: SentKeys;
  readonly #onDelta: ((delta: ModelDelta) => void) | undefined;
  readonly #calls = new Map<number, CallDraft>();
  readonly #reasoning = new Map<number, Stretch>();
  readonly #textKeys: KeyFragments;
  #text = "";
  #room = MAX_RESPONSE_LENGTH;

  constructor(onDelta?: (delta: ModelDelta) => void, keys = new SentKeys()) {
    this.#keys = keys;
    this.#textKeys = keys.inFragments();
    this.#onDelta = onDelta;
  }

  addText(text: string): void {
    this.#passText(this.#textKeys.push(this.#fitting(text)));
    this.#assertRoom();
  }

  addReasoning(text: string, index = 0): void {
    const stretch = this.#stretch(index);
    this.#passReasoning(stretch, stretch.keys.push(this.#fitting(text)));
    this.#assertRoom();
  }

  /** Sets the data to send back with a block of reasoning. */
  sealReasoning(provider_data: unknown, index = 0): void {
    this.#stretch(index).provider_data = provider_data;
  }

  /** Adds unreadable reasoning, which must be sent back. */
  addRedacted(data: string, index: number): void {
    this.sealReasoning({ type: "redacted_thinking", data: this.#fitting(data) }, index);
    this.#assertRoom();
  }

  /** Adds a fragment to the signature that must be sent back with a block of reasoning. */
  signReasoning(fragment: string, index: number): void {
    const stretch = this.#stretch(index);
    const { signature = "" } = (stretch.provider_data ?? {}) as { signature?: string };
    stretch.provider_data = { signature: signature + this.#fitting(fragment) };
    this.#assertRoom();
  }

  addCall(index: number, fragment: { id?: string; name?: string; json?: string }): void {
    const { id = "", name = "", json = "" } = fragment;
    const call = this.#call(index);
    if (call.call_id === "") call.call_id = id.slice(0, MAX_NAME);
    // Some servers repeat the whole name with every fragment.
    const first = call.name === "" && name !== "";
    if (first) call.name = this.#keys.inResponse(name.slice(0, MAX_NAME));
    const text = call.keys.push(this.#fitting(json));
    call.json += text;
    const name_now = first ? call.name : undefined;
    this.#onDelta?.(present({ type: "call", index, name: name_now, text }));
    this.#assertRoom();
  }

  get text(): string {
    this.#passText(this.#textKeys.rest());
    return this.#text;
  }

  /** The number of characters that count against the maximum length so far. */
  get size(): number {
    return MAX_RESPONSE_LENGTH - this.#room;
  }

  get has_calls(): boolean {
    return this.#calls.size > 0;
  }

  reasoning(): ModelReasoning[] {
    return this.#stretches().flatMap(({ text, provider_data }) => {
      if (provider_data !== undefined) return [{ text, provider_data }];
      return text === "" ? [] : [{ text }];
    });
  }

  calls(): ModelCall[] {
    return [...this.#calls.values()].map(({ call_id, name, json, keys }) => ({
      call_id: call_id === "" ? `call_${crypto.randomUUID()}` : call_id,
      name,
      ...parsedInput(json + keys.rest()),
    }));
  }

  partial(): PartialResponse {
    const reasoning = this.#stretches().map(({ text }) => text).filter((text) => text !== "");
    return { text: this.text, reasoning: reasoning.join("\n\n") };
  }

  #passText(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#onDelta?.({ type: "text", text });
  }

  #passReasoning(stretch: Stretch, text: string): void {
    if (text === "") return;
    stretch.text += text;
    this.#onDelta?.({ type: "reasoning", text });
  }

  /** Returns all reasoning. First reports text withheld because it could begin an API key. */
  #stretches(): Stretch[] {
    const stretches = [...this.#reasoning.values()];
    for (const stretch of stretches) this.#passReasoning(stretch, stretch.keys.rest());
    return stretches;
  }

  #stretch(index: number): Stretch {
    let stretch = this.#reasoning.get(index);
    if (stretch === undefined) {
      this.#room -= PIECE_LENGTH;
      this.#reasoning.set(index, stretch = { text: "", keys: this.#keys.inFragments() });
    }
    return stretch;
  }

  #call(index: number): CallDraft {
    let call = this.#calls.get(index);
    if (call === undefined) {
      this.#room -= PIECE_LENGTH;
      call = { call_id: "", name: "", json: "", keys: this.#keys.inFragments() };
      this.#calls.set(index, call);
    }
    return call;
  }

  /** Returns a fragment's prefix that fits. The limit shrinks by the fragment's full length. */
  #fitting(fragment: string): string {
    const fitting = fragment.slice(0, Math.max(0, this.#room));
    this.#room -= fragment.length;
    return fitting;
  }

  #assertRoom(): void {
    if (this.#room >= 0) return;
    const limit = MAX_RESPONSE_LENGTH.toLocaleString("en");
    const message = `The model's answer was stopped: it has more than ${limit} characters`;
    throw new ModelError("too-long", message);
  }
}

/** Parses an input. Invalid or too deep JSON stays a text, which the tool rejects. */
function parsedInput(json: string): CallInput {
  if (json.trim() === "") return { input: {} };
  try {
    const given = parseCallInput(json);
    const call = { type: "tool_call" as const, call_id: "", name: "", ...given };
    encodeEvent({ seq: 1, kind: "assistant_message", payload: { content: [call] } });
    return given;
  } catch {
    return { input: json };
  }
}
