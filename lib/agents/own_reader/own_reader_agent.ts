/**
 * Reads an agent's sessions through the user's own program. The program prints JSON lines with the
 * kinds and payloads of Reprise's own log: see READERS.md.
 *
 * The session's head is made from the line in the program's list. Checkpoints, and other kinds that
 * refer to events by number, are kept as extensions. Unknown kinds are kept as extensions, too.
 */
import type { AgentName } from "../../core/event/agent_name.ts";
import { isObject } from "../../core/event/guard.ts";
import type { EventKind, PayloadByKind } from "../../core/event/payload.ts";
import { payloadFault } from "../../core/event/payload_guard.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { formatReader } from "../engine/format_reader.ts";
import { asName, present } from "../engine/json.ts";
import type { RecordContext, SessionFormat } from "../engine/session_format.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { RecordOptions } from "../engine/records/taken_lines.ts";
import { printedRecords, type PrintRun } from "./printed_records.ts";
import { readerError, type ReaderRun } from "./run_reader.ts";
import { sharedOutput } from "./shared_output.ts";

/** The kinds that become events. Other kinds become extensions. */
const PRINTED: ReadonlySet<string> = new Set<EventKind>([
  ...["context_loaded", "user_message", "assistant_message", "assistant_interrupted"] as const,
  ...["reasoning_message", "tool_start", "tool_end", "bash_start", "bash_end", "diff"] as const,
  ...["compaction_applied", "conversation_replaced", "turn_failed", "notice"] as const,
  ...["session_renamed", "workspace_snapshot", "session_closed", "extension"] as const,
]);

const ownReaderFormat: Omit<SessionFormat<null>, "source"> = {
  begin({ session, writer }): null {
    const { id, cwd = "", printed } = session;
    const created_at = isoTime(printed?.created) ?? "";
    const app = { name: session.agent };
    const head = { session_id: id, created_at, cwd, app, title: printed?.title };
    writer.emit("session_started", present(head), { time: created_at });
    return null;
  },
  emit: emitPrinted,
  standsAlone: ({ value }) => value.kind === "user_message",
};

function runOf({ agent, id, printed }: AgentSession): ReaderRun {
  const run = { agent, argv: printed?.argv ?? [], asked: ["events", id] };
  // A session in a backup: the program lists its own sessions, and no copies.
  if (printed === undefined) {
    throw readerError(
      run,
      "the program that reads this agent's sessions did not print this session",
    );
  }
  return run;
}

function emitPrinted(record: SourceRecord, _: null, context: RecordContext): void {
  const { writer, report } = context;
  const { kind: given, payload, time, turn_id, id } = record.value;
  const kind = asName(given);
  const origin = { id: asName(id), time, turn_id: asName(turn_id), record };
  if (kind === undefined || !isObject(payload)) {
    return writer.keepUnknown(kind ?? "line", record.value, origin);
  }
  if (!PRINTED.has(kind)) return writer.keepUnknown(kind, payload, origin);
  const { first_kept_id, first_kept_seq: _seq, ...rest } = payload;
  const kept = asName(first_kept_id);
  const first_kept_seq = kept === undefined ? undefined : writer.messageFrom(kept);
  const whole = kind === "compaction_applied" ? present({ ...rest, first_kept_seq }) : payload;
  const reason = payloadFault(kind as EventKind, whole);
  if (reason === undefined) {
    writer.emit(kind as EventKind, whole as unknown as PayloadByKind[EventKind], origin);
    return;
  }
  report?.({ code: "invalid-payload", ...record.position, detail: `${kind}: ${reason}` });
  writer.keepUnknown(kind, payload, origin);
}

/**
 * Returns the reader of an agent whose sessions are printed by the user's own program. It
 * recognizes no file by its content.
 *
 * @param print Returns the program's output. @default {the program is started}
 */
export function ownReaderAgent(name: AgentName, print?: PrintRun): Agent {
  const source: SessionFormat["source"] = (session) => ({
    rewritten: true,
    // The bytes are the program's output, and not the bytes of a file.
    shared: true,
    read: (options?: RecordOptions) => {
      const { printed } = session;
      const shared: PrintRun = (run, signal) => sharedOutput(run, printed?.files ?? [], signal);
      return printedRecords(runOf(session), options, print ?? shared);
    },
  });
  return {
    name,
    recognize: () => false,
    sessionsIn: () => Promise.resolve([]),
    open: formatReader({ ...ownReaderFormat, source }, {
      files: ({ path, printed }) => ({ paths: printed?.files ?? [path] }),
    }),
  };
}
