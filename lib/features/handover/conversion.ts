/**
 * Converts a conversation's messages to the form for the target agent. Each call gets its result,
 * and consecutive answers become one.
 */
import {
  contentText,
  type Message,
  type ReasoningPart,
  type ToolCallPart,
  type ToolResultPart,
} from "../../core/event/message.ts";
import { present } from "../../core/event/present.ts";
import { isMadeUp } from "../../core/projection/conversation/paired_messages.ts";
import { toParts } from "../../core/projection/said_parts.ts";
import { isSealedHistory } from "../../text/shape/providers/openai_responses.ts";
import type {
  HandedAnswer,
  HandedCall,
  HandedMessage,
  HandedPart,
  OriginalCall,
  SessionWriter,
} from "../../agents/contract/session_writer.ts";
import { type CallForm, callInForm } from "./handed_call.ts";
import { outputParts, saidParts } from "./handed_parts.ts";
import { ranText, sealedNotice } from "./notice.ts";
import type { OriginalOf } from "./original_calls.ts";
import type { SpokenMessage } from "./spoken_messages.ts";
import { addCounts, type MessageCounts, noCounts } from "./tally.ts";

export interface ConversionOptions {
  writer: Pick<
    SessionWriter,
    "tools" | "newCallId" | "takesReasoning" | "takesImage" | "counts_json"
  >;
  form: CallForm;
  /** True to keep reasoning that its provider accepts back. */
  keep_reasoning: boolean;
  /** The working directory of the original session. */
  cwd: string;
  /** Reference of the session that the messages come from. */
  from: string;
  /** Returns the original form of a call. Undefined if the call was never handed over. */
  original?: OriginalOf;
  /** Returns true if calls of the session `from` may get their original ids. */
  isOwn?: (from: string) => boolean;
}

/** A converted message for the target agent. Its time is set later, when all messages are known. */
export interface TurnedMessage {
  message: HandedMessage;
  /** ISO 8601 time of the original message, or undefined if it has none. */
  said_at: string | undefined;
  /** The message's statistics, plus the number of parts left out since the previous message. */
  counts: MessageCounts;
}

export class Conversion {
  readonly #options: ConversionOptions;
  /** Original call ids in use. A later call with the same original id gets a new id. */
  readonly #ids = new Set<string>();
  #counts = noCounts();
  #answer: { message: HandedAnswer; said_at: string | undefined } | undefined;
  #ready: TurnedMessage[] = [];

  constructor(options: ConversionOptions) {
    this.#options = options;
  }

  /** The counts of parts that were left out after the last message. */
  get rest(): MessageCounts {
    return this.#counts;
  }

  /** Adds messages in order. The results of an answer's calls must follow the answer. */
  add(messages: readonly SpokenMessage[]): void {
    for (let at = 0; at < messages.length; at++) {
      const spoken = messages[at] as SpokenMessage;
      const results = messages[at + 1]?.message;
      if (spoken.message.role === "user") this.#addPrompt(spoken);
      else if (spoken.message.role === "assistant") {
        this.#addAnswer(spoken, results?.role === "tool" ? resultsOf(results) : []);
      }
    }
  }

  take(): TurnedMessage[] {
    return this.#ready.splice(0);
  }

  takeLast(): TurnedMessage[] {
    this.#endAnswer();
    return this.take();
  }

  #addPrompt({ message, time, hidden }: SpokenMessage): void {
    const counts = noCounts();
    const parts = saidParts(message.content, counts, this.#options.writer.takesImage);
    // Answers with nothing in between become one.
    if (parts.length === 0) return void this.#counts.empty++;
    this.#endAnswer();
    addCounts(this.#counts, counts);
    this.#say(parts, time, hidden);
  }

  #say(parts: HandedPart[], said_at: string | undefined, hidden?: true): void {
    this.#endAnswer();
    this.#push(present({ role: "user" as const, time: 0, parts, hidden }), said_at);
  }

