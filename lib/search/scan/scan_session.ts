/**
 * Searches a session, whoever keeps it.
 */
import type { AgentSession } from "../../source/agent.ts";
import { loadAgent } from "../../agents/registry.ts";
import { type ByteFinder, makeByteFinder } from "../../log/byte_finder.ts";
import { toSessionError } from "../../log/io_error.ts";
import { FileEvidence, type Prefilter } from "../prefilter/prefilter.ts";
import type { TopHits } from "../rank.ts";
import { openRegularFile } from "../regular_file.ts";
import { scanLog } from "./scan_log.ts";
import type { SearchSource } from "../search_source.ts";
import { searchEvent, type SearchHit, type SearchTask } from "../search_task.ts";
import { SEARCHED_KINDS } from "../searchable_text.ts";

const encoder = new TextEncoder();

/**
 * Offers the hits of a session; of a log of ours, from an offset on.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function scanSession(
  task: SearchTask,
  source: SearchSource,
  top: TopHits<SearchHit>,
  from = 0,
): Promise<void> {
  const { session, path } = source;
  if (session === undefined) {
    return await scanLog(
      path,
      task.prefilter,
      (event) => searchEvent(task, source, event, top),
      from,
    );
  }
  if (!await mayHold(task.prefilter, session)) return;
  const agent = await loadAgent(session.agent);
  for await (const events of agent.read(session, { needs: SEARCHED_KINDS })) {
    for (const event of events) searchEvent(task, source, event, top);
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
  using file = openRegularFile(path);
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
