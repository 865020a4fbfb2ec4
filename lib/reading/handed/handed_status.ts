/**
 * Reads how a call ended before its session was handed over. Not all agents record it: some tell at
 * most failure from success, and some nothing.
 */
import type { CallStatus } from "../../event/message.ts";
import { asObject } from "../json_value.ts";

const STATUSES: ReadonlySet<unknown> = new Set<CallStatus>([
  "ok",
  "error",
  "interrupted",
  "skipped",
]);

/** The status of a call by what its record says of the original; undefined where it says nothing. */
export function handedStatus(
  record: Readonly<Record<string, unknown>>,
  call_id: string,
): CallStatus | undefined {
  if (record.reprise === undefined) return undefined;
  const { calls } = asObject(record.reprise);
  const { status } = asObject(new Map(Object.entries(asObject(calls))).get(call_id));
  return STATUSES.has(status) ? status as CallStatus : undefined;
}
