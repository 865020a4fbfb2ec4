/**
 * Tells what the user ran in a shell, in words that every model understands. Agents mark it in ways of
 * their own.
 */
import { outputText } from "../event/audience.ts";
import type { KnownEvent } from "../event/envelope.ts";
import { bashResult } from "../projection/call_result.ts";

/** What is said of a command before its output. */
export function ranText(command: string): string {
  return `I ran \`${command.toWellFormed()}\`:`;
}

/** Claude Code's form (2.1): the output comes in a message of its own. */
const CLAUDE_INPUT = /^<bash-input>([^]*)<\/bash-input>$/;

/** Returns the command that a text of the user tells, in an agent's own form; undefined for others. */
export function commandIn(text: string): string | undefined {
  return CLAUDE_INPUT.exec(text)?.[1];
}

/**
 * A command that the user saw run, and of which the model was told in a message that nobody saw: so
 * Codex records it. Where the model was told nothing, the command was the user's alone.
 */
export interface UntoldCommand {
  call_id: string;
  command: string;
  output: string;
}

/** Returns the command that an event starts for the user's eyes alone. */
export function untoldCommand(event: KnownEvent): UntoldCommand | undefined {
  if (event.kind !== "bash_start") return undefined;
  const { origin, audience, call_id, command = "" } = event.payload;
  if (origin !== "user" || audience !== "user") return undefined;
  return { call_id, command, output: "" };
}

/** Adds the output of a command, where the event settles it. */
export function settleCommand(untold: UntoldCommand, event: KnownEvent): void {
  if (event.kind !== "bash_end" || event.payload.call_id !== untold.call_id) return;
  untold.output = outputText(bashResult(event.payload).output);
}

/** What the user says of it. */
export function untoldText({ command, output }: UntoldCommand): string {
  return `${ranText(command)}\n\n${output === "" ? "(no output)" : output}`;
}
