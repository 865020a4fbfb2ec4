/**
 * A demo session as it passes: each event so many seconds after the one before it.
 */
import { encodeEvent } from "../../../lib/event/encode.ts";
import type { Event, NewEvent } from "../../../lib/event/envelope.ts";
import { namespaceOf } from "../../../lib/workspace/namespace.ts";
import { joined } from "./event_line.ts";

/** Seconds since the event before it, and the event. */
export type Step = readonly [seconds: number, event: NewEvent];

/** One session of the demo store. */
export interface DemoSession {
  id: string;
  cwd: string;
  /** ISO 8601. */
  created_at: string;
  steps: readonly Step[];
  /** Bytes to leave away at the end, for a writer that was killed. */
  torn?: number;
}

/** The same steps as one turn. */
export function turnOf(turn_id: string, ...steps: Step[]): Step[] {
  return steps.map(([seconds, event]) => [seconds, { ...event, turn_id }]);
}

/** Where the session's log lies in the store. */
export function demoPath({ id, cwd, created_at }: DemoSession): string {
  const stamp = created_at.replace(/[-:.]/g, "");
  return `sessions/${namespaceOf(cwd)}/${stamp}-${id}/transcript_events.jsonl`;
}

/** The session's events, with numbers and times. */
export function demoEvents({ created_at, steps }: DemoSession): Event[] {
  let at = Date.parse(created_at);
  return steps.map(([seconds, event], index) => {
    at += Math.round(seconds * 1000);
    return { time: new Date(at).toISOString(), ...event, seq: index + 1 } as Event;
  });
}

/** The bytes of the session's log. */
export function demoLog(session: DemoSession): Uint8Array {
  const whole = joined(...demoEvents(session).map(encodeEvent));
  return whole.slice(0, whole.length - (session.torn ?? 0));
}
