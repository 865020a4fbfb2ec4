/** Locates the sessions that the user's own reader program prints, each as a JSON line. */
import { isAbsolute } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import type { Diagnostic } from "../../core/log/diagnostic.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { LocateSessions } from "../contract/agent_descriptor.ts";
import { asList, asName, type Json, present } from "../engine/json.ts";
import { printedRecords, type PrintRun } from "./printed_records.ts";
import { isLate, readerError, type ReaderRun } from "./run_reader.ts";

/** Matches a session id that is safe in references and as an argument of a program. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/;

/**
 * Returns a function that lists an agent's sessions by the user's own reader program. If the
 * program prints an invalid line, the function yields all other sessions, then throws.
 *
 * @param print Returns the program's output. @default {the program is started}
 */
export function locateBy(agent: AgentName, print?: PrintRun): LocateSessions {
  return async function* ({ readers }, { facts } = {}): AsyncGenerator<AgentSession> {
    const argv = readers?.[agent];
    if (argv === undefined) return;
    const run = { agent, argv, asked: ["sessions"] };
    const name = `sessions ${JSON.stringify(argv)}`;
    const listed = new Map<string, AgentSession>();
    try {
      for await (const session of printedSessions(run, print)) {
        listed.set(session.id, session);
        yield session;
      }
    } catch (error) {
      // A slow start of the program must not hide the sessions of the last list.
      const before = isLate(error) ? facts?.kept(name) : undefined;
      for (const session of asList(before) as AgentSession[]) {
        if (!listed.has(session.id)) yield session;
      }
      throw error;
    }
    facts?.keep(name, [...listed.values()]);
  };
}

async function* printedSessions(
  run: ReaderRun,
  print?: PrintRun,
): AsyncGenerator<AgentSession> {
  const faults: string[] = [];
  const report = ({ line, detail }: Diagnostic): void =>
    void faults.push(`line ${line}: ${detail}`);
  const seen = new Set<string>();
  for await (const records of printedRecords(run, { report }, print)) {
    for (const { value, position } of records) {
      const session = sessionIn(value, run);
      const fault = typeof session === "string"
        ? session
        : seen.has(session.id)
        ? `two sessions have the id ${session.id}`
        : undefined;
      if (fault !== undefined) faults.push(`line ${position.line}: ${fault}`);
      if (fault !== undefined || typeof session === "string") continue;
      seen.add(session.id);
      yield session;
    }
  }
  if (faults.length === 0) return;
  const many = faults.length === 1 ? "a line" : `${faults.length} lines`;
  const reason = `its reader program printed ${many} that Reprise cannot use (${faults[0]})`;
  throw readerError(run, reason);
}

/** Returns the session that a line describes, or the reason why the line cannot be used. */
function sessionIn(line: Json, { agent, argv }: ReaderRun): AgentSession | string {
  const id = asName(line.id);
  if (id === undefined) return '"id" is missing';
  if (!ID.test(id)) return '"id" must be 1 to 200 of A-Z, a-z, 0-9, ".", "_" and "-"';
  const files = asList(line.files).filter((path): path is string => typeof path === "string");
  const [path] = files;
  if (path === undefined || files.length !== asList(line.files).length) {
    return '"files" must be a list of one path or more';
  }
  if (!files.every(isAbsolute)) return '"files" must be absolute paths';
  const { created } = line;
  const state = typeof line.state === "number" ? String(line.state) : asName(line.state);
  if (state === undefined && line.state !== undefined && line.state !== null) {
    return '"state" must be a number, or a text that is not empty';
  }
  const printed = present({ argv, files, title: asName(line.title), created, state });
  const archived = line.archived === true || undefined;
  return present({ agent, id, path, cwd: asName(line.directory), archived, printed });
}
