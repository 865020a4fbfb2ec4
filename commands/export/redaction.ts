/** Replaces the secrets of an export: learns them first, then replaces and reports them. */
import type { LogEvent } from "../../lib/event/envelope.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import type { RedactionFinding, Redactor } from "../../lib/redaction/redactor.ts";
import type { Context } from "../_context.ts";
import { counted } from "../../lib/render/counted.ts";
import { say } from "../_message.ts";

/** Lines of findings that are told one by one. */
const MOST_FINDINGS = 20;

/** A redactor that has seen the whole session: what is a secret once is one everywhere. */
export async function surveyed(
  batches: AsyncIterable<{ events: readonly LogEvent[] }>,
  summary: Summary,
  findings: FindingLog,
): Promise<Redactor> {
  const { Redactor } = await import("../../lib/redaction/redactor.ts");
  const redactor = new Redactor({ report: (finding) => findings.add(finding) });
  for await (const { events } of batches) {
    for (const event of events) redactor.observe(event);
  }
  // A title may be in a mark alone.
  for (const value of Object.values(summary)) redactor.observeValue(value);
  return redactor;
}

/** Events without their secrets. */
export function redacted(events: readonly LogEvent[], redactor: Redactor): LogEvent[] {
  return events.map((event) => redactor.event(event));
}

/** What a form says of a session, without secrets. */
export function redactedSummary(summary: Summary, redactor: Redactor): Summary {
  const fields = Object.entries(summary).map(([name, value]) => [
    name,
    redactor.value(value, `summary.${name}`),
  ]);
  return Object.fromEntries(fields);
}

/** What was replaced, as far as it is told one by one. */
export class FindingLog {
  readonly #shown: string[] = [];
  #count = 0;

  add({ kind, seq, field }: RedactionFinding): void {
    if (++this.#count > MOST_FINDINGS) return;
    this.#shown.push(`  ${kind} in ${seq === undefined ? "" : `#${seq} `}${field}`);
  }

  async tell(context: Context, ref: string): Promise<void> {
    if (this.#count === 0) return;
    const rest = this.#count - this.#shown.length;
    const more = rest === 0 ? [] : [`  and ${rest} more; see: reprise secrets ${ref}`];
    const head = `Replaced ${counted(this.#count, "secret")}:`;
    await say(context, [head, ...this.#shown, ...more].join("\n"));
  }
}
