/**
 * Runs the tool calls of one model response, one after the other, after asking the user. Each call
 * ends with a result.
 */
import { errorText } from "../../core/event/error_text.ts";
import { performance } from "node:perf_hooks";
import type { NewEvent } from "../../../mod.ts";
import { present } from "../../core/event/present.ts";
import type {
  AskedText,
  CallUnderWay,
  ChatView,
  PermissionRequest,
  Permit,
} from "./chat_options.ts";
import { objectOf, textOf } from "./json_object.ts";
import type { ModelCall } from "./models/model.ts";
import type { ChatTool, ToolOutcome } from "./tools/tool.ts";

export interface CallsParts {
  cwd: string;
  tools: readonly ChatTool[];
  permit: Permit;
  /** Scopes of permission for which the user answered `always`. */
  allowed: Set<string>;
  view: ChatView;
  signal: AbortSignal;
  keep: (event: NewEvent) => Promise<void>;
  /** The set to which paths of changed files are added. */
  touched: Set<string>;
}

/** A call's outcome. `duration_ns` is absent if the tool did not run. */
interface SettledCall extends ToolOutcome {
  duration_ns?: number;
}

const INTERRUPTED: ToolOutcome = { status: "interrupted", error: "Interrupted by the user" };
const REFUSED: ToolOutcome = { status: "skipped", error: "The user did not allow this call" };

/** Runs the calls. An error becomes the call's result. After an abort, calls end as interrupted. */
export async function makeCalls(
  calls: readonly ModelCall[],
  parts: CallsParts,
): Promise<void> {
  for (const call of calls) {
    const tool = parts.tools.find(({ definition }) => definition.name === call.name);
    const command = tool?.keeps === "bash" ? textOf(objectOf(call.input).command) : undefined;
    const under_way: CallUnderWay = { ...call, title: tool?.title(call.input) ?? "" };
    parts.view.onCall?.(under_way);
    const outcome = await settle(tool, under_way, {
      ...parts,
      // Until then, the log shows a call that waits for permission.
      begin: () => parts.keep(startOf(call, command)),
    });
    if (outcome.touched !== undefined) parts.touched.add(outcome.touched);
    if (outcome.diff !== undefined) {
      await parts.keep({ kind: "diff", payload: { call_id: call.call_id, ...outcome.diff } });
    }
    await parts.keep(endOf(call, command, outcome));
  }
}

function startOf({ call_id, input }: ModelCall, command: string | undefined): NewEvent {
  if (command === undefined) return { kind: "tool_start", payload: { call_id } };
  const summary = textOf(objectOf(input).summary);
  return {
    kind: "bash_start",
    payload: present({ call_id, summary }),
  };
}

function endOf(
  { call_id, name }: ModelCall,
  command: string | undefined,
  { status, output, error, truncated, exit_code, duration_ns }: SettledCall,
): NewEvent {
  const told = present({ status, output, error, duration_ns, truncated });
  if (command === undefined) return { kind: "tool_end", payload: { call_id, name, ...told } };
  return { kind: "bash_end", payload: present({ call_id, command, ...told, exit_code }) };
}

async function settle(
  tool: ChatTool | undefined,
  call: CallUnderWay,
  parts: CallsParts & { begin: () => Promise<void> },
): Promise<SettledCall> {
  const { signal } = parts;
  if (signal.aborted) return INTERRUPTED;
  if (tool === undefined) return { status: "error", error: `There is no tool "${call.name}"` };
  const refused = await attempt(signal, () => refusalOf(tool, call, parts));
  if (refused !== undefined) return refused;
  await parts.begin();
  return await attempt(signal, () => run(tool, call, parts));
}

/** Asks for permission if the tool requires it; undefined if the call may be made. */
async function refusalOf(
  tool: ChatTool,
  call: CallUnderWay,
  parts: CallsParts,
): Promise<SettledCall | undefined> {
  const question = tool.asks?.(call.input, parts.cwd);
  if (question === undefined) return undefined;
  const request = { ...call, scope: call.name, ...question, ...askedText(tool, call.input) };
  if (await isAllowed(request, parts)) return undefined;
  return parts.signal.aborted ? INTERRUPTED : REFUSED;
}

async function attempt<Result>(
  signal: AbortSignal,
  action: () => Promise<Result>,
): Promise<Result | SettledCall> {
  try {
    return await action();
  } catch (error) {
    if (signal.aborted) return INTERRUPTED;
    const reason = errorText(error);
    return { status: "error", error: `The tool failed: ${reason}` };
  }
}

/** Runs a tool, and measures its time without the wait for permission. */
async function run(
  tool: ChatTool,
  { call_id, input }: CallUnderWay,
  { cwd, signal, view }: CallsParts,
): Promise<SettledCall> {
  const onOutput = (text: string): void => view.onOutput?.(call_id, text);
  const began = performance.now();
  const outcome = await tool.run(input, { cwd, signal, onOutput });
  return { ...outcome, duration_ns: Math.round((performance.now() - began) * 1e6) };
}

/**
 * Returns the user's permission for a call. An interruption counts as no. If the question shows
 * only part of the call, the user is asked every time.
 */
async function isAllowed(
  request: PermissionRequest,
  { permit, allowed, signal }: CallsParts,
): Promise<boolean> {
  const { scope, left_out } = request;
  if (left_out === 0 && allowed.has(scope)) return true;
  const answer = await unlessAborted(permit(request, signal), signal);
  if (answer === "always" && left_out === 0) allowed.add(scope);
  return answer === "yes" || answer === "always";
}

function unlessAborted<Value>(
  value: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const stop = (): void => resolve(undefined);
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    value.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

/** Maximum characters of a permission question, because people do not read longer texts. */
const MOST_CHARACTERS = 8000;
const MOST_LINES = 200;

export function askedText({ keeps }: ChatTool, input: unknown): AskedText {
  const members = objectOf(input);
  const [only, ...others] = Object.values(members);
  const told = keeps === "bash" ? members.command : others.length === 0 ? only : undefined;
  const whole = textOf(told) ?? JSON.stringify(input) ?? "";
  const lines = whole.split("\n", MOST_LINES).join("\n");
  const asked = lines.slice(0, MOST_CHARACTERS);
  return { asked: asked.toWellFormed(), left_out: whole.length - asked.length };
}
