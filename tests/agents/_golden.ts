import type { LogEvent } from "../../lib/event/envelope.ts";

/** Returns what a golden file has of each event: its kind, the id of its record, and its payload. */
export function golden(events: readonly LogEvent[]): unknown {
  const told = events.map((event) =>
    event.form === "known" ? [event.kind, event.source?.id, event.payload] : [event.kind]
  );
  return JSON.parse(JSON.stringify(told));
}
