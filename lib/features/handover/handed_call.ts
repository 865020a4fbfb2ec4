/**
 * Converts a call to the form that is handed over. If both agents have a tool of the same kind, the
 * call becomes one of the target's tool. Otherwise the call keeps its name.
 */
import { ALLS, NEW_TEXTS, OLD_TEXTS, PATHS } from "../../core/event/call_input.ts";
import { isObject } from "../../core/event/guard.ts";
import type { ToolCallPart } from "../../core/event/message.ts";
import { wellFormed } from "../../core/event/well_formed.ts";
import type { SharedCalls, ToolForm, ToolForms } from "../../agents/contract/session_writer.ts";

/**
 * The form of handed-over calls. `mapped`: as calls of the target's own tools, if it has such
 * tools. `native`: under their original names. `text`: described in words.
 */
export type CallForm = "mapped" | "native" | "text";

interface CallInForm {
  mapped: boolean;
  name: string;
  input: Record<string, unknown>;
}

/** Maximum length of a tool name at Anthropic. Names consist of letters, digits, `_` and `-`. */
const LONGEST_NAME = 64;

/** Returns a call in the form `mapped` or `native`. An unmappable call stays native. */
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
  // A call of the target's own tool may have more arguments, such as Gemini CLI's `instruction`.
  if (tool.name === name && Object.keys(mapped).every((key) => Object.hasOwn(own.input, key))) {
    return own;
  }
  return { mapped: true, name: tool.name, input: mapped };
}

function plainName(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/gu, "_").slice(0, LONGEST_NAME) || "_";
}

/**
 * Returns the input as an object, as all models send it. Old records may hold another value, which
 * is put into an object.
 */
function objectInput(input: unknown): Record<string, unknown> {
  const whole: unknown = wellFormed(input);
  return isObject(whole) ? whole : { input: whole ?? null };
}

/** A call of a kind that several agents have tools for, such as reading a file. */
type SharedCall = {
  [Kind in keyof SharedCalls]: { kind: Kind; call: SharedCalls[Kind] };
}[keyof SharedCalls];

type Input = Readonly<Record<string, unknown>>;

const KINDS: ReadonlyMap<string, keyof SharedCalls> = new Map(
  ([
    ["bash", "bash Bash shell shell_command exec_command run_shell_command local_shell"],
    ["read", "read Read read_file view"],
    ["write", "write Write write_file"],
    ["edit", "edit Edit replace edit_file"],
  ] as const).flatMap(([kind, names]) => names.split(" ").map((name) => [name, kind] as const)),
);

/** Arguments of a shell command that do not change what it does, such as timeouts. */
const WATCHING = new Set([
  ...["timeout", "timeout_ms", "yield_time_ms", "max_output_tokens", "login", "tty", "shell"],
  ...["justification", "sandbox_permissions", "with_escalated_permissions", "prefix_rule"],
]);

/** Name of the argument in which Gemini CLI's edit tools ask for a reason. */
const REASON = "instruction";

/**
 * Returns a call in a form that several agents share, or undefined if the call has none.
 *
 * @param cwd The session's directory. A command in another directory has no shared form.
 */
export function sharedCall(name: string, input: unknown, cwd: string): SharedCall | undefined {
  const kind = KINDS.get(name);
  if (kind === undefined || !isObject(input)) return undefined;
  switch (kind) {
    case "bash":
      return asBash(input, cwd);
    case "read":
      return asRead(input);
    case "write":
      return asWrite(input);
    case "edit":
      return asEdit(input);
  }
}

function asBash(input: Input, cwd: string): SharedCall | undefined {
  const { command: one, cmd = one, description, workdir, is_background, ...rest } = input;
  const { directory = workdir, dir_path = directory, run_in_background, ...more } = rest;
  const command = commandLine(cmd);
  if (command === undefined || !Object.keys(more).every((key) => WATCHING.has(key))) {
    return undefined;
  }
  if (one !== undefined && one !== cmd) return undefined;
  if (![undefined, "", ".", cwd].includes(dir_path as string | undefined)) return undefined;
  if ((is_background ?? run_in_background ?? false) !== false) return undefined;
  const why = typeof description === "string" ? { description } : {};
  return { kind: "bash", call: { command, ...why } };
}

function commandLine(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!Array.isArray(value) || value.length !== 3) return undefined;
  const [shell, flags, line] = value;
  const runs = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z)?sh$/.test(String(shell)) &&
    /^-l?c$/.test(String(flags));
  return runs && typeof line === "string" ? line : undefined;
}

function asRead(input: Input): SharedCall | undefined {
  const { path, rest } = withPath(input);
  const { offset, limit, ...more } = rest;
  if (path === undefined || !isEmpty(more)) return undefined;
  if (!isCount(offset) || !isCount(limit)) return undefined;
  const from = offset === undefined ? {} : { offset };
  const most = limit === undefined ? {} : { limit };
  return { kind: "read", call: { path, ...from, ...most } };
}

function isCount(value: unknown): value is number | undefined {
  return value === undefined || typeof value === "number";
}

function asWrite(input: Input): SharedCall | undefined {
  const { path, rest } = withPath(input);
  const { content, ...more } = rest;
  if (path === undefined || typeof content !== "string" || !isEmpty(more)) return undefined;
  return { kind: "write", call: { path, content } };
}

function asEdit(input: Input): SharedCall | undefined {
  const { path, rest } = withPath(input);
  if (path === undefined) return undefined;
  const { edits, ...beside } = rest;
  if (edits === undefined) return replacement(path, rest);
  const [only, ...others] = Array.isArray(edits) ? edits : [];
  if (!isObject(only) || others.length > 0 || !isEmpty(beside)) return undefined;
  return replacement(path, only);
}

function replacement(path: string, input: Input): SharedCall | undefined {
  const old_text = taken(input, OLD_TEXTS);
  const new_text = taken(old_text.rest, NEW_TEXTS);
  const every = taken(new_text.rest, ALLS);
  const { [REASON]: _, ...more } = every.rest;
  if (typeof old_text.value !== "string" || typeof new_text.value !== "string") return undefined;
  if (!isEmpty(more)) return undefined;
  if (every.value !== undefined && typeof every.value !== "boolean") return undefined;
  const all = every.value === true ? { all: true } : {};
  const call = { path, old_text: old_text.value, new_text: new_text.value, ...all };
  return { kind: "edit", call };
}

function withPath(input: Input): { path: string | undefined; rest: Input } {
  const { value, rest } = taken(input, PATHS);
  return { path: typeof value === "string" ? value : undefined, rest };
}

function taken(input: Input, names: readonly string[]): { value: unknown; rest: Input } {
  const name = names.find((one) => Object.hasOwn(input, one));
  if (name === undefined) return { value: undefined, rest: input };
  const { [name]: value, ...rest } = input;
  return { value, rest };
}

function isEmpty(fields: Input): boolean {
  return Object.keys(fields).length === 0;
}
