/**
 * Holds the conversation of an open session. The first request reads the log; later events are
 * added. A session that is only written holds no conversation.
 */
import { decodeEvent } from "../event/decode.ts";
import type { LogEvent } from "../event/envelope.ts";
import type { WorkspaceSnapshotPayload } from "../event/payload.ts";
import { parseExact } from "../event/exact_json.ts";
import type { Diagnostic, Report } from "../log/diagnostic.ts";
import { readEvents } from "../log/read_events.ts";
import type { Finding } from "../projection/projection.ts";
import { isBranched } from "../projection/branch_path.ts";
import { conversation, type ConversationOptions } from "../projection/conversation/conversation.ts";
import {
  checkShape,
  type MessageShape,
  type ShapedMessages,
} from "../../text/shape/message_shape.ts";
import {
  RunningConversation,
  type SentConversation,
  type SentOptions,
} from "../projection/conversation/running_conversation.ts";
import { RunningRequest } from "../../text/shape/running_request.ts";
import { checkReading } from "./checked_arguments.ts";
import { lastSnapshot, readSnapshot } from "./load_session.ts";
import { findResumePoint } from "./resume_point.ts";

export class OpenConversation {
  #read: (() => ReadableStream<readonly LogEvent[]>) | undefined;
  #fold: RunningConversation | undefined;
  #loading: Promise<RunningConversation> | undefined;
  /** Events that were added after the call of `detach` or `keep`; undefined before that call. */
  #kept: LogEvent[] | undefined;
  /** Events that are appended while the log is read. */
  #meanwhile: LogEvent[] = [];
  #damage: Diagnostic[] = [];
  readonly #requests = new RunningRequest();

  /** @param read Reads the events of a log that is no file. */
  constructor(read?: () => ReadableStream<readonly LogEvent[]>) {
    this.#read = read;
  }

  /** Takes a written line. Its event is decoded, because the caller may change its own object. */
  add(line: Uint8Array): void {
    if (this.#fold === undefined && this.#loading === undefined && !this.#kept) return;
    const event = readLine(line);
    if (event !== undefined) this.take(event);
  }

  /** Adds an event of the log to the conversation, if a conversation is loaded or being loaded. */
  take(event: LogEvent): void {
    if (this.#fold === undefined && this.#loading === undefined && !this.#kept) return;
    this.#kept?.push(event);
    if (this.#fold === undefined) this.#meanwhile.push(event);
    // The branch may go back to messages that a compaction replaced, which are not in memory.
    else if (isBranched(event)) this.#fold = undefined;
    else this.#fold.add(event);
  }

  /**
   * Returns the conversation so far. Reads the log at first, and again after a branch event.
   *
   * @param path The log; undefined where nothing is on disk.
   * @throws {SessionError} `not-found`, `permission`, `io`
   */
  async fold(path: string | undefined): Promise<RunningConversation> {
    if (this.#fold !== undefined) return this.#fold;
    this.#loading ??= this.#load(path).finally(() => {
      this.#loading = undefined;
      this.#meanwhile = [];
    });
    return await this.#loading;
  }

  /**
   * Reads the log into memory, because later events are not written to the log.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, unless the conversation is loaded.
   */
  async detach(path: string | undefined): Promise<void> {
    const kept: LogEvent[] = this.#kept = [];
    try {
      const events: LogEvent[] = [];
      const log = this.#read?.() ?? (path === undefined ? [] : readEvents(path));
      for await (const batch of log) for (const event of batch) events.push(event);
      const last = events.at(-1)?.seq ?? 0;
      this.#read = () =>
        ReadableStream.from([[...events, ...kept.filter(({ seq }) => seq > last)]]);
    } catch (error) {
      if (this.#fold === undefined) throw error;
    }
    await this.fold(path);
  }

  /** Keeps all events of a new session in memory, because the session has no log. */
  keep(): void {
    const kept: LogEvent[] = this.#kept = [];
    this.#read = () => ReadableStream.from([[...kept]]);
  }

  /** Returns the last snapshot of the work tree. @param path The log; undefined if there is none. */
  async workspace(path: string | undefined): Promise<WorkspaceSnapshotPayload | undefined> {
    if (this.#read !== undefined) return await lastSnapshot(this.#read());
    return path === undefined ? undefined : await readSnapshot(path);
  }

  async #load(path: string | undefined): Promise<RunningConversation> {
    const damage: Diagnostic[] = this.#damage = [];
    const fold = this.#read !== undefined
      ? await foldConversation(this.#read())
      : path === undefined
      ? new RunningConversation()
      : await readConversation(path, (diagnostic) => damage.push(diagnostic));
    if (this.#meanwhile.some(isBranched)) {
      this.#meanwhile = [];
      return await this.#load(path);
    }
    // The read may have included these events.
    const { last_seq } = fold;
    for (const event of this.#meanwhile) if (event.seq > last_seq) fold.add(event);
    this.#fold = fold;
    return fold;
  }

  async conversation(
    path: string | undefined,
    options: SentOptions,
  ): Promise<SentConversation<Finding | Diagnostic>> {
    checkReading(options);
    const sent = (await this.fold(path)).conversation(options);
    return { ...sent, findings: [...sent.findings, ...this.#damage] };
  }

  async request<Shape extends MessageShape>(
    path: string | undefined,
    shape: Shape,
    options: SentOptions,
  ): Promise<ShapedMessages[Shape]> {
    checkShape(shape);
    checkReading(options);
    const fold = await this.fold(path);
    const sent = fold.conversation(options);
    return this.#requests.request(shape, sent.messages, fold.settledIn(sent));
  }
}

function readLine(line: Uint8Array): LogEvent | undefined {
  return decodeEvent(parseExact(new TextDecoder().decode(line)), "verified");
}

const ALL = { tools: "include", reasoning: "include" } as const;

async function readConversation(path: string, report: Report): Promise<RunningConversation> {
  const { from, to, ...head } = await findResumePoint(path);
  const options = { ...ALL, ...head, partial: from > 0 };
  const kinds = conversation(ALL).needs;
  return await foldConversation(readEvents(path, { kinds, from, to, report }), options);
}

async function foldConversation(
  batches: AsyncIterable<readonly LogEvent[]>,
  options: ConversationOptions = ALL,
): Promise<RunningConversation> {
  const projection = conversation(options);
  let state = projection.initial();
  for await (const events of batches) {
    for (const event of events) state = projection.apply(state, event);
  }
  return new RunningConversation(state);
}
