/** Collects the changes of files from the events, calls and diffs of a session. Pure. */
import type { LogEvent } from "../../core/event/envelope.ts";
import type { Content } from "../../core/event/message.ts";
import type { DiffLine, EventKind } from "../../core/event/payload.ts";
import { present } from "../../core/event/present.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { EditedBlock, EditPrompt, FileChange, RecordedEdit, Replacement } from "./edit.ts";
import {
  ALLS,
  CONTENTS,
  EDIT_LISTS,
  INSERTED_TEXTS,
  NEW_TEXTS,
  OLD_TEXTS,
  PATHS,
} from "../../core/event/call_input.ts";
import { isObject } from "../../core/event/guard.ts";
import { comparedLine, linesOf } from "./file_lines.ts";

export const EDIT_KINDS: ReadonlySet<EventKind> = new Set([
  ...["session_started", "user_message", "assistant_message", "assistant_interrupted"] as const,
  ...["tool_end", "bash_end", "diff"] as const,
]);

/** A call that succeeded, or a diff without a call. Diffs may still be added. */
interface SettledCall {
  seq: number;
  time: number;
  asked?: AskedChange;
  /** The changed blocks by file. */
  blocks: Map<string, EditedBlock[]>;
  model?: string;
  prompt?: EditPrompt;
}

function firstLine(content: Content): string {
  const seen = typeof content === "string"
    ? content
    : content.flatMap((part) =>
      part.type === "text" && part.audience !== "model" ? [part.text] : []
    ).join("\n");
  return seen.trim().split("\n", 1)[0] ?? "";
}

/** Collects the changes of one thread. Events must be given in order. */
export class EditCollector {
  readonly #session: AgentSession;
  readonly #thread: string | undefined;
  #cwd: string | undefined;
  #prompt: EditPrompt | undefined;
  #model: string | undefined;
  readonly #inputs = new Map<string, unknown>();
  /** Diff blocks of calls that have not ended, by call id and then by file. */
  readonly #diffs = new Map<string, Map<string, EditedBlock[]>>();
  /** The latest settled call of each id, because ids are reused. */
  readonly #latest = new Map<string, SettledCall>();
  readonly #settled: SettledCall[] = [];

  /** @param thread Absent for the main thread. */
  constructor(session: AgentSession, thread?: string) {
    this.#session = session;
    this.#thread = thread;
    this.#cwd = session.cwd;
  }

  take(event: LogEvent): void {
    if (event.form !== "known" || event.integrity === "mismatch") return;
    switch (event.kind) {
      case "session_started":
        this.#cwd = event.payload.cwd ?? this.#cwd;
        break;
      case "user_message":
        this.#prompt = { seq: event.seq, text: firstLine(event.payload.content) };
        break;
      case "assistant_message":
      case "assistant_interrupted": {
        const { content } = event.payload;
        this.#model = event.kind === "assistant_message" ? event.payload.model : undefined;
        if (typeof content === "string") break;
        for (const part of content) {
          if (part.type === "tool_call") this.#inputs.set(part.call_id, part.input);
        }
        break;
      }
      case "tool_end": {
        const { call_id, status, input = this.#inputs.get(call_id) } = event.payload;
        if (status === "ok") this.#settle(event, call_id, askedChange(input));
        this.#inputs.delete(call_id);
        break;
      }
      case "bash_end": {
        // A command may apply a patch, whose diffs are recorded.
        const { call_id, status } = event.payload;
        if (status === "ok") this.#settle(event, call_id, undefined);
        this.#inputs.delete(call_id);
        break;
      }
      case "diff":
        this.#takeDiff(event);
        break;
    }
  }

  #settle(event: LogEvent, call_id: string, asked: AskedChange | undefined): void {
    const blocks = this.#diffs.get(call_id) ?? new Map<string, EditedBlock[]>();
    this.#diffs.delete(call_id);
    const call = present({
      seq: event.seq,
      time: Date.parse(event.time ?? ""),
      blocks,
      asked,
      model: this.#model,
      prompt: this.#prompt,
    });
    this.#latest.set(call_id, call);
    this.#settled.push(call);
  }

  #takeDiff({ seq, time, payload }: LogEvent & { form: "known"; kind: "diff" }): void {
    const { call_id, path, lines } = payload;
    const blocks = diffBlocks(lines);
    if (call_id !== undefined || path === undefined) return this.#addDiff(call_id, path, blocks);
    // A change that no call made.
    const change = { seq, time: Date.parse(time ?? ""), model: this.#model, prompt: this.#prompt };
    this.#settled.push(present({ ...change, blocks: new Map([[path, blocks]]) }));
  }

  #addDiff(call_id: string | undefined, path: string | undefined, blocks: EditedBlock[]): void {
    if (call_id === undefined || blocks.length === 0) return;
    // A diff comes before or after the end of its call.
    const settled = this.#inputs.has(call_id) ? undefined : this.#latest.get(call_id);
    const place = settled?.blocks ?? this.#diffs.get(call_id) ?? new Map<string, EditedBlock[]>();
    if (settled === undefined) this.#diffs.set(call_id, place);
    const name = path ?? "";
    place.set(name, [...place.get(name) ?? [], ...blocks]);
  }

  /** Returns the changes of successful calls, in the order in which the calls ended. */
  edits(): RecordedEdit[] {
    return this.#settled.flatMap((call) =>
      changesOf(call).map(({ path, change }) =>
        present({
          session: this.#session,
          ref: sessionRef(this.#session),
          seq: call.seq,
          time: call.time,
          path,
          change,
          thread: this.#thread,
          cwd: this.#cwd,
          model: call.model,
          prompt: call.prompt,
        })
      )
    );
  }
}

