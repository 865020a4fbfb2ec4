/**
 * A scripted model without network, for trying the chat and testing programs with it.
 *
 * @module
 */
import { contentText, type Message } from "../../../../mod.ts";
import { outputText } from "../../../core/pipeline/mod.ts";
import { pause } from "../../../core/platform/pause.ts";
import { messageTokens, textTokens } from "../../../core/projection/token_estimate.ts";
import type { CompletionOptions, ModelClient, ModelRequest, ModelResponse } from "./model.ts";
import { ModelError, type ModelErrorCode } from "./model_error.ts";
import { AnswerDraft } from "./answer_draft.ts";

/**
 * Makes a scripted model. It gives the answers of its script in turn. Then it repeats the prompt,
 * and calls tools on simple words (`run ls`, `read FILE`, `write FILE TEXT`; `help` lists them).
 *
 * @param script The answers to give. @default {no steps}
 * @returns The client. The same script gives the same answers.
 */
export function mockModel(script: MockScript = { steps: [] }): ModelClient {
  const { steps, context_limit = 32_000, delay_ms = 0 } = script;
  let asked = 0;
  return {
    provider: "mock",
    model: "mock",
    context_limit,
    complete(request, options = {}): Promise<ModelResponse> {
      const step = { delay_ms, ...(steps[asked] ?? improvise(request)) };
      return perform(step, ++asked, request, options);
    },
  };
}

async function perform(
  step: MockStep,
  number: number,
  request: ModelRequest,
  { signal, onDelta }: CompletionOptions,
): Promise<ModelResponse> {
  const draft = new AnswerDraft(onDelta);
  const stop = (code: ModelError["code"], message: string): never => {
    throw new ModelError(code, message, { partial: draft.partial() });
  };
  const say = async (text: string, add: (word: string) => void): Promise<void> => {
    for (const word of text.match(/\s*\S+|\s+$/g) ?? []) {
      await pause(step.delay_ms ?? 0, signal);
      if (signal?.aborted) stop("aborted", "The request was stopped");
      add(word);
    }
  };
  await say(step.reasoning ?? "", (word) => draft.addReasoning(word));
  await say(step.text ?? "", (word) => draft.addText(word));
  if (step.error !== undefined) {
    stop(step.error, `The model that the test script plays failed: ${step.error}`);
  }
  for (const [index, { name, input, call_id }] of (step.calls ?? []).entries()) {
    const id = call_id ?? `mock_call_${number}_${index + 1}`;
    draft.addCall(index, { id, name, json: JSON.stringify(input) });
  }
  if (signal?.aborted) stop("aborted", "The request was stopped");
  return toResponse(step, draft, number, request);
}

function toResponse(
  step: MockStep,
  draft: AnswerDraft,
  number: number,
  { system = "", messages }: ModelRequest,
): ModelResponse {
  const input = textTokens(system) + messageTokens(messages);
  const output = textTokens(draft.text + JSON.stringify(draft.calls()));
  return {
    message_id: `mock_${number}`,
    text: draft.text,
    reasoning: draft.reasoning(),
    calls: draft.calls(),
    usage: { input, output },
    context_used: step.context_used ?? input + output,
    finish_reason: draft.has_calls ? "tool_calls" : "stop",
    model: "mock",
    provider: "mock",
  };
}

export interface MockStep {
  text?: string;
  reasoning?: string;
  /** The calls after the text; ids are made up where they are absent. */
  calls?: { name: string; input: unknown; call_id?: string }[];
  /** The error with which the answer fails. The other fields are then the partial answer. */
  error?: ModelErrorCode;
  /** Milliseconds between two words. */
  delay_ms?: number;
  context_used?: number;
}

/** The answers of a scripted model. `mock:FILE` reads them from a JSON file. */
interface MockScript {
  /** The answers, in order. After the last one, the model follows commands in the prompt. */
  steps: MockStep[];
  /** Size of the context window in tokens. @default {32000} */
  context_limit?: number | undefined;
  /** Milliseconds between two words. @default {0} */
  delay_ms?: number;
}

const HELP = `I am a scripted model: nothing leaves this machine. I repeat what you say, except for:
- "run COMMAND", "read FILE [FILE]", "write FILE TEXT", "edit FILE OLD => NEW": I call the tool
- "think TEXT": I reason first
- "long [PARAGRAPHS]": I talk for a while, so that you can interrupt me
- "fail [rate-limited|server|network|refused]", "cut": I fail, at once or in mid-answer`;

const FAILURES: readonly string[] = [
  "rate-limited",
  "server",
  "network",
  "refused",
  "context-length",
  "unauthorized",
];

/** Answers a request outside the script. */
function improvise({ messages, tools }: ModelRequest): MockStep {
  const last = messages.at(-1);
  if (last?.role === "tool") return { text: aboutResults(last) };
  const said = last === undefined ? "" : contentText(last.content).trim();
  if (tools.length === 0) {
    return {
      text: "This test model cannot write a summary. The conversation has " +
        `${said.length} characters of text.`,
    };
  }
  return obey(said) ?? { text: `You said: ${said}` };
}

function aboutResults({ content }: Message): string {
  const parts = typeof content === "string" ? [] : content;
  return parts.flatMap((part) => {
    if (part.type !== "tool_result") return [];
    const { name, status, output } = part;
    return `The ${name} call ended as ${status}:\n\n${outputText(output).slice(0, 400).trim()}`;
  }).join("\n\n");
}

function obey(said: string): MockStep | undefined {
  const [, verb = "", rest = ""] = /^(\w+)\s*([^]*)$/.exec(said) ?? [];
  switch (verb.toLowerCase()) {
    case "help":
      return { text: HELP };
    case "run":
      return { text: "I run it.", calls: [{ name: "bash", input: { command: rest } }] };
    case "read":
      return {
        calls: rest.split(/\s+/).map((path) => ({ name: "read", input: { path } })),
      };
    case "write":
      return { calls: [{ name: "write", input: writeInput(rest) }] };
    case "edit":
      return { calls: [{ name: "edit", input: editInput(rest) }] };
    case "think":
      return { reasoning: `Let me think about it: ${rest}`, text: `I thought about: ${rest}` };
    case "long":
      return { text: paragraphs(Number(rest) || 40), delay_ms: 15 };
    case "cut":
      return { text: "This answer breaks off here", error: "cut-stream" };
    case "fail":
      return { error: FAILURES.includes(rest) ? rest as ModelErrorCode : "server" };
    default:
      return undefined;
  }
}

function writeInput(rest: string): { path: string; content: string } {
  const [, path = "", content = ""] = /^(\S+)\s*([^]*)$/.exec(rest) ?? [];
  return { path, content: `${content}\n` };
}

function editInput(rest: string): { path: string; old_text: string; new_text: string } {
  const [, path = "", old_text = "", new_text = ""] =
    /^(\S+)\s+([^]*?)\s*=>\s*([^]*)$/.exec(rest) ??
      [];
  return { path, old_text, new_text };
}

function paragraphs(count: number): string {
  return Array.from(
    { length: count },
    (_, index) =>
      `Paragraph ${index + 1} of ${count}. This is filler text that fills a line or two of a ` +
      `terminal, so that you have time to stop the answer.`,
  ).join("\n\n");
}

export function parseMockScript(json: string): MockScript {
  const value = JSON.parse(json) as MockStep[] | MockScript;
  return Array.isArray(value) ? { steps: value } : { ...value, steps: value.steps ?? [] };
}
