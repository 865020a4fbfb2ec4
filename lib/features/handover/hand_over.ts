/** Writes a planned session for its new agent, and returns the command that continues it. */
import { directoryAbsence } from "../../core/workspace/session_directory.ts";
import { join } from "node:path";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Library } from "../../library/library.ts";
import { descriptorOf } from "../../library/machine/registry.ts";
import { hashEvents } from "../../core/store/import/source_state.ts";
import { checkedResumeCommand, type ResumeCommand } from "../../agents/contract/resume_command.ts";
import type { HandedStart, SessionPlacement } from "../../agents/contract/session_writer.ts";
import { type HandoverRecord, recordHandover, recordUndone } from "./handover_record.ts";
import { type MadeFile, placeSession } from "./place_session.ts";
import type { HandoverPlan } from "./plan.ts";
import { type HandoverTarget, writerOf } from "./target.ts";

/** Options of a hand-over that decide where the session goes. */
export interface HandOverOptions {
  /** The data root. Session files for an agent to import are written there. */
  root: string;
  /** Absolute path of the directory in which the session is continued. */
  cwd: string;
  /** Title that the user gave. @default {the session's title} */
  title?: string | undefined;
  /** Absolute path of the file to write, instead of a file in the agent's own folder. */
  out?: string | undefined;
  /** True to hand over even if the agent was never used on this machine. @default {false} */
  force?: boolean | undefined;
}

/** The result of a hand-over: the new session, its files and its commands. */
export interface HandedOver {
  /** The new session's id. */
  id: string;
  /** The main file of the new session. */
  file: MadeFile;
  /** The files that were made for the session besides `file`. */
  beside: MadeFile[];
  /** The path where the agent looks for the file. Differs from `file.path` if `out` was given. */
  belongs: string;
  /** Commands to run in the session's directory before the session can be continued. */
  prepare: readonly (readonly [string, ...string[]])[];
  /** The database that holds the session after `prepare`, absent if it stays in its file. */
  kept_in?: string;
  /**
   * Finds the session's id in the output of the last command of `prepare`. Given if the agent
   * assigns its own id. Until then, `id` names only the hand-over.
   */
  named_by?: RegExp;
  /** The agent's own command that removes the session. */
  remove?: readonly [string, ...string[]];
  /** The command to run after `prepare`. It continues the new session in its agent. */
  command: ResumeCommand;
}

/**
 * Writes a planned session for its new agent, under a new id. Changes no session that exists.
 * Records the files that it makes in the agent's own folder, so that {@linkcode undoHandover} can
 * remove them.
 *
 * @param plan The planned hand-over.
 * @param target The agent that gets the session.
 * @param options Where the session goes.
 * @returns The new session, and the command that continues it. If `prepare` has commands, run them
 * first: with these commands the agent imports the file.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { handOver, handoverTarget, planHandover } from "@reprise/reprise/handover";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const session = openStore({ root }).create({ cwd: root });
 * await session.turn().user("Hello");
 * await session.finish();
 *
 * const library = openLibrary({ root, variable: () => undefined });
 * const environment = { ...library.place.environment, home: root };
 * const target = await handoverTarget("codex", environment);
 * const plan = await planHandover(await library.open(session.id), target, { now: Date.now() });
 * const { id, command } = await handOver(plan, target, { root, cwd: root, force: true });
 * assert.deepEqual(command.argv, ["codex", "resume", id]);
 * await rm(root, { recursive: true });
 * ```
 *
 * @throws {SessionError} `not-found` if the directory or the agent is missing; `permission`,
 * `disk-full`, `io`
 */
export async function handOver(
  plan: HandoverPlan,
  target: HandoverTarget,
  options: HandOverOptions,
): Promise<HandedOver> {
  const { cwd, out, force = false } = options;
  if (out === undefined) assertHandoverPlace(target, cwd, force);
  const writer = await writerOf(target.agent);
  const { from, now, begun } = plan;
  const title = options.title ?? plan.title;
  const start: HandedStart = present({
    ...{ id: writer.newSessionId(now), from, cwd, begun, now, title: title && plan.plain(title) },
  });
  const folder = join(options.root, "handover");
  const place = writer.place(target.place, start, folder);
  const placement = placementFor(place, options);
  const pieces = writer.write({ ...start, messages: plan.messages() }, target.place);
  const { file, beside, folders, appended } = await placeSession(placement, pieces);
  if (out === undefined) {
    const time = new Date(now).toISOString();
    const { agent } = target;
    const { remove } = placement;
    const made = { agent, id: start.id, file, beside, folders, appended, cwd };
    recordHandover(options.root, present({ ...made, source: plan.source, remove, time }));
  }
  const { kept_in, named_by } = place;
  const session = { agent: target.agent, id: start.id, path: kept_in ?? place.path, cwd };
  const command = named_by === undefined
    ? descriptorOf(target.agent).resumeCommand(session) ?? writer.resume_latest
    : writer.resume_latest;
  if (command === undefined) throw new Error(`${target.title} resumes nothing`);
  return present({
    ...{ id: start.id, file, beside, belongs: place.path },
    ...{ prepare: placement.prepare ?? [], kept_in, named_by, remove: placement.remove },
    command: checkedResumeCommand(target.title, session, command),
  });
}

