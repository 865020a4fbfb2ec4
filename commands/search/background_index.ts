/** Updates the search index in another process, after a search that read many bytes. */
import type { SessionEntry } from "../../lib/library/query/query.ts";
import { type ChildProcess, startProgram } from "../../lib/core/platform/child_process.ts";
import { readConfig } from "../../lib/core/workspace/config_file.ts";
import type { SearchResult } from "../../lib/library/search/search.ts";
import { TEAM_REF } from "../../lib/core/store/ref.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { contextStore } from "../_store.ts";

/** Minimum number of bytes that a search must read before an index update is worthwhile. */
const MUCH_BYTES = 200e6;
const FIRST_TIME = "Indexing all sessions in the background to make searches fast; " +
  "to switch this off: reprise config set search.auto_index false";

/**
 * Updates the index in another process if the search read over `MUCH_BYTES` and the index is out of
 * date. Returns undefined if no update was started.
 */
export async function updateIndexLater(
  context: Context,
  entries: readonly SessionEntry[],
  { scanned_bytes }: Pick<SearchResult, "scanned_bytes">,
): Promise<ChildProcess | undefined> {
  const [program, ...args] = context.program ?? [];
  const { cache } = contextLibrary(context);
  if (program === undefined || cache === undefined || scanned_bytes <= MUCH_BYTES) return undefined;
  if (!readConfig(contextStore(context).root)["search.auto_index"]) return undefined;
  const { indexStatus } = await import("../../lib/library/search/index/index_status.ts");
  // Sessions of a team are not indexed.
  const ours = entries.filter(({ ref }) => !ref.startsWith(TEAM_REF));
  const status = indexStatus(cache, ours.map(({ session }) => session));
  if (status.behind_bytes === 0 || !status.may_update) return undefined;
  let started: ChildProcess;
  try {
    started = startProgram(program, {
      args: [...args, "index", "build", "--background"],
      stdin: "null",
      stdout: "null",
      stderr: "null",
      detached: true,
    });
  } catch {
    // Without permission to start the program, searches read the sessions.
    return undefined;
  }
  if (status.state === "absent") await say(context, FIRST_TIME);
  return started;
}
