/**
 * What a request sends of a conversation, as a flat list that those of four APIs share and ours too.
 *
 * Left out: the system prompt and developer messages, ids (a result names its call by number), white
 * space between and around words, empty texts. Texts that follow each other are one. Reminders stand
 * for themselves, wherever they are.
 */

// Requests are looked at, never trusted: what is not as expected shows as a difference.
// deno-lint-ignore no-explicit-any
type Json = any;

/** One thing that a model gets. */
export interface Item {
  kind: "user" | "assistant" | "reasoning" | "call" | "result" | "file" | "reminder";
  text: string;
  /** The same with all its white space, but that around it. */
  exact: string;
  /** The system says it between the others: it counts where we say it, too. */
  aside?: boolean;
}

/** How a request writes a conversation. */
export type Api = "chat" | "responses" | "messages" | "generate" | "plain";

/** Returns what a request's body sends; of `plain`, what our own messages hold. */
export function requestItems(api: Api, body: Json): Item[] {
  const ids = new Map<string, number>();
  const list = new ItemList(ids);
  if (api === "responses") { for (const item of asList(body.input)) response(list, item); }
  else if (api === "generate") {
    for (const { role, parts } of body.contents ?? []) {
      for (const part of parts ?? []) {
        generated(list, role === "model" ? "assistant" : "user", part);
      }
    }
  } else {
    for (const message of body.messages ?? []) {
      // Anthropic's system prompt stands apart: such a message is a word between the others.
      const aside = api === "messages" && message.role === "system";
      const from = list.items.length;
      blocks(list, aside ? { ...message, role: "user" } : message);
      if (aside) list.items.splice(from, Infinity, ...list.items.slice(from).map(asReminder));
    }
  }
  return list.items;
}

const REMINDER = /(<system-reminder>[^]*?<\/system-reminder>)/;

/** What the system says between the others is a reminder, with its tags or without. */
function asReminder({ text, exact }: Item): Item {
  const tagged = REMINDER.test(text) ? text : `<system-reminder> ${text} </system-reminder>`;
  return { kind: "reminder", text: tagged, exact, aside: true };
}

class ItemList {
  readonly items: Item[] = [];
  readonly #calls: Map<string, number>;
  #count = 0;

  constructor(calls: Map<string, number>) {
    this.#calls = calls;
  }

  add(kind: Item["kind"], text: unknown): void {
    const pieces = String(text ?? "").split(REMINDER);
    for (const [index, piece] of pieces.entries()) {
      const plain = piece.replaceAll(/\s+/g, " ").trim();
      // A result may be empty, and is still one.
      const is_result = kind === "result" && index === 0;
      if (plain === "" && !is_result) continue;
      const is_reminder = piece.startsWith("<system-reminder>");
      const more = kind === "result" && index > 0 && !is_reminder ? "user" : kind;
      const kept = is_reminder ? "reminder" : more;
      this.items.push({ kind: kept, text: plain, exact: piece.trim() });
    }
  }

  call(id: string, name: string, input: unknown): void {
    this.#calls.set(id, ++this.#count);
    this.add("call", `${this.#count} ${name} ${sorted(input)}`);
  }

  result(id: string, output: unknown): void {
    // Neither our shapes nor pi send nothing.
    const text = outputText(output).replace(/^\(no (?:tool )?output\)$/, "");
    this.add("result", `${this.#calls.get(id) ?? "?"} ${text}`);
  }
}

function asList(input: Json): Json[] {
  return typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;
}

/** JSON with sorted keys; what is no JSON as it is. */
function sorted(input: unknown): string {
  if (typeof input === "string") {
    try {
      return sorted(JSON.parse(input));
    } catch {
      return input;
    }
  }
  return JSON.stringify(
    input,
    (_, value) =>
      value !== null && typeof value === "object" && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1))
        : value,
  ) ?? "";
}

function outputText(output: Json): string {
  if (typeof output === "string") return output;
  if (!Array.isArray(output)) return output === undefined ? "" : sorted(output);
  return output.map((part) =>
    part.text ?? (part.type === "json" ? sorted(part.value) : fileName(part))
  )
    .join("\n");
}

