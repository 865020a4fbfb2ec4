/**
 * Searches a session, whoever keeps it.
 */
import { openReader } from "../../library/registry.ts";
import type { LogEvent } from "../../event/envelope.ts";
import { lineBlocks, lineBlocksInTurns } from "../../log/line_blocks.ts";
import { nextTurn } from "../../log/next_turn.ts";
import type { AgentSession } from "../../source/agent.ts";
import { countingRead, eventsOfMain, type OnCounted } from "../../library/session_count.ts";
import type { Standing } from "../prefilter/byte_phrase.ts";
import { Evidence, type Prefilter } from "../prefilter/prefilter.ts";
import type { TopHits } from "../rank.ts";
import { scanLog, type ScanLogOptions } from "./scan_log.ts";
import {
  bestHitOf,
  type SearchedSession,
  searchEvent,
  type SearchHit,
  type SearchTask,
} from "../search_task.ts";
import { SEARCHED_KINDS } from "../searchable_text.ts";

/**
 * Offers the hits in all threads of a session; of a log of ours, from an offset on.
 *
 * @returns False where it was left unread, and can have hits, none of which are among the first.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function scanSession(
  task: SearchTask,
  searched: SearchedSession,
  top: TopHits<SearchHit>,
  options: ScanLogOptions & { onCounted?: OnCounted } = {},
): Promise<boolean> {
  const { session } = searched;
  const { signal, onCounted = () => {} } = options;
  const reader = await openReader(session);
  const log = reader.log?.path;
  const whole = !task.count_all && top.excludes(bestHitOf(task, searched, false));
  if (whole || log === undefined) {
    const standing = await standingIn(task.prefilter, session, { whole, signal });
    if (standing === "none") return true;
    if (whole && standing === "part") return false;
  }
  if (log !== undefined) {
    const onEvent = (event: LogEvent): void => searchEvent(task, searched, event, top);
    await scanLog(log, task.prefilter, onEvent, options);
    return true;
  }
  const reading = { needs: SEARCHED_KINDS, ...(signal === undefined ? {} : { signal }) };
  const read = reader.readThreads(reading);
  const counting = countingRead(session, read, eventsOfMain, { onCounted });
  for await (const { thread, events } of counting) {
    for (const event of events) searchEvent(task, { ...searched, thread }, event, top);
    if (signal !== undefined) await nextTurn();
    signal?.throwIfAborted();
  }
  return true;
}

/** True if the files of a session may hold what is looked for. */
export async function mayHold(
  prefilter: Prefilter | undefined,
  session: AgentSession,
  signal?: AbortSignal,
): Promise<boolean> {
  return await standingIn(prefilter, session, { whole: false, signal }) !== "none";
}

/** How to look through files. */
export interface StandingOptions {
  /** Look on until a whole word was found. Else only `none` has a meaning. */
  whole: boolean;
  signal: AbortSignal | undefined;
}

/** How what is looked for may stand in the files of a session. */
export async function standingIn(
  prefilter: Prefilter | undefined,
  session: AgentSession,
  { whole, signal }: StandingOptions,
): Promise<Standing> {
  if (prefilter === undefined) return "whole";
  const { paths = [], added_words } = await (await openReader(session)).files() ?? {};
  if (added_words === undefined) return "whole";
  const evidence = new Evidence(prefilter, added_words);
  for (const path of paths) {
    const blocks = signal === undefined ? lineBlocks(path) : lineBlocksInTurns(path, signal);
    for await (const { finder, end, oversized } of blocks) {
      if (oversized || evidence.look({ finder, start: 0, end }, whole)) return "whole";
    }
  }
  if (!evidence.may_fit) return "none";
  return evidence.may_be_whole ? "whole" : "part";
}
