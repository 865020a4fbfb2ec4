/** Leaves out copies of responses in a session's sidechains, but takes their larger counts. */
import type { ResponseUsage } from "../../../core/projection/response_usage.ts";
import { countedTokens } from "../../../core/projection/token_usage.ts";

export function withoutRepeats(records: readonly ResponseUsage[]): readonly ResponseUsage[] {
  return records.some(({ sidechain }) => sidechain)
    ? withoutCopies(withFinalCounts(records))
    : records;
}

function isBetter(record: ResponseUsage, known: ResponseUsage): boolean {
  if (record.sidechain !== known.sidechain) return known.sidechain === true;
  return countedTokens(record.usage) > countedTokens(known.usage);
}

/**
 * Replaces the counts of a response by larger counts from a sidechain's record of the response. The
 * session's file may have an unfinished record, and the sidechain the final record.
 */
function withFinalCounts(records: readonly ResponseUsage[]): ResponseUsage[] {
  const finals = new Map<string, ResponseUsage>();
  for (const record of records) {
    if (!record.sidechain || record.key === undefined) continue;
    const known = finals.get(record.key);
    if (known === undefined || isBetter(record, known)) finals.set(record.key, record);
  }
  return records.map((record) => {
    const final = record.sidechain ? undefined : finals.get(record.key ?? "");
    if (final === undefined || countedTokens(final.usage) <= countedTokens(record.usage)) {
      return record;
    }
    const { sidechain: _side, thread: _thread, ...counts } = final;
    return record.thread === undefined ? counts : { ...counts, thread: record.thread };
  });
}

/**
 * Leaves out records of sidechains that repeat a response of the session. Both records have the
 * same key, or the same message under another request id.
 */
function withoutCopies(records: readonly ResponseUsage[]): ResponseUsage[] {
  const repeated = new Set(
    records.flatMap(({ sidechain, key }) => sidechain && key !== undefined ? [messageOf(key)] : []),
  );
  const best = new Map<string, ResponseUsage>();
  for (const record of records) {
    const message = messageOf(record.key ?? "");
    if (record.key === undefined || !repeated.has(message)) continue;
    const known = best.get(message);
    if (known === undefined || isBetter(record, known)) best.set(message, record);
  }
  return records.filter((record) =>
    !record.sidechain || record.key === undefined || best.get(messageOf(record.key)) === record
  );
}

function messageOf(key: string): string {
  return key.slice(0, key.indexOf("\n"));
}
