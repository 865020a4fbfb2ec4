/** Finds the tool call that contains a hit. Pure. */
import { PATHS } from "../../core/event/call_input.ts";
import type { LogEvent } from "../../core/event/envelope.ts";
import { isObject } from "../../core/event/guard.ts";
import type { Part } from "../../core/event/message.ts";
import { present } from "../../core/event/present.ts";

export interface HitCall {
  tool?: string;
  file?: string;
}

/** The tool name given to shell commands, whose events name no tool. */
const SHELL = "shell";

/** Returns the tool and file of a call. `piece` is a whole text of its input or outcome. */
export function callOf(event: LogEvent, piece: string): HitCall {
  if (event.form !== "known") return {};
  switch (event.kind) {
    case "tool_end":
      return present({ tool: event.payload.name, file: fileIn(event.payload.input) });
    case "bash_start":
    case "bash_end":
      return { tool: SHELL };
    case "diff":
      return present({ file: event.payload.path });
    case "assistant_message":
    case "assistant_interrupted": {
      const { content } = event.payload;
      return typeof content === "string" ? {} : callIn(content, piece);
    }
    default:
      return {};
  }
}

function callIn(content: readonly Part[], piece: string): HitCall {
  for (const part of content) {
    if (part.type !== "tool_call" || !holds(part.input, piece)) continue;
    return present({ tool: part.name, file: fileIn(part.input) });
  }
  return {};
}

/** True if a value is `piece`, or contains `piece` as a value at any depth. */
function holds(value: unknown, piece: string): boolean {
  if (value === piece) return true;
  return typeof value === "object" && value !== null &&
    Object.values(value).some((item) => holds(item, piece));
}

function fileIn(input: unknown): string | undefined {
  if (!isObject(input)) return undefined;
  for (const name of PATHS) {
    const path = input[name];
    if (typeof path === "string") return path;
  }
  return undefined;
}
