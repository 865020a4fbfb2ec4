/**
 * A session of Copilot CLI as our events: record by record, in the order of its file.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { EventKind } from "../../event/payload.ts";
import type { Report } from "../../log/diagnostic.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { readRecords } from "../../reading/records/jsonl_records.ts";
import { chosenThread } from "../../reading/tree/side_branches.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { asObject, asText } from "../../reading/records/json_value.ts";
import { count, countSide } from "../../source/source_account.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { toStarted } from "./header.ts";
import { readDocument } from "./read_document.ts";
import { type Emission, emitRecord, ownerOf, startEmission } from "./session_events.ts";
import { isDocument } from "./session_file.ts";

/** Reads a session; see {@linkcode Agent.read}. */
export async function* readSession(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  if (isDocument(session.path)) return yield* readDocument(session, options);
  const { account, report, signal } = options;
  const events = new CopilotEvents(session, {
    ...options,
    thread: await namedAgent(session, options),
  });
  for await (const records of readRecords(session.path, { account, report, signal })) {
    for (const record of records) {
      const side = events.take(record);
      if (side === undefined) count(account, "events", record.position.length);
      else countSide(account, side, record.position.length);
    }
    const batch = events.writer.take();
    if (batch.length > 0) yield batch;
  }
}

/** The call of the sub-agent whose thread is named; undefined for the main one. */
async function namedAgent(
  { path }: AgentSession,
  { thread }: AgentReadOptions,
): Promise<string | undefined> {
  if (thread === undefined || thread === MAIN_THREAD) return undefined;
  const owners = new Set<string>();
  for await (const records of readRecords(path)) {
    for (const { value } of records) {
      const owner = ownerOf(value);
      if (owner !== undefined) owners.add(owner);
    }
  }
  return chosenThread(thread, [...owners]);
}

/** How to make the events of a log. */
export interface CopilotOptions {
  needs?: ReadonlySet<EventKind> | undefined;
  report?: Report | undefined;
  /** The call of the sub-agent whose events are wanted. */
  thread?: string | undefined;
}

/** Makes the events of a log from its records, in their order. */
export class CopilotEvents {
  readonly writer: EventWriter;
  readonly #session: AgentSession;
  readonly #report: Report | undefined;
  readonly #emission: Emission;

  constructor(session: AgentSession, { needs, report, thread }: CopilotOptions = {}) {
    this.#session = session;
    this.#report = report;
    this.writer = new EventWriter(session, needs);
    this.#emission = startEmission(session, this.writer, thread);
  }

  /** Adds the events of a record. Tells the type of one that only holds bytes for others. */
  take(record: SourceRecord): string | undefined {
    const { value } = record;
    const first = this.writer.seq === 0;
    if (first) this.#start(record);
    if (first && value.type === "session.start") return undefined;
    if (value.type === "session.binary_asset") {
      const { assetId, data } = asObject(value.data);
      this.#emission.assets.set(asText(assetId) ?? "", asText(data) ?? "");
      return value.type;
    }
    emitRecord(this.#emission, record);
    return undefined;
  }

  #start(record: SourceRecord): void {
    const { value, position } = record;
    const started = toStarted(this.#session, value);
    const header = value.type === "session.start";
    if (!header) {
      const detail = "the first record is no session.start";
      this.#report?.({ code: "missing-header", ...position, detail });
    }
    const id = header ? asText(value.id) : undefined;
    const origin = { id, time: started.created_at, record: header ? record : undefined };
    this.writer.emit("session_started", started, origin);
  }
}
