/** Sets a session's title in its agent's own records, and undoes that. */
import { join } from "node:path";
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { isFileThere } from "../../core/file/presence.ts";
import { readShortText, RECORDS_BYTES } from "../../core/file/short_file.ts";
import { isKeptCopy } from "../../library/machine/kept/kept_sessions.ts";
import type { Library } from "../../library/library.ts";
import { descriptorOf, openReader } from "../../library/machine/registry.ts";
import { LiveSessions } from "../../library/handle/live_sessions.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { appendLine } from "../../core/log/own_file.ts";
import { mkdirSync } from "../../core/platform/files.ts";
import type { TitleCommand } from "../../agents/contract/native_title.ts";
import { type AppendedLine, appendToFile, removeLastLine } from "./appended_line.ts";

interface GivenTitle {
  ref: string;
  /** The line that set the title, absent if a command of the agent set it. */
  appended?: AppendedLine;
  /** The session's previous title, empty if it had none. */
  before: string;
}

/** Runs an agent's command. Returns the reason if it fails, else undefined. */
export type RunTitleCommand = (command: TitleCommand) => Promise<string | undefined>;

/**
 * Gives a session a title by the line that its agent would append, or by the agent's own command.
 *
 * @throws {SessionError} `unsupported-source` if the agent has neither, or the command fails. Also
 * if a client that has the session open would overwrite the title. `permission`, `io`
 */
export async function renameNatively(
  library: Library,
  session: SessionHandle,
  title: string,
  run: RunTitleCommand,
): Promise<void> {
  const { ref, session: address } = session;
  const titles = await descriptorOf(session.agent).loadTitles?.();
  if (titles === undefined) {
    throw refusal(session, "Reprise does not know how to set a title in this agent");
  }
  const is_listed = (await library.sessions({ agents: [session.agent] })).some((one) =>
    one.id === session.id && one.path === session.path && !isKeptCopy(library.root, one.path)
  );
  if (!is_listed) throw refusal(session, "the agent's own list does not include this session");
  // Read without Reprise's marks: a title given in Reprise is not the agent's title.
  const before = (await (await openReader(address)).summarize())?.title ?? "";
  if (titles.commandOf !== undefined) {
    await runFor(session, titles.commandOf(address, title), run);
    return record(library.root, { ref, before });
  }
  await assertClosed(library, session);
  const now = library.place.now?.() ?? new Date();
  const made = await titles.lineOf?.(address, title, now);
  if (made === undefined) throw refusal(session, "the session's last record is damaged");
  try {
    record(library.root, { ref, before, appended: appendToFile(made.path, made.line) });
  } catch (error) {
    throw toSessionError(error, "rename session", made.path);
  }
}

/**
 * Undoes the last title that {@linkcode renameNatively} set. Removes the title's line, or sets the
 * previous title.
 *
 * @throws {SessionError} `not-found` if no title was set. `unsupported-source` if the session was
 * continued since, or is open. `permission`, `io`
 */
export async function undoNativeTitle(
  library: Library,
  session: SessionHandle,
  run: RunTitleCommand,
): Promise<void> {
  const given = givenTitles(library.root).findLast(({ ref }) => ref === session.ref);
  if (given === undefined) {
    const message = `Cannot undo: rename --native has not set a title for ${session.ref}`;
    throw new SessionError("not-found", message, { ref: session.ref });
  }
  const { appended, before } = given;
  if (appended === undefined) {
    const titles = await descriptorOf(session.agent).loadTitles?.();
    await runFor(session, titles?.commandOf?.(session.session, before), run);
  } else {
    await assertClosed(library, session);
    if (!removeLastLine(appended)) {
      throw refusal(session, "the session was continued after the title was set");
    }
  }
  record(library.root, { undone: session.ref });
}

async function runFor(
  session: SessionHandle,
  command: TitleCommand | undefined,
  run: RunTitleCommand,
): Promise<void> {
  const failure = command === undefined
    ? "the agent's own list does not include this session"
    : await run(command);
  if (failure !== undefined) throw refusal(session, failure);
}

async function assertClosed(library: Library, session: SessionHandle): Promise<void> {
  const { session: address } = session;
  const row = await session.summary();
  const live = new LiveSessions(library.place);
  await live.mayRun(address, Date.parse(row.updated_at ?? ""), row.cwd);
  if ((await live.withStatus(address, row)).status !== "running") return;
  throw refusal(
    session,
    "the session may be open in its agent, and the agent would then overwrite the title",
  );
}

function refusal({ ref, agent_title }: SessionHandle, reason: string): SessionError {
  const message =
    `Cannot rename ${ref} in ${agent_title}: ${reason}. To rename the session in that ` +
    `agent, use ${agent_title}. To rename it only in Reprise, leave out --native`;
  return new SessionError("unsupported-source", message, { ref });
}

function pathOf(root: string): string {
  return join(root, "native_titles.jsonl");
}

function record(root: string, line: GivenTitle | { undone: string }): void {
  mkdirSync(root, { recursive: true, mode: 0o700 });
  appendLine(pathOf(root), line);
}

function givenTitles(root: string): GivenTitle[] {
  const path = pathOf(root);
  const given: GivenTitle[] = [];
  const text = isFileThere(path) ? readShortText(path, RECORDS_BYTES, { follow: false }) : "";
  for (const value of text.split("\n").map(parsedJson).filter(isObject)) {
    const { undone, ref, before } = value;
    if (undone !== undefined) given.splice(given.findLastIndex((one) => one.ref === undone), 1);
    else if (typeof ref === "string" && typeof before === "string") {
      given.push(value as unknown as GivenTitle);
    }
  }
  return given;
}
