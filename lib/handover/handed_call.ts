/**
 * Returns a call in the form that is handed over. Where both share a shape, the target's own tool
 * takes it; else it keeps its name.
 */
import { isObject } from "../event/guard.ts";
import type { ToolCallPart } from "../event/message.ts";
import type { SharedCalls, ToolForm, ToolForms } from "../source/session_writer.ts";
import { wellFormed } from "../shape/well_formed.ts";
import { sharedCall } from "./shared_call.ts";

/**
 * The form of calls. `mapped`: as the target's own tools take them, where these do. `native`: under
 * their own names. `text`: told in words.
 */
export type CallForm = "mapped" | "native" | "text";

/** What a call becomes. */
export interface CallInForm {
  /** Whether the target's own tool takes the call, and the call was another before. */
  mapped: boolean;
  name: string;
  input: Record<string, unknown>;
}

/** Anthropic takes no longer names, and no other characters. */
const LONGEST_NAME = 64;

/** Returns a call in its form for tools. */
export function callInForm(
  { name, input }: Pick<ToolCallPart, "name" | "input">,
  { form, tools, cwd }: { form: CallForm; tools: ToolForms; cwd: string },
): CallInForm {
  const own = { mapped: false, name: plainName(name), input: objectInput(input) };
  const shared = form === "mapped" ? sharedCall(name, own.input, cwd) : undefined;
  if (shared === undefined) return own;
  const tool = tools[shared.kind] as ToolForm<SharedCalls[keyof SharedCalls]> | undefined;
  const mapped = tool?.input(shared.call);
  if (tool === undefined || mapped === undefined) return own;
  // The target's own call says more than the shape: Gemini CLI's `instruction`, say.
  if (tool.name === name && Object.keys(mapped).every((key) => Object.hasOwn(own.input, key))) {
    return own;
  }
  return { mapped: true, name: tool.name, input: mapped };
}

function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, LONGEST_NAME) || "_";
}

/** All models give objects; what an old record has instead is put into one. */
function objectInput(input: unknown): Record<string, unknown> {
  const whole: unknown = wellFormed(input);
  return isObject(whole) ? whole : { input: whole ?? null };
}
