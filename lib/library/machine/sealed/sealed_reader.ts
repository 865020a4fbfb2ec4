/**
 * Presents an encrypted log as a session of one more agent. The log is read as a stream from its
 * beginning, never from its end. It is never continued.
 */
import { REPRISE } from "../../../core/event/agent_name.ts";
import type { Message } from "../../../core/event/message.ts";
import type { LogEvent } from "../../../core/event/envelope.ts";
import { present } from "../../../core/event/present.ts";
import type { Report } from "../../../core/log/diagnostic.ts";
import { emptyTally } from "../../../core/log/parse_state.ts";
import { readEventsOf, type ReadEventsOptions } from "../../../core/log/read_events.ts";
import { BranchPath } from "../../../core/projection/branch_path.ts";
import { foldBatches } from "../../../core/projection/projection.ts";
import { type ResponseUsage, responseUsage } from "../../../core/projection/response_usage.ts";
import { wholeSummary } from "../../../core/projection/active_time.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import type { OpenSealedOptions } from "../../../text/seal/open_sealed.ts";
import { sealedSource } from "../../../text/seal/sealed_source.ts";
import {
  BRANCH_KINDS,
  branchesAmong,
  eventsOfKinds,
  onPath,
} from "../../../core/store/log_branches.ts";
import { messagesOf } from "../../../core/store/read_messages.ts";
import { RESUME_KINDS, resumePartOf } from "../../../core/store/resume_point.ts";
import { verifyEvents } from "../../../core/store/verify_log.ts";
import type {
  AgentConversationOptions,
  AgentReadOptions,
  AgentSession,
  SessionReader,
  SourceAccount,
} from "../../../agents/contract/agent.ts";
import { deriveReader } from "../../../agents/engine/session_reader.ts";
import { assertMainThread } from "../../../core/projection/session_thread.ts";
import { countTally, emptyAccount } from "../../../agents/contract/source_account.ts";
import { fileState } from "../../../core/store/import/source_state.ts";

/** The keys of an encrypted file. Opened keys are cached for the file's later reads. */
export type SealedLogKeys = Omit<OpenSealedOptions, "path">;

export function sealedReader(session: AgentSession, keys: SealedLogKeys): SessionReader {
  return deriveReader({
    summarize: (session) => summarize(session, keys),
    read: (session, options) => read(session, keys, options),
    messages: (session, options) => messages(session, keys, options),
    usage: (session) => usage(session, keys),
    log: ({ path }) => ({
      bytes: () => sealedSource(path, keys).readable,
      verify: (report) => verify(path, keys, report),
    }),
  })(session);
}

async function summarize(
  { path, id }: AgentSession,
  keys: SealedLogKeys,
): Promise<Summary> {
  const projection = wholeSummary();
  const events = readEventsOf(sealedSource(path, keys), { kinds: projection.needs });
  const { closed, findings: _, ...row } = await foldBatches(projection, events);
  return {
    ...row,
    ref: path,
    agent: REPRISE,
    session_id: id,
    path,
    bytes: fileState(path).bytes,
    status: closed ?? "interrupted",
  };
}

/** Reads the log twice, because later events may replace earlier messages. */
async function* messages(
  { path }: AgentSession,
  keys: SealedLogKeys,
  { thread, ...options }: AgentConversationOptions = {},
): AsyncGenerator<readonly Message[]> {
  assertMainThread(thread, path);
  const way = await mainPath(path, keys);
  const events = (read: ReadEventsOptions) =>
    onPath(way, readEventsOf(sealedSource(path, keys), read));
  const part = await resumePartOf(events({ kinds: RESUME_KINDS }));
  yield* messagesOf(part, options, (read) => eventsFrom(events(read), part.from));
}

/** Reads the whole log once, to find the branches. */
async function mainPath(path: string, keys: SealedLogKeys): Promise<BranchPath> {
  const events = readEventsOf(sealedSource(path, keys), { kinds: BRANCH_KINDS });
  return new BranchPath(branchesAmong(await eventsOfKinds(events, BRANCH_KINDS)));
}

async function* eventsFrom(
  batches: AsyncIterable<readonly LogEvent[]>,
  offset: number,
): AsyncGenerator<readonly LogEvent[]> {
  for await (const events of batches) {
    yield events.filter(({ position }) => (position?.offset ?? 0) >= offset);
  }
}

async function* read(
  { path }: AgentSession,
  keys: SealedLogKeys,
  { needs, report, account, thread, signal, all_branches }: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  assertMainThread(thread, path);
  const tally = emptyTally();
  const way = all_branches ? new BranchPath([]) : await mainPath(path, keys);
  const options = present({ tally, kinds: needs, report, signal });
  yield* onPath(way, readEventsOf(sealedSource(path, keys), options));
  countTally(account, tally);
}

/** Yields the responses of all branches of an encrypted log. */
async function* usage(
  { path }: AgentSession,
  keys: SealedLogKeys,
): AsyncGenerator<readonly ResponseUsage[]> {
  const projection = responseUsage();
  const options = { kinds: projection.needs };
  yield await foldBatches(projection, readEventsOf(sealedSource(path, keys), options));
}

async function verify(
  path: string,
  keys: SealedLogKeys,
  report: Report,
): Promise<SourceAccount> {
  const account = emptyAccount();
  const read = (options: ReadEventsOptions) => readEventsOf(sealedSource(path, keys), options);
  countTally(account, await verifyEvents(read, report));
  return account;
}