/**
 * Replaces a hand-over's id by the id that the agent assigned. Records the previous id as undone.
 * Returns the hand-over unchanged if the agent assigns no id, or prints its id in another form.
 *
 * @param root The data root.
 * @param plan The plan of the hand-over.
 * @param done The result of {@linkcode handOver}.
 * @param printed The output of the last command of `prepare`.
 * @returns The hand-over with its id, and the command that continues the session.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `disk-full`, `io`
 */
export function underGivenId(
  root: string,
  { agent, now }: HandoverPlan,
  done: HandedOver,
  printed: string,
): HandedOver {
  const id = done.named_by?.exec(printed)?.[1];
  if (id === undefined) return done;
  recordUndone(root, { agent, id: done.id }, new Date(now).toISOString());
  const session = { agent, id, path: done.kept_in ?? done.file.path };
  const { title, resumeCommand } = descriptorOf(agent);
  const command = resumeCommand(session) ?? done.command;
  const [program, ...words] = done.remove ?? [];
  const remove = program === undefined
    ? undefined
    : [program, ...words.map((word) => word === done.id ? id : word)] as const;
  return present({ ...done, id, remove, command: checkedResumeCommand(title, session, command) });
}

/**
 * Throws if the directory is missing, or if the agent was never used. {@linkcode handOver} checks
 * this, too. Call this function to check before a long session is read.
 *
 * @param target The agent that gets the session.
 * @param cwd Absolute path of the directory in which the session is continued.
 * @param force True to allow an agent that was never used.
 * @param advice Advice in the error for an agent that was never used. @default {flags of
 * `handover`}
 *
 * @throws {SessionError} `not-found`
 */
export function assertHandoverPlace(
  target: HandoverTarget,
  cwd: string,
  force: boolean,
  advice = "To write the session to a file: --out FILE. To create the folder: --force",
): void {
  const { title, place: { folder }, present } = target;
  const absence = directoryAbsence(cwd);
  if (absence !== undefined) {
    const message = `Cannot hand over to ${title}: the session's directory (${cwd}) is ` +
      `${absence}; name another directory with --cwd`;
    throw new SessionError("not-found", message, { path: cwd });
  }
  if (present || force) return;
  const message =
    `Cannot hand over to ${title}: ${title} was never used on this machine (${folder} does not ` +
    `exist). ${advice}`;
  throw new SessionError("not-found", message, { path: folder });
}

function placementFor(place: SessionPlacement, { out }: HandOverOptions): SessionPlacement {
  if (out === undefined) return place;
  const { prepare, remove } = place;
  const moved = prepare?.map(([program, ...args]) =>
    [program, ...args.map((word) => word === place.path ? out : word)] as const
  );
  return present({ path: out, prepare: moved, remove });
}

/**
 * Records that an agent imported a session into its database. Call this function once the commands
 * of `prepare` were run.
 *
 * @param library The sessions of this machine, including those of the agent.
 * @param plan The plan of the hand-over.
 * @param done The result of {@linkcode handOver}.
 * @param cwd The directory in which the session is continued.
 * @returns The hand-over, as it is recorded.
 *
 * @throws {SessionError} `unsafe-store`, `permission`, `disk-full`, `io`
 */
export async function rememberImport(
  library: Library,
  { agent, source, now }: HandoverPlan,
  { id, beside, remove }: HandedOver,
  cwd: string,
): Promise<HandoverRecord> {
  const events_sha256 = await digestOf(library, { agent, id });
  const time = new Date(now).toISOString();
  const record = present({ agent, id, beside, cwd, source, time, events_sha256, remove });
  recordHandover(library.root, record);
  return record;
}

/**
 * Checks whether a session that an agent imported has changed since the import.
 *
 * @param library The sessions of this machine.
 * @param record The hand-over, from {@linkcode findHandover}.
 * @returns `changed` if the session was continued, `gone` if it was removed.
 */
export async function importedState(
  library: Library,
  record: HandoverRecord,
): Promise<"same" | "changed" | "gone"> {
  const digest = await digestOf(library, record);
  if (digest === undefined) return "gone";
  return digest === record.events_sha256 ? "same" : "changed";
}

async function digestOf(
  library: Library,
  { agent, id }: Pick<HandoverRecord, "agent" | "id">,
): Promise<string | undefined> {
  try {
    const handle = await library.open(`${agent}:${id}`);
    return await hashEvents(handle.events());
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}
