/** Writes what the user is asked about: all that a call would do. */
import { objectOf, textOf } from "./json_object.ts";
import type { ChatTool } from "./tools/tool.ts";

/** A longer text is not read before it is allowed. */
const MOST_CHARACTERS = 8000;
const MOST_LINES = 200;

/** The text of a question. Not sanitized. */
export interface AskedText {
  /** The command, or the arguments: whole, or its beginning where it is too long. */
  asked: string;
  /** Characters of it that are left out. Then `always` does not count. */
  left_out: number;
}

/** Returns what a call of a tool would do, as its model wrote it. */
export function askedText({ keeps }: ChatTool, input: unknown): AskedText {
  const members = objectOf(input);
  const [only, ...others] = Object.values(members);
  const told = keeps === "bash" ? members.command : others.length === 0 ? only : undefined;
  const whole = textOf(told) ?? JSON.stringify(input) ?? "";
  const lines = whole.split("\n", MOST_LINES).join("\n");
  const asked = lines.slice(0, MOST_CHARACTERS);
  return { asked: asked.toWellFormed(), left_out: whole.length - asked.length };
}
