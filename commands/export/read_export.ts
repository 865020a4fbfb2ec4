/** Reads the content of an export: its threads and its summary. Replaces secrets in both. */
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import { EVENT_KINDS } from "../../lib/core/event/policy.ts";
import { present } from "../../lib/core/event/present.ts";
import type { Report } from "../../lib/core/log/diagnostic.ts";
import type { SessionHandle, SessionReadOptions } from "../../lib/library/handle/session_handle.ts";
import type { SessionThread } from "../../lib/core/projection/session_thread.ts";
import type { ShowProgress } from "../../lib/frontends/ui/progress.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import type { ExportDocument, ExportFormat } from "../../lib/features/export/export_document.ts";
import type { RedactionFinding, Redactor } from "../../lib/text/redaction/redactor.ts";
import type { DocumentHeader } from "../../lib/text/render/session_document.ts";
import type { Context } from "../_context.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { say } from "../_message.ts";

/** A batch of one thread's events. `thread` is present only if it differs from the last batch. */
interface ReadBatch {
  thread?: SessionThread;
  events: readonly LogEvent[];
}

interface ReadExportOptions {
  /** True if every thread is read. Ignored if `thread` is given. */
  all: boolean;
  thread?: string;
  /** True if all branches of the log are read. Ignored if `thread` is given. */
  copies?: boolean;
}

/** A function that reads the session from the beginning at each call. */
type ReadExport = (
  show: ShowProgress,
  needs?: SessionReadOptions["needs"],
  report?: Report,
) => AsyncIterable<ReadBatch>;

export async function exportReader(
  source: SessionHandle,
  { all, thread, copies = false }: ReadExportOptions,
): Promise<ReadExport> {
  const is_one = !all || thread !== undefined || source.thread !== undefined;
  const all_branches = copies && thread === undefined && source.thread === undefined;
  const threads = is_one ? [] : await source.threads();
  return (onProgress, needs, report) => {
    return threads.length > 1
      ? threadBatches(source, threads, present({ needs, report }))
      : batches(source, present({ needs, report, onProgress, thread, all_branches }));
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

/** Returns a format's summary: `json` adds messages and the last error, `html` usage totals. */
export async function exportSummary(
  source: SessionHandle,
  format: ExportFormat,
): Promise<Summary> {
  const summary = await source.summary();
  if (format === "json") return summary;
  const { first_user_message: _1, last_user_message: _2, last_error: _3, ...shown } = summary;
  return format === "html" ? await withTotals(source, shown) : shown;
}

/** Adds models, tokens and cost to a summary. An unrecorded cost is estimated. */
async function withTotals(source: SessionHandle, summary: Summary): Promise<Summary> {
  const { loadPrices } = await import("../../lib/library/counts/usage/load_prices.ts");
  const { withUsage } = await import("../../lib/core/projection/usage_totals.ts");
  const { estimate } = await loadPrices();
  const { ref, agent } = source;
  return withUsage(summary, { ref, agent, rows: await source.usage({ estimate }) });
}

const MOST_FINDINGS = 20;

/**
 * Returns the kinds of events to search for secrets. For a log of Reprise it is `undefined`, for
 * every kind. For another agent's log, `undefined` would parse each line twice, so all known kinds
 * are listed.
 */
export function surveyKinds({ has_bytes }: SessionHandle): SessionReadOptions["needs"] {
  // A log may have kinds that this version does not know.
  return has_bytes ? undefined : new Set(EVENT_KINDS);
}

/** Makes a redactor that has read the whole session, so it replaces a secret in every event. */
export async function surveyed(
  batches: AsyncIterable<{ events: readonly LogEvent[] }>,
  summary: Summary,
  findings: Pick<FindingLog, "add">,
): Promise<Redactor> {
  const { Redactor } = await import("../../lib/text/redaction/redactor.ts");
  const redactor = new Redactor({ report: (finding) => findings.add(finding) });
  for await (const { events } of batches) {
    for (const event of events) redactor.observe(event);
  }
  // A title may occur only in a mark.
  for (const value of Object.values(summary)) redactor.observeValue(value);
  return redactor;
}

export async function* documentParts(
  document: ExportDocument,
  batches: AsyncIterable<ReadBatch>,
  redactor: Redactor | undefined,
): AsyncGenerator<string> {
  for await (const { thread, events } of batches) {
    if (thread !== undefined) {
      const shown = redactor === undefined ? thread : redactor.value(thread, "thread");
      yield document.thread?.(shown as SessionThread) ?? "";
    }
    yield document.take(redactor === undefined ? events : events.map((one) => redactor.event(one)));
  }
}

export function headerOf(
  { now, version }: Context,
  summary: Summary,
  redactor: Redactor | undefined,
): DocumentHeader {
  return {
    summary: redactor?.summary(summary) ?? summary,
    exported_at: now().toISOString(),
    generator: `reprise ${version}`,
    redacted: redactor !== undefined,
  };
}

export class FindingLog {
  readonly #shown: string[] = [];
  /** Placeholders of the replaced secrets. Each secret has only one, so the size counts secrets. */
  readonly #placeholders = new Set<string>();
  #count = 0;

  add({ kind, seq, field, placeholder }: RedactionFinding): void {
    this.#placeholders.add(placeholder);
    if (++this.#count > MOST_FINDINGS) return;
    this.#shown.push(`  ${kind} in ${seq === undefined ? "" : `#${seq} `}${field}`);
  }

  async tell(context: Context, ref: string): Promise<void> {
    if (this.#count === 0) return;
    const rest = this.#count - this.#shown.length;
    const more = rest === 0 ? [] : [`  and ${rest} more; see: reprise secrets ${ref}`];
    const { size } = this.#placeholders;
    const places = size === this.#count ? "" : ` in ${counted(this.#count, "place")}`;
    const head = `Replaced ${counted(size, "secret")}${places}:`;
    await say(context, [head, ...this.#shown, ...more].join("\n"));
  }
}
