/** Opens the sessions that a command line names. */
import { AGENT_NAMES, type AgentName, REPRISE } from "../lib/core/event/agent_name.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import type { OpenOptions } from "../lib/library/library.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import type { SessionFolder } from "../lib/core/store/session_folder.ts";
import { parseRef } from "../lib/core/store/ref.ts";
import type { Context } from "./_context.ts";
import { contextLibrary, isCacheOff } from "./_library.ts";
import { say } from "./_message.ts";
import { contextStore } from "./_store.ts";

/**
 * Removes cached facts of sessions in the trash. Call this function before reporting success.
 *
 * @returns A warning if a title stays in the cache. Print the warning after the report of success.
 */
export async function forgetRemoved(
  context: Context,
  ids: readonly string[],
): Promise<string | undefined> {
  if (ids.length === 0) return undefined;
  const library = contextLibrary(context);
  try {
    await library.forget(REPRISE, ids);
    return undefined;
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return `${error.message}. The session is in the trash, but its title is still in the cache. ` +
      "To remove the title: reprise cache clear";
  }
}

interface OpenSessionOptions extends Pick<OpenOptions, "damaged" | "keeps_record"> {
  /** Files with private keys for decryption. @default {from the environment and settings} */
  identity?: readonly string[] | undefined;
}

export async function openSession(
  context: Context,
  ref: string,
  { identity, ...options }: OpenSessionOptions = {},
): Promise<SessionHandle> {
  // A path can be read without a store.
  const { openLibrary } = await import("../lib/library/library.ts");
  const cache = isCacheOff(context) ? undefined : { version: context.version };
  const library = openLibrary({ variable: context.variable, cwd: context.cwd, cache });
  let several: [count: number, taken: string] | undefined;
  const session = await library.open(ref, {
    ...options,
    onSeveral: (...told) => several = told,
    keys: async (sealed) => {
      const { sealKeys } = await import("./_seal_keys.ts");
      return await sealKeys(context, sealed, identity);
    },
  });
  if (several !== undefined) {
    const [count, taken] = several;
    await say(
      context,
      `reprise: this file contains ${count} sessions. Showing the latest, ${taken}`,
    );
  }
  return session;
}

/** Opens a session as {@linkcode openSession} does. Refuses a reference to an event. */
export async function openWhole(
  context: Context,
  ref: string,
  options: OpenSessionOptions = {},
): Promise<SessionHandle> {
  const session = await openSession(context, ref, { ...options, keeps_record: true });
  if (session.seq !== undefined || session.record !== undefined) throw notAnEvent(ref);
  return session;
}

export function assertWhole({ thread }: SessionHandle, ref: string): void {
  if (thread === undefined) return;
  const message =
    `Cannot use reference "${ref}": name the whole session, without the branch or subagent after ~`;
  throw new SessionError("invalid-ref", message, { ref });
}

/** Opens a session to set its title or a flag. Refuses a session of a team's store. */
export async function openToMark(context: Context, ref: string): Promise<SessionHandle> {
  refuseShared(ref);
  return await openWhole(context, ref);
}

/**
 * Refuses to change a session of a team's store, because members change their own sessions locally.
 */
function refuseShared(ref: string): void {
  const parsed = parseRef(ref, AGENT_NAMES);
  if (parsed.kind !== "team") return;
  const id = parsed.agent === undefined ? parsed.prefix : `${parsed.agent}:${parsed.prefix}`;
  const own = parsed.owner === undefined ? `. If the session is yours, use ${id} instead` : "";
  const message = `Cannot change session "${ref}": shared sessions are read-only. ` +
    `To make a copy: reprise fork ${ref}${own}`;
  throw new SessionError("unsupported-source", message, { ref });
}

/**
 * Finds the session of the store that a reference names, to change it.
 *
 * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`; `unsupported-source` for a session
 * of another agent.
 */
export async function findInStore(context: Context, ref: string): Promise<SessionFolder> {
  refuseShared(ref);
  const parsed = parseRef(ref, AGENT_NAMES);
  if (parsed.seq !== undefined || parsed.record !== undefined) throw notAnEvent(ref);
  if (parsed.kind === "agent" && parsed.agent !== REPRISE) {
    throw ofOther(ref, contextLibrary(context).titleOf(parsed.agent as AgentName));
  }
  const name = parsed.kind === "agent" ? parsed.prefix : ref;
  try {
    return contextStore(context).find(name, context.cwd);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "not-found") throw error;
    const other = await openSession(context, ref).catch(() => undefined);
    throw other === undefined || other.agent === REPRISE ? error : ofOther(ref, other.agent_title);
  }
}

function ofOther(ref: string, title: string): SessionError {
  const message =
    `Cannot change session "${ref}": it belongs to ${title}. To make a copy that you ` +
    `can change: reprise import ${ref}. To hide the original from lists: reprise ` +
    `archive ${ref}`;
  return new SessionError("unsupported-source", message, { ref });
}

function notAnEvent(ref: string): SessionError {
  const message = `Cannot use reference "${ref}": name the session only, without #EVENT or @ID`;
  return new SessionError("invalid-ref", message, { ref });
}
