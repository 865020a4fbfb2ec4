/**
 * What the lines of a session say: texts, calls and results, as far as the proofs of repairs count
 * them. Pure. The forms are those of pi 0.73, Codex 0.169, Claude Code 2.1.330, Gemini CLI 0.61 and
 * Qwen Code 0.24.
 */

/** The agents whose sessions are repaired. */
export const REPAIRED = ["pi", "codex", "claude", "gemini", "qwen"] as const;
export type RepairedAgent = (typeof REPAIRED)[number];

/** One thing that a model gets. */
export interface Item {
  kind: "text" | "call" | "result";
  role: "user" | "assistant";
  /** The id of the call, of a call or a result. */
  call_id?: string;
}

// deno-lint-ignore no-explicit-any
type Json = any;

const said = (role: Item["role"], text: unknown): Item[] =>
  typeof text === "string" && text.trim() !== "" ? [{ kind: "text", role }] : [];
const called = (id: unknown): Item => ({ kind: "call", role: "assistant", call_id: String(id) });
const gave = (id: unknown): Item => ({ kind: "result", role: "user", call_id: String(id) });
const list = (value: unknown): Json[] => Array.isArray(value) ? value : [];

function piItems({ type, message }: Json): Item[] {
  if (type !== "message") return [];
  const { role, content, toolCallId } = message;
  if (role === "toolResult") return [gave(toolCallId)];
  if (typeof content === "string") return said(role, content);
  const texts = list(content).flatMap((part) => said(role, part.text)).slice(0, 1);
  return [
    ...texts,
    ...list(content).filter((part) => part.type === "toolCall").map(({ id }) => called(id)),
  ];
}

function codexItems({ type, payload }: Json): Item[] {
  if (type !== "response_item") return [];
  if (/_call$/.test(payload.type)) return [called(payload.call_id)];
  if (/_call_output$/.test(payload.type)) return [gave(payload.call_id)];
  if (payload.type !== "message" || !/^(?:user|assistant)$/.test(payload.role)) return [];
  const text = list(payload.content).map((part) => part.text ?? "").join("");
  return /^<environment_context>/.test(text) ? [] : said(payload.role, text);
}

function claudeItems({ type, message, isMeta }: Json): Item[] {
  if ((type !== "user" && type !== "assistant") || isMeta === true) return [];
  if (typeof message.content === "string") return said(type, message.content);
  return list(message.content).flatMap((block) => {
    if (block.type === "tool_use") return [called(block.id)];
    return block.type === "tool_result" ? [gave(block.tool_use_id)] : said(type, block.text);
  });
}

function geminiItems(value: Json): Item[] {
  const fresh = list(value.$set?.messages ?? value.messages);
  if (fresh.length > 0) return fresh.flatMap(geminiItems);
  const texts = typeof value.content === "string"
    ? value.content
    : list(value.content).map((part) => part.text ?? "").join("");
  if (value.type === "user") {
    return /^\s*<session_context>/.test(texts) ? [] : said("user", texts);
  }
  if (value.type !== "gemini") return [];
  const calls = list(value.toolCalls).flatMap(({ id, result }) => [
    called(id),
    ...(result === undefined ? [] : [gave(id)]),
  ]);
  return [...said("assistant", texts), ...calls];
}

function qwenItems({ type, message }: Json): Item[] {
  if (type === "system" || message === undefined) return [];
  const role = type === "assistant" ? "assistant" : "user";
  return list(message.parts).flatMap((part) => {
    if (part.functionCall !== undefined) return [called(part.functionCall.id)];
    if (part.functionResponse !== undefined) return [gave(part.functionResponse.id)];
    return part.thought === true ? [] : said(role, part.text);
  });
}

const READERS: Record<RepairedAgent, (value: Json) => Item[]> = {
  pi: piItems,
  codex: codexItems,
  claude: claudeItems,
  gemini: geminiItems,
  qwen: qwenItems,
};

/** What a line says; nothing where it is no JSON. */
export function itemsOfLine(agent: RepairedAgent, line: string): Item[] {
  try {
    return READERS[agent](JSON.parse(line));
  } catch {
    return [];
  }
}

/**
 * What is still said once lines are lost (their numbers are from 1): results whose call was on a
 * lost line are gone with it.
 */
export function itemsWithout(
  agent: RepairedAgent,
  lines: readonly string[],
  lost: ReadonlySet<number>,
): Item[] {
  const items = lines.map((line) => itemsOfLine(agent, line));
  const kept = items.flatMap((found, index) => lost.has(index + 1) ? [] : found);
  const calls = new Set(kept.filter(({ kind }) => kind === "call").map(({ call_id }) => call_id));
  return kept.filter(({ kind, call_id }) => kind !== "result" || calls.has(call_id));
}