  #push(message: HandedMessage, said_at: string | undefined): void {
    this.#ready.push({ message, said_at, counts: this.#counts });
    this.#counts = noCounts();
  }

  #addAnswer(spoken: SpokenMessage, results: readonly ToolResultPart[]): void {
    const { message, time, ran } = spoken;
    const parts = toParts(message.content);
    const calls = parts.filter((part) => part.type === "tool_call");
    if (ran !== undefined) return this.#addRun(ran, results, time);
    if (isSealedHistory(message.content)) {
      this.#counts.sealed++;
      return this.#say([{ type: "text", text: sealedNotice(this.#options.from) }], time);
    }
    const text = saidText(message);
    const answer = this.#openAnswer(time);
    answer.text = [answer.text, text].filter((one) => one !== "").join("\n\n");
    this.#addReasoning(answer, spoken);
    if (this.#options.form === "text") return this.#tellCalls(answer, calls, results, time);
    for (const [index, call] of calls.entries()) {
      answer.calls.push(this.#handedCall(call, results[index]));
    }
  }

  /**
   * Returns the answer to add text to. Begins a new answer if the last answer has calls, because
   * the model was asked again after the calls.
   */
  #openAnswer(said_at: string | undefined): HandedAnswer {
    if (this.#answer?.message.calls.length === 0) return this.#answer.message;
    this.#endAnswer();
    const message: HandedAnswer = {
      role: "assistant",
      time: 0,
      text: "",
      reasoning: [],
      calls: [],
    };
    this.#answer = { message, said_at };
    return message;
  }

  #endAnswer(): void {
    if (this.#answer === undefined) return;
    const { message, said_at } = this.#answer;
    this.#answer = undefined;
    if (message.text !== "" || message.calls.length > 0) return this.#push(message, said_at);
    // Reasoning alone is no answer.
    this.#counts.reasoning -= message.reasoning.length;
    this.#counts.dropped_reasoning += message.reasoning.length;
    this.#counts.empty++;
  }

  /** Adds a command that the user ran, as a message of the user. */
  #addRun(
    command: string,
    results: readonly ToolResultPart[],
    said_at: string | undefined,
  ): void {
    this.#endAnswer();
    const output = results.flatMap((result) => this.#parts(result));
    const [first, ...rest] = output;
    const gave = first?.type === "text" ? first.text : first === undefined ? "(no output)" : "";
    const text = `${ranText(command)}\n\n${gave}`.trimEnd();
    const parts = first?.type === "image" ? output : rest;
    this.#say([{ type: "text", text }, ...parts], said_at);
  }

  #addReasoning(answer: HandedAnswer, { message, model, provider }: SpokenMessage): void {
    const { writer, keep_reasoning } = this.#options;
    for (const part of toParts(message.content)) {
      if (part.type !== "reasoning") continue;
      const keeps = keep_reasoning && part.provider_data !== undefined &&
        writer.takesReasoning?.(part, { model, provider }) === true;
      if (!keeps) this.#counts.dropped_reasoning++;
      else {
        this.#counts.reasoning++;
        answer.reasoning.push(wholeReasoning(part));
        if (model !== undefined) answer.model = model;
      }
    }
  }

  #handedCall(call: ToolCallPart, result: ToolResultPart | undefined): HandedCall {
    const { writer, form, cwd } = this.#options;
    const original = this.#originalOf(call, result);
    const before = { name: original.name, input: original.input ?? call.input };
    // A call that returns to its first agent gets its original form.
    const own = original.from !== undefined && this.#options.isOwn?.(original.from) === true;
    const how = { form: own ? "native" : form, tools: writer.tools, cwd } as const;
    const { name, input, mapped } = callInForm(before, how);
    this.#counts[mapped ? "mapped" : "native"]++;
    const same = JSON.stringify(input) === JSON.stringify(before.input);
    const { input: _, ...fields } = original;
    return {
      id: own ? this.#ownId(original) : writer.newCallId(),
      name: own ? original.name : name,
      input,
      output: this.#outputOf(result),
      failed: original.status !== "ok",
      original: same ? fields : { ...fields, input: before.input },
    };
  }

  #originalOf(call: ToolCallPart, result: ToolResultPart | undefined): OriginalCall {
    const status = result?.status ?? "error";
    const travelled = this.#options.original?.(call.call_id);
    if (travelled !== undefined) return travelled;
    return { id: call.call_id, name: call.name, status };
  }

  /** Returns the call's original id, or a new id if an earlier call has it already. */
  #ownId({ id }: OriginalCall): string {
    this.#counts.restored++;
    if (this.#ids.has(id)) return this.#options.writer.newCallId();
    this.#ids.add(id);
    return id;
  }

  #outputOf(result: ToolResultPart | undefined): HandedPart[] {
    if (result === undefined || isMadeUp(result)) this.#counts.unanswered++;
    return result === undefined ? [] : this.#parts(result);
  }

  #parts({ output }: ToolResultPart): HandedPart[] {
    return outputParts(output, this.#counts, this.#options.writer.takesImage);
  }

  /** Adds calls as text of the answer, and their outputs as a message of the user. */
  #tellCalls(
    answer: HandedAnswer,
    calls: readonly ToolCallPart[],
    results: readonly ToolResultPart[],
    said_at: string | undefined,
  ): void {
    if (calls.length === 0) return;
    this.#counts.told += calls.length;
    const told = calls.map(({ name, input }) =>
      `[Called ${name} with ${JSON.stringify(input) ?? "nothing"}]`.toWellFormed()
    );
    answer.text = [answer.text, ...told].filter((one) => one !== "").join("\n\n");
    this.#endAnswer();
    const parts = calls.flatMap(({ name }, index): HandedPart[] => {
      const failed = results[index]?.status === "ok" ? "gave" : "failed and gave";
      const head: HandedPart = { type: "text", text: `[${name.toWellFormed()} ${failed}:]` };
      return [head, ...this.#outputOf(results[index])];
    });
    this.#say(parts, said_at);
  }
}

function resultsOf({ content }: Message): ToolResultPart[] {
  return toParts(content).filter((part) => part.type === "tool_result");
}

function saidText({ content }: Message): string {
  const spoken = toParts(content).filter((part) => part.type !== "text" || part.text.trim() !== "");
  return contentText(spoken).toWellFormed();
}

function wholeReasoning(part: ReasoningPart): ReasoningPart {
  return { ...part, text: part.text.toWellFormed() };
}
