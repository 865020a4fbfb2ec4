/**
 * What a request carries of a conversation that was handed over, in a form in which that of the
 * first agent and that of the second are the same: calls go by what they do, not by a tool's name.
 */
import type { Item } from "../resume/request_items.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

/** One thing that a request carries. Texts of one speaker that follow each other are one. */
export interface Carried {
  kind: "user" | "assistant" | "call" | "result" | "file";
  /** In one line. */
  text: string;
  /** The pieces that it was made of, with their white space. */
  pieces: string[];
  /** Of a call: the tool's name in the request. */
  name?: string;
}

/** What is left out of a request before it is compared. */
export interface Reading {
  /** Starts of texts that the client adds by itself. */
  injects: readonly RegExp[];
  /** What the client adds within texts and results. */
  wraps?: RegExp | undefined;
  /** Results that are sent a second time count once. */
  repeats_results?: boolean;
}

/** Returns what a request carries of a conversation: no reasoning, and nothing of the client's own. */
export function carriedItems(items: readonly Item[], reading: Reading): Carried[] {
  const carried: Carried[] = [];
  for (const item of inCallOrder(items.flatMap((one) => kept(one, reading)), reading)) {
    const last = carried.at(-1);
    const is_text = item.kind === "user" || item.kind === "assistant";
    if (is_text && last?.kind === item.kind) {
      last.text += ` ${item.text}`;
      last.pieces.push(...item.pieces);
    } else carried.push(item);
  }
  return carried;
}

function kept(item: Item, { injects, wraps = /$^/g }: Reading): Carried[] {
  const { kind } = item;
  if (kind === "reasoning" || kind === "reminder") return [];
  if (kind === "call") return [call(item)];
  const [text = "", exact = ""] = [item.text, item.exact].map((said) =>
    seenText(said.replaceAll(wraps, ""))
  );
  const is_told = text === "" || injects.some((start) => start.test(text));
  return is_told ? [] : [{ kind, text, pieces: [exact] }];
}

/** Returns what the user saw of a text, or said. */
export function seenText(text: string): string {
  // Gemini CLI would take a message that begins with / or ? for a command.
  if (text.startsWith("\u200b")) return text.slice(1);
  // Codex tells its model where it is, Claude Code of its own commands.
  return text.replaceAll(/<environment_context>.*?<\/environment_context>\s*/gs, "")
    .replaceAll(/<local-command-caveat>.*?<\/local-command-caveat>\s*/gs, "")
    .replaceAll(/<command-(?:message|args)>.*?<\/command-(?:message|args)>\s*/gs, "")
    .replaceAll(/<(command-name|local-command-stdout)>(.*?)<\/\1>/gs, "$2").trim();
}

function inCallOrder(items: readonly Carried[], reading: Reading): Carried[] {
  const runs: Carried[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (item.kind === "result" && run?.[0]?.kind === "result") run.push(item);
    else runs.push([item]);
  }
  return runs.flatMap((run) =>
    run.toSorted((one, other) => Number.parseInt(one.text) - Number.parseInt(other.text))
      .filter(({ kind, text }, at, sorted) =>
        reading.repeats_results !== true || kind !== "result" || sorted[at - 1]?.text !== text
      )
  );
}

const SHELLS = /^(?:bash|shell|shell_command|exec_command|run_shell_command|local_shell)$/i;
const READS = /^(?:read|read_file|view)$/i;
const WRITES = /^(?:write|write_file|create)$/i;
const EDITS = /^(?:edit|replace|edit_file)$/i;

function call({ text }: Item): Carried {
  const [number = "", name = ""] = text.split(" ", 2);
  const input = parsed(text.slice(number.length + name.length + 2));
  const does = `${number} ${JSON.stringify(deed(name, input))}`;
  return { kind: "call", text: does, pieces: [does], name };
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What a call does: the same for all tools of one shape. Other calls go by name and input. */
function deed(name: string, input: Json): Json {
  const path = input?.path ?? input?.file_path ?? input?.filePath;
  const command = input?.command ?? input?.cmd;
  if (SHELLS.test(name) && command !== undefined) return { shell: command };
  if (path === undefined) return foreign(name, input);
  if (READS.test(name)) return { read: path, offset: input.offset, limit: input.limit };
  if (WRITES.test(name)) return { write: path, content: input.content ?? input.file_text };
  const [only, ...more] = input.edits ?? [input];
  if (!EDITS.test(name) || more.length > 0) return foreign(name, input);
  const old_text = only.old_text ?? only.old_string ?? only.oldString ?? only.oldText ??
    only.old_str ?? only.before;
  const new_text = only.new_text ?? only.new_string ?? only.newString ?? only.newText ??
    only.new_str ?? only.after;
  return { edit: path, old_text, new_text };
}

/** A name that providers take, and an input that is an object. */
function foreign(name: string, input: Json): Json {
  const is_object = input !== null && typeof input === "object" && !Array.isArray(input);
  const kept_name = name.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
  return { call: kept_name, input: is_object ? input : { input } };
}

/** Messages and calls. */
export interface Count {
  messages: number;
  calls: number;
}

/** Counts what is carried. */
export function countOf(carried: readonly Carried[]): Count {
  const messages = carried.filter(({ kind }) => kind === "user" || kind === "assistant").length;
  return { messages, calls: carried.filter(({ kind }) => kind === "call").length };
}

/** Says what of a conversation is missing in a request, or stands there beside it. */
export function lostItems(expected: readonly Carried[], sent: readonly Carried[]): string[] {
  const lost: string[] = [];
  for (let at = 0; at < Math.max(expected.length, sent.length); at++) {
    const [one, other] = [expected[at], sent[at]];
    if (one?.kind === other?.kind && one?.text === other?.text) {
      lost.push(...lostSpace(one?.pieces ?? [], (other?.pieces ?? []).join("\n\n")));
      continue;
    }
    lost.push(`item ${at + 1}: expected ${shown(one)}, sent ${shown(other)}`);
    // What follows is only moved.
    break;
  }
  return lost;
}

/** White space counts too, but for that around a piece and the kind of its newlines. */
function lostSpace(pieces: readonly string[], sent: string): string[] {
  const unix = (text: string): string => text.replaceAll("\r\n", "\n");
  return pieces.filter((piece) => !unix(sent).includes(unix(piece)))
    .map((piece) => `white space of ${JSON.stringify(piece.slice(0, 100))}`);
}

function shown(item: Carried | undefined): string {
  return item === undefined ? "nothing" : `${item.kind} ${JSON.stringify(item.text.slice(0, 160))}`;
}