/** A file goes by the start of its data. */
function fileName(part: Json): string {
  const data = part.data ?? part.source?.data ?? part.inlineData?.data ?? part.image_url?.url ??
    part.image_url ?? "";
  return `[file ${String(data).replace(/^data:[^,]*,/, "").slice(0, 40)}]`;
}

/** Chat completions, Anthropic's messages, and ours. */
function blocks(list: ItemList, message: Json): void {
  const { role, content } = message;
  if (role === "system" || role === "developer") return;
  list.add("reasoning", message.reasoning_content);
  if (role === "tool" && message.tool_call_id !== undefined) {
    list.result(message.tool_call_id, content);
  } else {for (
      const part of typeof content === "string" ? [{ type: "text", text: content }] : content ?? []
    ) {
      block(list, role, part);
    }}
  for (const { id, function: called } of message.tool_calls ?? []) {
    list.call(id, called.name, called.arguments);
  }
}

function block(list: ItemList, role: "user" | "assistant", part: Json): void {
  const whole = part.provider_data?.rest?.type;
  if (whole !== undefined) list.add("file", `[${whole}]`);
  else if (part.type === "text") list.add(role === "assistant" ? role : "user", part.text);
  else if (part.type === "thinking") list.add("reasoning", part.thinking);
  else if (part.type === "reasoning") {
    list.add("reasoning", part.text || part.provider_data?.encrypted_content);
  } else if (part.type === "tool_use") list.call(part.id, part.name, part.input);
  else if (part.type === "tool_call") list.call(part.call_id, part.name, part.input);
  else if (part.type === "tool_result") {
    list.result(part.tool_use_id ?? part.call_id, part.content ?? part.output);
  } else list.add("file", fileName(part));
}

function response(list: ItemList, item: Json): void {
  if (item.type === "message" || item.type === undefined) {
    if (item.role === "system" || item.role === "developer") return;
    const parts = typeof item.content === "string" ? [{ text: item.content }] : item.content;
    for (const part of parts) {
      if (part.text === undefined) list.add("file", fileName(part));
      else list.add(item.role === "assistant" ? "assistant" : "user", part.text);
    }
  } else if (item.type === "reasoning") {
    const said = [...item.summary ?? [], ...item.content ?? []].map(({ text }) => text).join("\n");
    list.add("reasoning", said || item.encrypted_content);
  } else if (/call_output$/.test(item.type)) list.result(item.call_id, item.output);
  else if (/_call$/.test(item.type)) {
    list.call(
      item.call_id ?? item.id,
      item.name ?? item.type,
      item.arguments ?? item.input ?? item.action,
    );
  } else list.add("file", `[${item.type}]`);
}

function generated(list: ItemList, role: "user" | "assistant", part: Json): void {
  if (part.functionCall !== undefined) {
    const { id, name, args } = part.functionCall;
    list.call(id ?? name, name, args ?? {});
  } else if (part.functionResponse !== undefined) {
    const { id, name, response } = part.functionResponse;
    list.result(id ?? name, response?.output ?? response?.error ?? response);
  } else if (part.thought === true) list.add("reasoning", part.text);
  else if (part.text !== undefined) list.add(role, part.text);
  else list.add("file", fileName(part));
}

/**
 * Texts of one speaker that follow each other, as one; results in the order of their calls, as APIs
 * take them in any, and once: Gemini CLI sends some twice.
 */
export function joinedItems(items: readonly Item[]): Item[] {
  const joined: Item[] = [];
  for (const item of inCallOrder(items)) {
    const last = joined.at(-1);
    const texts = ["user", "assistant", "reasoning"].includes(item.kind);
    if (texts && last?.kind === item.kind) last.text += ` ${item.text}`;
    else joined.push({ ...item });
  }
  return joined;
}

function inCallOrder(items: readonly Item[]): Item[] {
  const runs: Item[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (item.kind === "result" && run?.[0]?.kind === "result") run.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) =>
    run.sort((one, other) => Number.parseInt(one.text) - Number.parseInt(other.text))
      .filter(({ kind, text }, at) => kind !== "result" || run[at - 1]?.text !== text)
  );
}
