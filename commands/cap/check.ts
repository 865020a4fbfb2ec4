/** `reprise cap check`: the hook that warns and stops. */
import { isObject } from "../../lib/event/guard.ts";
import { parsedJson } from "../../lib/event/parsed_json.ts";
import { SessionError } from "../../lib/event/session_error.ts";
import type { Library } from "../../lib/library/library.ts";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import { type Cap, isFirstWarning, readCaps } from "../../lib/workspace/caps_file.ts";
import { projectOf } from "../../lib/workspace/project.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";

/** A call may write a whole file. */
const MOST_INPUT = 64 * 1024 * 1024;

/** Prints what the hook answers. Any fault is silence: it must not stop the agent. */
export async function checkCaps(context: Context): Promise<void> {
  try {
    const answer = await answerTo(context, await readInput(context));
    if (answer !== undefined) context.stdout.write(`${JSON.stringify(answer)}\n`);
  } catch {
    // The agent goes on.
  }
}

/** Reads all of the input: its writer must not find it closed. */
async function readInput({ stdin }: Context): Promise<unknown> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of stdin()) {
    if (text.length < MOST_INPUT) text += decoder.decode(chunk, { stream: true });
  }
  return parsedJson(text + decoder.decode());
}

async function answerTo(context: Context, input: unknown): Promise<object | undefined> {
  if (!isObject(input)) return undefined;
  const { transcript_path, session_id, cwd } = input;
  const library = contextLibrary(context);
  const { root } = library;
  const directory = typeof cwd === "string" ? cwd : context.cwd;
  const caps = readCaps(root).filter((cap) => isOf(cap, directory));
  if (caps.length === 0) return undefined;
  const [session, { spentUnder }, { loadPrices }, { aboveText, capState, nearText }] = await Promise
    .all([
      sessionAt(library, transcript_path),
      import("../../lib/library/caps/spent_under.ts"),
      import("../../lib/library/usage/load_prices.ts"),
      import("../../lib/render/cap_text.ts"),
    ]);
  const { estimate } = await loadPrices({ root });
  const now = context.now();
  let warning: string | undefined;
  for (const cap of caps) {
    const spent = await spentUnder(library, cap, { session, estimate, now });
    const state = capState(cap, spent);
    if (state === "above") return stopOrder(aboveText(cap, spent));
    if (state !== "near" || warning !== undefined) continue;
    const about = [session_id, cap.scope, cap.usd, cap.set_at];
    if (cap.scope === "day") about.push(now.toDateString());
    if (isFirstWarning(root, about.join(" "))) warning = nearText(cap, spent);
  }
  return warning === undefined ? undefined : { systemMessage: warning };
}

/** Refuses the call, and ends the turn: 2.1.330 runs a call that is not refused before it ends. */
function stopOrder(reason: string): object {
  return {
    continue: false,
    stopReason: reason,
    hookSpecificOutput: {
      hookEventName: "PreToolUse",
      permissionDecision: "deny",
      permissionDecisionReason: reason,
    },
  };
}

function isOf({ project }: Cap, directory: string): boolean {
  return project === undefined || project === projectOf(directory);
}

async function sessionAt(library: Library, path: unknown): Promise<SessionHandle | undefined> {
  try {
    return typeof path === "string" ? await library.open(path) : undefined;
  } catch (error) {
    // Its first call comes before its file.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}
