/** Finds the session that a reference names, whichever agent keeps it. */
import { PACKED_SUFFIX } from "../../core/file/framed_file.ts";
import { isFolderThere } from "../../core/file/presence.ts";
import { basename, join } from "node:path";
import { type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { exists } from "../../core/log/own_file.ts";
import { type FileHead, LONGER_HEAD_BYTES, readHead } from "../../core/log/read_whole.ts";
import { isSameFolder } from "../../agents/engine/files/folder_match.ts";
import { isSealed } from "../../text/seal/sealed_form.ts";
import { withMarks } from "../../core/store/marks.ts";
import { isJsonDocument } from "../../core/store/recognize_log.ts";
import { quoteWord } from "../../core/platform/shell_word.ts";
import { ambiguous, LOG_FILE } from "../../core/store/session_folder.ts";
import type { Agent, AgentSession, SessionReader } from "../../agents/contract/agent.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import { chosenAgents, type LibraryPlace, marksIn } from "../catalogue/library_place.ts";
import { locateGone } from "../machine/gone_sessions.ts";
import { locateWithKept } from "../machine/kept/kept_sessions.ts";
import { likelyFirst, loadLocator, tracedAgents } from "../machine/locators.ts";
import { agentCalled, loadAgent, openReader } from "../machine/registry.ts";
import type { SealKeySource } from "../machine/sealed/find_sealed.ts";

export interface FoundSession {
  reader: SessionReader;
  /** Number of sessions in the file, of which the latest was taken. Absent for one session. */
  of_several?: number | undefined;
  named?: boolean | undefined;
}

/**
 * Finds a session, of one agent or of any, by the first characters of its id. If several match, the
 * match in the directory `cwd` is taken.
 */
export async function findById(
  place: LibraryPlace,
  name: AgentName | undefined,
  prefix: string,
  cwd: string,
): Promise<FoundSession> {
  const listed = await fitting(place, name, prefix, false);
  // A sub-agent's session is a thread of another, and still has an id of its own.
  const standing = listed.size > 0 ? listed : await fitting(place, name, prefix, true);
  const found = standing.size > 0 ? standing : await fitting(place, name, prefix, "gone");
  const ref = name === undefined ? prefix : `${name}:${prefix}`;
  const [only, ...others] = found.values();
  if (only === undefined) throw notFound(ref, name);
  const named = found.get(ref);
  if (others.length === 0 || named !== undefined) return named ?? only;
  const [here, ...more] = await ofDirectory(place, found.values(), cwd);
  if (here === undefined || more.length > 0) throw ambiguous(ref, [...found.keys()]);
  return here;
}

/** Returns sessions whose id has the prefix, by reference. A complete id excludes longer ones. */
async function fitting(
  place: LibraryPlace,
  name: AgentName | undefined,
  prefix: string,
  which: boolean | "gone",
): Promise<Map<string, FoundSession>> {
  const found = new Map<string, FoundSession>();
  const asked = chosenAgents(place, name === undefined ? undefined : [name]);
  let failure: SessionError | undefined;
  for (const one of tracedAgents(place.environment, asked)) {
    const fits: AgentSession[] = [];
    try {
      await addCandidates(place, one, prefix, which, fits);
    } catch (error) {
      // One agent whose sessions cannot be listed must not hide the others.
      if (!(error instanceof SessionError)) throw error;
      failure ??= error;
    }
    const whole = fits.filter(({ id }) => id.length === prefix.length);
    if (whole.length > 0) found.clear();
    for (const session of whole.length > 0 ? whole : fits) {
      const ref = sessionRef(session);
      if (!found.has(ref)) found.set(ref, { reader: await openReader(session) });
    }
    if (whole.length > 0) break;
  }
  if (failure !== undefined && found.size === 0) throw failure;
  return found;
}

/** Returns at most two sessions of a directory, enough to tell whether it has exactly one. */
async function ofDirectory(
  { root }: LibraryPlace,
  found: Iterable<FoundSession>,
  cwd: string,
): Promise<FoundSession[]> {
  const marks = marksIn(root, () => {});
  const here: FoundSession[] = [];
  for (const one of found) {
    // Reading a damaged session reports it; here it only does not tell its directory.
    const summary = await one.reader.summarize().catch(() => undefined);
    const directory = summary && withMarks(summary, marks).cwd;
    if (directory === undefined) continue;
    if (isSameFolder(directory, cwd)) here.push(one);
    if (here.length > 1) break;
  }
  return here;
}

/** Matches an id's prefix as given or in lower case, because UUIDs ignore case. */
async function addCandidates(
  { environment }: LibraryPlace,
  name: AgentName,
  prefix: string,
  which: boolean | "gone",
  found: AgentSession[],
): Promise<void> {
  const lower = prefix.toLowerCase();
  const locator = await loadLocator(name);
  const located = which === "gone"
    ? locateGone(name, environment)
    : locateWithKept(locator, name, environment, { subagents: which });
  for await (const session of located) {
    if (session.branch_of !== undefined) {
      if (isBranchName(session, prefix) || isBranchName(session, lower)) found.push(session);
    } else if (session.id.startsWith(prefix) || session.id.startsWith(lower)) found.push(session);
  }
}

/**
 * True if a prefix names a branch: a session that another machine continued too. For example,
 * `4f2.lap` names the continuation of `4f2a91` on the machine `laptop`.
 */
function isBranchName({ id, branch_of = "" }: AgentSession, prefix: string): boolean {
  const dot = prefix.lastIndexOf(".");
  const is_named = dot > 0 && dot < prefix.length - 1;
  return is_named && branch_of.startsWith(prefix.slice(0, dot)) &&
    id.slice(branch_of.length).startsWith(prefix.slice(dot));
}

function notFound(ref: string, agent: AgentName | undefined): SessionError {
  const message = `Cannot find session "${ref}"; ${adviceFor(ref, agent)}`;
  return new SessionError("not-found", message, { ref });
}

/** Matches a file name with an extension, which no agent's id looks like. */
const FILE_NAME = /^[^\\/]{1,200}\.[A-Za-z]\w{0,7}$/;

function adviceFor(ref: string, agent: AgentName | undefined): string {
  const meant = agent ?? agentCalled(ref);
  if (agent === undefined && FILE_NAME.test(ref)) {
    const file = quoteWord(ref);
    return `to list the sessions that changed this file: reprise list --file ${file} --all`;
  }
  return meant === undefined || agent === REPRISE
    ? "see: reprise list --all"
    : `see: reprise list --agent ${meant} --all`;
}

export interface FindInFileOptions {
  /** True to accept a Reprise log in which no event is left. */
  damaged?: boolean;
  keys?: SealKeySource;
  /** The id after `~`: it names one of several sessions in a file. Absent if it names a thread. */
  named?: string | undefined;
}

/** Finds the session in a file, or in a folder that holds a log. */
export async function findInFile(
  place: LibraryPlace,
  given: string,
  { damaged = false, keys = {}, named }: FindInFileOptions = {},
): Promise<FoundSession> {
  const path = logPath(given);
  const agents = likelyFirst(place.environment, place.agents, path);
  const head = await readHead(path);
  if (isSealed(head.bytes)) {
    const { findSealed } = await import("../machine/sealed/find_sealed.ts");
    const others = agents.filter((name) => name !== REPRISE);
    const readers = () => Promise.all(others.map(loadAgent));
    return { reader: await findSealed(path, head.bytes, keys, readers) };
  }
  if (isJsonDocument(head)) throw jsonDocument(path);
  if (isUtf16(head.bytes)) {
    const message =
      `Cannot read session: the file is UTF-16, as PowerShell's ">" writes it: ${path}` +
      "\nWrite it as UTF-8. In PowerShell: Get-Content FILE | Set-Content -Encoding utf8 NEW";
    throw new SessionError("unsupported-source", message, { path });
  }
  const found = await findByHead(agents, path, head, named) ??
    (head.whole
      ? undefined
      : await findByHead(agents, path, await readHead(path, LONGER_HEAD_BYTES), named));
  if (found !== undefined) return found;
  // What is left of a log may hold no event; then its name alone tells what it was.
  if (damaged && basename(path) === LOG_FILE) {
    const agent = await loadAgent(REPRISE);
    const found = latestIn(agent, await agent.sessionsIn(path));
    if (found !== undefined) return found;
  }
  const message = `Cannot read session: the file belongs to no known agent: ${path}\n` +
    `To list the sessions that changed this file: reprise list --file ${quoteWord(given)} --all`;
  throw new SessionError("unsupported-source", message, { path });
}

function isUtf16([first, second]: Uint8Array): boolean {
  return first === 0xff && second === 0xfe || first === 0xfe && second === 0xff;
}

async function findByHead(
  agents: readonly AgentName[],
  path: string,
  { bytes }: FileHead,
  named: string | undefined,
): Promise<FoundSession | undefined> {
  for (const name of agents) {
    const agent = await loadAgent(name);
    if (!agent.recognize(path, bytes)) continue;
    const sessions = await agent.sessionsIn(path);
    const meant = sessions.find(({ id }) => id === named);
    if (meant !== undefined) {
      return { reader: agent.open({ ...meant, ref: `${path}~${meant.id}` }), named: true };
    }
    const found = latestIn(agent, sessions);
    if (found !== undefined) return found;
  }
  return undefined;
}

function latestIn(agent: Agent, sessions: readonly AgentSession[]): FoundSession | undefined {
  const session = sessions.at(-1);
  if (session === undefined) return undefined;
  const reader = agent.open(session);
  return { reader, of_several: sessions.length > 1 ? sessions.length : undefined };
}

function jsonDocument(path: string): SessionError {
  const message = "Cannot read session: the file is a JSON export, and Reprise reads only " +
    `JSONL exports: ${path}. To export a session as JSONL: reprise export REF --format jsonl`;
  return new SessionError("unsupported-source", message, { path });
}

function logPath(path: string): string {
  // The packed log of a deleted session is read as the plain one.
  if (path.endsWith(`.jsonl${PACKED_SUFFIX}`)) return path.slice(0, -PACKED_SUFFIX.length);
  if (!isFolderThere(path)) return path;
  const log = join(path, LOG_FILE);
  if (exists(log, "open log")) return log;
  const message =
    `Cannot read session: the path is a directory, not a session; name a file: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}
