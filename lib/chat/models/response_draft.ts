/**
 * A response while its fragments come in, in whichever dialect.
 */
import { encodeEvent } from "../../../mod.ts";
import type { ModelCall, ModelDelta, ModelReasoning, PartialResponse } from "./model.ts";
import { ModelError } from "./model_error.ts";

interface CallDraft {
  call_id: string;
  name: string;
  json: string;
}

/** Collects fragments and passes them on. */
export class ResponseDraft {
  readonly #onDelta: ((delta: ModelDelta) => void) | undefined;
  readonly #calls = new Map<number, CallDraft>();
  readonly #reasoning = new Map<number, { text: string; provider_data?: unknown }>();
  #text = "";

  constructor(onDelta?: (delta: ModelDelta) => void) {
    this.#onDelta = onDelta;
  }

  addText(text: string): void {
    if (text === "") return;
    this.#text += text;
    this.#onDelta?.({ type: "text", text });
  }

  /** Reasoning comes in stretches, which their index tells apart. */
  addReasoning(text: string, index = 0): void {
    const stretch = this.#stretch(index);
    stretch.text += text;
    if (text !== "") this.#onDelta?.({ type: "reasoning", text });
  }

  /** What has to go back with a stretch of reasoning. */
  sealReasoning(provider_data: unknown, index = 0): void {
    this.#stretch(index).provider_data = provider_data;
  }

  addCall(index: number, fragment: { id?: string; name?: string; json?: string }): void {
    const { id = "", name = "", json = "" } = fragment;
    let call = this.#calls.get(index);
    if (call === undefined) this.#calls.set(index, call = { call_id: "", name: "", json: "" });
    if (call.call_id === "") call.call_id = id;
    // Some servers send the whole name again with every fragment.
    const first = call.name === "" && name !== "";
    if (first) call.name = name;
    call.json += json;
    this.#onDelta?.({ type: "call", index, ...(first ? { name } : {}), text: json });
  }

  get text(): string {
    return this.#text;
  }

  get has_calls(): boolean {
    return this.#calls.size > 0;
  }

  /** Without stretches that hold neither text nor data. */
  reasoning(): ModelReasoning[] {
    return [...this.#reasoning.values()].filter(({ text, provider_data }) =>
      text !== "" || provider_data !== undefined
    );
  }

  calls(): ModelCall[] {
    return [...this.#calls.values()].map(({ call_id, name, json }) => ({
      call_id: call_id === "" ? `call_${crypto.randomUUID()}` : call_id,
      name,
      input: parsedInput(json),
    }));
  }

  partial(): PartialResponse {
    const reasoning = [...this.#reasoning.values()].map(({ text }) => text);
    return { text: this.#text, reasoning: reasoning.filter((text) => text !== "").join("\n\n") };
  }

  #stretch(index: number): { text: string; provider_data?: unknown } {
    let stretch = this.#reasoning.get(index);
    if (stretch === undefined) this.#reasoning.set(index, stretch = { text: "" });
    return stretch;
  }
}

/**
 * What is no JSON, or nests deeper than a log can hold, stays a text: the tool will say that it is no
 * input.
 */
function parsedInput(json: string): unknown {
  if (json.trim() === "") return {};
  try {
    const input: unknown = JSON.parse(json);
    encodeEvent({ seq: 1, kind: "tool_start", payload: { call_id: "", name: "", input } });
    return input;
  } catch {
    return json;
  }
}

/** The same error with what had come before it. */
export function withPartial(error: unknown, draft: ResponseDraft): unknown {
  if (!(error instanceof ModelError)) return error;
  const data = { ...error.data, partial: draft.partial() };
  return new ModelError(error.code, error.message, data, error.cause);
}
