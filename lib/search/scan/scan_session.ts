/**
 * Searches a session, whoever keeps it.
 */
import { loadAgent } from "../../library/registry.ts";
import { type ByteFinder, makeByteFinder } from "../../log/byte_finder.ts";
import { openToRead } from "../../log/byte_source.ts";
import { toSessionError } from "../../log/io_error.ts";
import type { AgentSession } from "../../source/agent.ts";
import { readThreads } from "../../source/read_threads.ts";
import { FileEvidence, type Prefilter } from "../prefilter/prefilter.ts";
import type { TopHits } from "../rank.ts";
import { scanLog } from "./scan_log.ts";
import { searchEvent, type SearchHit, type SearchTask } from "../search_task.ts";
import { SEARCHED_KINDS } from "../searchable_text.ts";

const encoder = new TextEncoder();

/**
 * Offers the hits in all threads of a session; of a log of ours, from an offset on.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function scanSession(
  task: SearchTask,
  session: AgentSession,
  top: TopHits<SearchHit>,
  from = 0,
): Promise<void> {
  const agent = await loadAgent(session.agent);
  const log = agent.log?.(session);
  if (log !== undefined) {
    return await scanLog(
      log,
      task.prefilter,
      (event) => searchEvent(task, { session }, event, top),
      from,
    );
  }
  if (!await mayHold(task.prefilter, session)) return;
  for await (const { thread, events } of readThreads(agent, session, { needs: SEARCHED_KINDS })) {
    for (const event of events) searchEvent(task, { session, thread }, event, top);
  }
}

/** Whether the files of a session may hold what is looked for. */
export async function mayHold(
  prefilter: Prefilter | undefined,
  session: AgentSession,
): Promise<boolean> {
  if (prefilter === undefined) return true;
  const agent = await loadAgent(session.agent);
  const verbatim = await agent.verbatim?.(session);
  if (verbatim === undefined) return true;
  const evidence = new FileEvidence(prefilter);
  const { written } = encoder.encodeInto(verbatim.added_words, finder().bytes);
  if (evidence.look(finder(), written)) return true;
  return verbatim.paths.some((path) => lookThrough(path, prefilter.overlap, evidence));
}

/** As much as the processor keeps at hand. */
const BLOCK_BYTES = 256 * 1024;
let kept_finder: ByteFinder | undefined;

/** The one finder of all files, which are looked at one after the other. */
function finder(): ByteFinder {
  return kept_finder ??= makeByteFinder(BLOCK_BYTES);
}

/** Looks at a file block by block, each with the end of the one before; stops once it may hold it. */
function lookThrough(path: string, overlap: number, evidence: FileEvidence): boolean {
  using file = openToRead(path);
  const { bytes } = finder();
  let kept = 0;
  try {
    for (;;) {
      const count = file.readSync(bytes.subarray(kept));
      if (count === null) return false;
      const filled = kept + count;
      if (evidence.look(finder(), filled)) return true;
      kept = Math.min(overlap, filled);
      bytes.copyWithin(0, filled - kept, filled);
    }
  } catch (error) {
    throw toSessionError(error, "search file", path);
  }
}
