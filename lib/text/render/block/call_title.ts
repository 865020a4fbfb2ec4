/** Writes the title of a call in plain words: `Edit src/a.ts +3 −1`, `Run npm test`. */
import { isObject } from "../../../core/event/guard.ts";
import { fitInput } from "../input_summary.ts";
import { sanitizeLine } from "../sanitize.ts";
import { callArguments } from "./argument_blocks.ts";
import type { CallBlock } from "./block.ts";
import { toolVerb } from "./known_tools.ts";

interface CallTitle {
  /** The verb of a known tool. For other tools, their name. */
  name: string;
  about: string;
  /** Number of lines that the call adds and removes. Absent for calls that are not edits. */
  change?: { added: number; removed: number };
}

/** Verbs of tools whose calls are described by one argument alone. */
const TOLD: readonly string[] = ["Run", "Edit", "Write", "Patch"];

/** @param width Maximum width of the subject. */
export function callTitle({ name, summary, input }: CallBlock, width: number): CallTitle {
  const verb = toolVerb(name);
  const title = { name: verb ?? sanitizeLine(name), about: subject() };
  const change = isObject(input) ? askedChange(input) : undefined;
  return change === undefined ? title : { ...title, change };

  function subject(): string {
    const patched = verb === "Patch" ? patchedFiles(input) : "";
    if (patched !== "") return fitInput({ ...summary, subject: patched, rest: "" }, width);
    // The other arguments of these are long texts, or say little.
    const is_told = summary.subject !== "" && TOLD.includes(verb ?? "");
    const told = verb === "Run" ? plainCommand(summary.subject) : summary.subject;
    return fitInput(is_told ? { ...summary, subject: told, rest: "" } : summary, width);
  }
}

/** Removes a leading `cd DIR &&`, because it says little about the command. */
export function plainCommand(command: string): string {
  return command.replace(/^\s*cd (?:'[^']*'|"[^"]*"|[^\s;&|]+) && /, "");
}

/** Adds up the line counts of a call's edits. Undefined if the call asks for no edit. */
function askedChange(input: Record<string, unknown>): CallTitle["change"] {
  const { edits } = input;
  const asked = Array.isArray(edits) ? edits.filter(isObject) : [input];
  const changes = asked.flatMap((one) => callArguments(one, { seq: 0 }).blocks)
    .filter((block) => block.type === "diff");
  if (changes.length === 0) return undefined;
  return {
    added: changes.reduce((sum, { added }) => sum + added, 0),
    removed: changes.reduce((sum, { removed }) => sum + removed, 0),
  };
}

/** Maximum number of characters of a patch in which file names are looked for. */
const PATCH_CHARACTERS = 100_000;

function patchedFiles(input: unknown): string {
  const text = typeof input === "string"
    ? input
    : isObject(input)
    ? Object.values(input).find((value) => typeof value === "string" && value.includes("*** ")) ??
      ""
    : "";
  const files = String(text).slice(0, PATCH_CHARACTERS)
    .matchAll(/^\*\*\* (?:Add|Delete|Update) File: (.+)$/gm);
  return [...files].map(([, file = ""]) => sanitizeLine(file)).join(", ");
}
