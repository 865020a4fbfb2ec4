/** Finds the shell commands and file renames in an agent's tool calls. Pure. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { isObject } from "../../../core/event/guard.ts";

export interface FileRename {
  from: string;
  to: string;
}

/** The argument names under which tools pass the shell command. */
const COMMANDS = ["command", "cmd", "script"];
/** Matches a rename in a `*** Begin Patch` patch: the update of a file that also moves the file. */
const MOVE = /^\*\*\* Update File: (.+)\r?\n\*\*\* Move to: (.+?)\r?$/gm;

/** Matches a command that only reads. Other commands of git run hooks, which may change files. */
const READER =
  /^\s*(?:cd|cat|head|tail|wc|ls|grep|rg|diff|git (?:add|diff|status|log|show|blame))\b/;
/** Matches parts of a command with which it may write a file or run another program. */
const WRITING = /[>`;|&]|\$\(|\n|--output|--pre\b/;

export function mayWrite(command: string): boolean {
  return command.split("&&").some((part) => !READER.test(part) || WRITING.test(part));
}

/** Yields the shell commands that an event starts or declares and that may change files. */
export function* commandsIn(event: LogEvent): Generator<string> {
  for (const command of allCommandsIn(event)) if (mayWrite(command)) yield command;
}

function* allCommandsIn(event: LogEvent): Generator<string> {
  if (event.form !== "known") return;
  if (event.kind === "bash_start") yield event.payload.command ?? "";
  for (const { input } of callsIn(event)) {
    if (!isObject(input)) continue;
    const named = COMMANDS.map((name) => input[name]).find((value) => value !== undefined);
    if (typeof named === "string") yield named;
    else if (Array.isArray(named)) yield named.join(" ");
  }
}

function callsIn(event: LogEvent): { call_id: string; input: unknown }[] {
  if (event.form !== "known" || event.kind !== "assistant_message") return [];
  const { content } = event.payload;
  return typeof content === "string" ? [] : content.filter((part) => part.type === "tool_call");
}

/** Collects the renames of successful calls. Takes the events of a thread in order. */
export class RenameCollector {
  readonly #asked = new Map<string, FileRename[]>();

  /** Takes an event. Returns the renames of the call that the event ends, if the call succeeded. */
  take(event: LogEvent): readonly FileRename[] {
    for (const { call_id, input } of callsIn(event)) {
      const renames = renamesIn(input);
      if (renames.length > 0) this.#asked.set(call_id, renames);
    }
    if (event.form !== "known" || event.kind !== "tool_end") return [];
    const { call_id, status } = event.payload;
    const renames = this.#asked.get(call_id) ?? [];
    this.#asked.delete(call_id);
    return status === "ok" ? renames : [];
  }
}

function renamesIn(input: unknown): FileRename[] {
  const texts = typeof input === "string" ? [input] : isObject(input) ? Object.values(input) : [];
  return texts.flat().flatMap((text) =>
    typeof text !== "string"
      ? []
      : [...text.matchAll(MOVE)].map(([, from = "", to = ""]) => ({ from, to }))
  );
}
