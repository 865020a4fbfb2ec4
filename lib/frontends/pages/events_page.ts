/** Tells an open page of changes, by server-sent events. */
import { RootWatches } from "../../features/backup/root_watches.ts";
import { AGENT_NAMES } from "../../core/event/agent_name.ts";
import { pause } from "../../core/platform/pause.ts";
import { marksPath } from "../../core/store/marks.ts";
import { PolledFiles, rootDatabases } from "../../library/running/polled_files.ts";
import { countChanges, countForOrder } from "./list/count_changes.ts";
import { untilClosed } from "./page_stream.ts";
import { numberTurns } from "./session/opened_sessions.ts";
import type { SiteContext } from "./site_context.ts";
import { eventsResponse, type PageResponse } from "./site_frame.ts";

export async function eventsPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const ref = query.get("ref");
  const opened = ref === null
    ? undefined
    : await site.sessions.open(ref, query.get("thread") ?? undefined);
  return eventsResponse(untilClosed(async function* (signal): AsyncGenerator<string> {
    const order = query.get("sort") ?? "";
    // The page was sent without turn numbers: the first change shows them.
    if (opened !== undefined) await numberTurns(opened);
    const changes = opened?.handle.changes(signal) ?? libraryChanges(site, order, signal);
    for await (const _ of changes) yield "event: changed\ndata: 1\n\n";
  }));
}

/** Milliseconds in which changes are collected, to be reported together. */
const TOGETHER_MS = 300;
/** Milliseconds between two checks of files that are in no watched folder. */
const POLL_MS = 100;
/** Milliseconds between two counts of changed files. */
const COUNT_MS = 20_000;
/** Milliseconds between two checks for a missing folder or database. */
const LOOK_MS = 5000;

/**
 * Yields once at the start. Yields again when the files or the row of a session change, or the
 * user's marks. Ends when the signal aborts.
 */
async function* libraryChanges(
  site: SiteContext,
  order: string,
  signal: AbortSignal,
): AsyncGenerator<void> {
  let wake = Promise.withResolvers<void>();
  const note = (): void => wake.resolve();
  signal.addEventListener("abort", note);
  using watches = new RootWatches(AGENT_NAMES, site.library.place.environment, {
    onChange: note,
    onLost: note,
  });
  const { root, environment } = site.library.place;
  const polled = new PolledFiles();
  const look = (): void => {
    watches.look();
    const marks = root === undefined ? [] : [marksPath(root)];
    // The WAL of a database may come later.
    const databases = rootDatabases(AGENT_NAMES, environment);
    polled.follow([...marks, ...new Set(databases.flatMap((path) => [path, `${path}-wal`]))]);
  };
  look();
  // If the counting fails, the list stays as it is.
  const noteNew = (counting: Promise<boolean>): void =>
    void counting.then((is_new) => is_new && note(), () => {});
  const count = (): void => noteNew(countChanges(site));
  count();
  noteNew(countForOrder(site, order));
  const timers = [
    setInterval(count, COUNT_MS),
    setInterval(look, LOOK_MS),
    setInterval(() => polled.take().length > 0 && note(), POLL_MS),
  ];
  try {
    while (!signal.aborted) {
      wake = Promise.withResolvers();
      const told = performance.now();
      yield;
      await wake.promise;
      // The first change is reported at once, changes soon after it together.
      await pause(Math.max(0, told + TOGETHER_MS - performance.now()), signal);
    }
  } finally {
    timers.forEach(clearInterval);
  }
}