/**
 * Diffs have precedence over arguments, because diffs have whole lines. The change of a written
 * file has both: diffs and content.
 */
function changesOf({ asked, blocks }: SettledCall): { path: string; change: FileChange }[] {
  if (asked?.change.kind === "write") {
    const shown = [...blocks.values()].flat();
    if (shown.length === 0) return [asked];
    return [{ ...asked, change: { ...asked.change, blocks: shown } }];
  }
  const replacements = blocks.size === 1 && asked?.change.kind === "replacements"
    ? asked.change.replacements
    : undefined;
  const told = [...blocks].map(([path, found]) => ({
    path: path === "" ? asked?.path ?? "" : path,
    change: present({ kind: "blocks" as const, blocks: found, replacements }),
  })).filter(({ path }) => path !== "");
  return told.length > 0 ? told : asked === undefined ? [] : [asked];
}

type Input = Readonly<Record<string, unknown>>;

interface AskedChange {
  path: string;
  change: FileChange;
}

function textOf(input: Input, names: readonly string[]): string | undefined {
  const name = names.find((one) => typeof input[one] === "string");
  return name === undefined ? undefined : input[name] as string;
}

function replacementOf(input: Input): Replacement | undefined {
  const [old_text, new_text] = [textOf(input, OLD_TEXTS), textOf(input, NEW_TEXTS)];
  if (old_text === undefined || new_text === undefined) return undefined;
  return { old_text, new_text, all: ALLS.some((name) => input[name] === true) };
}

function insertedText(input: Input): string | undefined {
  const names = typeof input.insert_line === "number"
    ? [...INSERTED_TEXTS, ...NEW_TEXTS]
    : INSERTED_TEXTS;
  return textOf(input, names);
}

/**
 * Returns undefined if the arguments contain no change. A change is pairs of an old and a new text,
 * a file's whole text, or inserted lines.
 */
function askedChange(input: unknown): AskedChange | undefined {
  if (!isObject(input)) return undefined;
  const path = textOf(input, PATHS);
  if (path === undefined || path === "") return undefined;
  const list = EDIT_LISTS.map((name) => input[name]).find(Array.isArray);
  const listed = list?.filter(isObject) ?? [input];
  const replacements = listed.flatMap((one) => replacementOf(one) ?? []);
  // In several agents' tools, an empty old text creates a file.
  const [first] = replacements;
  if (first?.old_text === "" && replacements.length === 1) {
    return { path, change: { kind: "write", content: first.new_text } };
  }
  if (replacements.length > 0) return { path, change: { kind: "replacements", replacements } };
  const inserted = insertedText(input);
  if (inserted !== undefined) {
    const block = { before: [], removed: [], added: linesOf(inserted), after: [] };
    return { path, change: { kind: "blocks", blocks: [block] } };
  }
  const content = textOf(input, CONTENTS);
  return content === undefined ? undefined : { path, change: { kind: "write", content } };
}

/** Maximum number of unchanged lines kept before and after a block, to find its place. */
const CONTEXT_LINES = 3;

type OpenBlock = { -readonly [Field in keyof EditedBlock]: EditedBlock[Field] } & {
  before: string[];
  removed: string[];
  added: string[];
  after: string[];
};

/** Returns no blocks if the diff has only the number of lines. */
function diffBlocks(lines: readonly DiffLine[]): EditedBlock[] {
  const blocks: OpenBlock[] = [];
  let context: string[] = [];
  let open: OpenBlock | undefined;
  /** Line number of the next line in the changed file. Undefined if unknown. */
  let next: number | undefined;
  for (const { kind, content, new: now } of lines) {
    const text = comparedLine(content);
    if (kind === "hunk") {
      [context, open, next] = [[], undefined, undefined];
    } else if (kind === "context") {
      if (open !== undefined && open.after.length < CONTEXT_LINES) open.after.push(text);
      context.push(text);
    } else {
      if (open === undefined || open.after.length > 0) {
        const before = context.slice(-CONTEXT_LINES);
        open = present({ before, removed: [], added: [], after: [], line: now ?? next });
        blocks.push(open);
        context = [];
      }
      (kind === "added" ? open.added : open.removed).push(text);
    }
    if (now !== undefined) next = now + 1;
  }
  const [only] = blocks;
  if (only !== undefined && isWholeFile(lines)) only.whole = true;
  return blocks;
}

/** True if the lines are a whole file that was created or deleted. Their diff has no hunk line. */
function isWholeFile([first, ...rest]: readonly DiffLine[]): boolean {
  if (first?.kind !== "added" && first?.kind !== "removed") return false;
  return (first.new ?? first.old ?? 1) === 1 && rest.every(({ kind }) => kind === first.kind);
}
