/** Reads what is exported: one thread, or all of them where the form shows them. */
import type { LogEvent } from "../../lib/event/envelope.ts";
import { present } from "../../lib/event/present.ts";
import type { Report } from "../../lib/log/diagnostic.ts";
import type { SessionHandle, SessionReadOptions } from "../../lib/library/session_handle.ts";
import type { SessionThread } from "../../lib/source/session_thread.ts";
import type { ShowProgress } from "../../lib/ui/progress.ts";

/** Events of one thread; `thread` where it is another than before. */
export interface ReadBatch {
  thread?: SessionThread;
  events: readonly LogEvent[];
}

/** Which threads to read. */
export interface ReadExportOptions {
  /** True to read every thread, unless one is named. */
  all: boolean;
  /** The thread that the command line names. */
  thread?: string;
}

/** Reads a session once. */
export type ReadExport = (
  show: ShowProgress,
  needs?: SessionReadOptions["needs"],
  report?: Report,
) => AsyncIterable<ReadBatch>;

/** Makes what reads a session as often as it is needed. */
export async function exportReader(
  source: SessionHandle,
  { all, thread }: ReadExportOptions,
): Promise<ReadExport> {
  const is_one = !all || thread !== undefined || source.thread !== undefined;
  const threads = is_one ? [] : await source.threads();
  return (onProgress, needs, report) => {
    const options = present({ needs, report });
    return threads.length > 1
      ? threadBatches(source, threads, options)
      : batches(source, { ...options, onProgress, ...(thread === undefined ? {} : { thread }) });
  };
}

async function* batches(
  source: SessionHandle,
  options: SessionReadOptions,
): AsyncGenerator<ReadBatch> {
  for await (const events of source.events(options)) yield { events };
}

async function* threadBatches(
  source: SessionHandle,
  threads: readonly SessionThread[],
  options: Pick<SessionReadOptions, "needs" | "report">,
): AsyncGenerator<ReadBatch> {
  let current = threads[0]?.id;
  for await (const { thread, events } of source.allEvents(options)) {
    const next = thread === current ? undefined : threads.find(({ id }) => id === thread);
    current = thread;
    yield next === undefined ? { events } : { thread: next, events };
  }
}
