/** Answers an agent's hook before a tool call: warns near a cost cap, orders a stop above it. */
import { isObject } from "../../../core/event/guard.ts";
import { parsedJson } from "../../../core/event/parsed_json.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { aboveText, capState, nearText } from "../../../text/render/cap_text.ts";
import { isFirstWarning, readCaps } from "../../../core/workspace/caps_file.ts";
import { projectOf } from "../../../core/workspace/project.ts";
import type { Library } from "../../library.ts";
import type { SessionHandle } from "../../handle/session_handle.ts";
import { loadPrices } from "../../counts/usage/load_prices.ts";
import { spentUnder } from "./spent_under.ts";

interface HookPlace {
  cwd: string;
  now: Date;
}

/**
 * Answers a hook with a warning or an order to end the turn. Undefined if neither is needed.
 *
 * @param text The JSON that Claude Code (2.1.330) gives to a hook before a tool call.
 * @throws {SessionError} `invalid-config`, `permission`, `io`, `unsupported-source`, …
 */
export async function capAnswer(
  library: Library,
  text: string,
  { cwd, now }: HookPlace,
): Promise<object | undefined> {
  const { root } = library;
  const input = parsedJson(text);
  if (!isObject(input)) return undefined;
  const directory = typeof input.cwd === "string" ? input.cwd : cwd;
  const caps = readCaps(root)
    .filter(({ project }) => project === undefined || project === projectOf(directory));
  if (caps.length === 0) return undefined;
  const session = await sessionAt(library, input.transcript_path);
  const { estimate } = await loadPrices({ root });
  let warning: string | undefined;
  for (const cap of caps) {
    const spent = await spentUnder(library, cap, { session, estimate, now });
    const state = capState(cap, spent);
    if (state === "above") return stopOrder(aboveText(cap, spent));
    if (state !== "near" || warning !== undefined) continue;
    const about = [input.session_id, cap.scope, cap.usd, cap.set_at];
    if (cap.scope === "day") about.push(now.toDateString());
    if (isFirstWarning(root, about.join(" "))) warning = nearText(cap, spent);
  }
  return warning === undefined ? undefined : { systemMessage: warning };
}

/** Stops and denies the call. Claude Code 2.1.330 would still run it with `continue: false`. */
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

async function sessionAt(library: Library, path: unknown): Promise<SessionHandle | undefined> {
  try {
    return typeof path === "string" ? await library.open(path) : undefined;
  } catch (error) {
    // Its first call comes before its file.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}
