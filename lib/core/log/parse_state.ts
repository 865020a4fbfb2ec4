/** Keeps the state of the parse stage between lines, accepts events and reports findings. */
import { isReadableVersion } from "../event/decode.ts";
import type { LinePosition, LogEvent } from "../event/envelope.ts";
import { isEventKind } from "../event/policy.ts";
import type { ChecksumHistory } from "./checksum_history.ts";
import { type ByteTally, type DiagnosticCode, isDamage, type Report } from "./diagnostic.ts";

export interface ParseState {
  last_seq: number | undefined;
  /** Kinds to parse. Undefined means all kinds. */
  readonly kinds: ReadonlySet<string> | undefined;
  readonly report: Report;
  readonly tally: ByteTally;
  /** True once a line had a checksum. A later line without a checksum counts as changed. */
  checked?: boolean;
  /** Tells if earlier lines have checksums. Absent at a log's start. */
  readonly history?: ChecksumHistory | undefined;
  /** The last line that stayed unparsed. */
  unparsed?: UnparsedLine;
  /** The last message or call of a batch, if it stayed unparsed. */
  activity?: UnparsedLine;
}

/** An event with its unparsed line: `bytes` from `start`. `bytes` is valid until the batch ends. */
export interface UnparsedLine {
  event: LogEvent | undefined;
  bytes: Uint8Array;
  start: number;
}

export function emptyTally(): ByteTally {
  return { bytes: 0, events: 0, damage: 0, blank: 0 };
}

export function reportFinding(
  state: ParseState,
  code: DiagnosticCode,
  at: LinePosition,
  detail: string,
): void {
  if (isDamage(code)) state.tally.damage += at.length;
  state.report({ code, offset: at.offset, length: at.length, line: at.line, detail });
}

/** Accepts an event, counts its bytes, and reports its wrong number or content. */
export function acceptEvent(
  state: ParseState,
  event: LogEvent,
  at: LinePosition,
  events: LogEvent[],
): void {
  state.tally.events += at.length;
  if (event.integrity === "mismatch") {
    const detail = `event ${event.seq} (${event.kind}) has no checksum, or was changed ` +
      "after it was written";
    reportFinding(state, "checksum-mismatch", at, detail);
  }
  checkSeq(state, event, at);
  if (event.form === "invalid") {
    reportFinding(state, "invalid-payload", at, `${event.kind} ${event.seq}: ${event.reason}`);
  } else if (event.form === "unknown" && !isReadableVersion(event.v)) {
    reportFinding(state, "unsupported-version", at, `${event.kind} has version ${String(event.v)}`);
  } else if (event.form !== "known" && !isEventKind(event.kind)) {
    reportFinding(state, "unknown-kind", at, event.kind);
  }
  events.push(event);
}

function checkSeq(state: ParseState, event: LogEvent, at: LinePosition): void {
  const expected = state.last_seq === undefined ? event.seq : state.last_seq + 1;
  // A changed line's number cannot be trusted, but the line takes its place in the order.
  if (event.integrity === "mismatch") {
    state.last_seq = expected;
    return;
  }
  if (event.seq !== expected) {
    const code = event.seq > expected ? "seq-gap" : "seq-repeat";
    reportFinding(state, code, at, `expected ${expected}, found ${event.seq}`);
  }
  state.last_seq = event.seq;
}
