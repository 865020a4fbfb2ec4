/** Counts each line that an open session wrote to its log, even if a later line failed. */
import type { KnownEvent } from "../event/envelope.ts";
import { WriteError } from "../log/log_writer.ts";
import { applySummary, type SummaryState } from "../projection/summary.ts";
import type { OpenConversation } from "./open_conversation.ts";
import { checkpointAfter, encodeLine, type NumberedLine } from "./session_line.ts";
import type { OpenLog } from "./session_parts.ts";

/** Number of bytes after a checkpoint from which the next one is written. */
const CHECKPOINT_BYTES = 256 * 1024;

export class SessionRecord {
  state: SummaryState;
  readonly #conversation: OpenConversation;
  #sinceCheckpoint: number;

  constructor(state: SummaryState, conversation: OpenConversation, since_checkpoint = 0) {
    this.state = state;
    this.#conversation = conversation;
    this.#sinceCheckpoint = since_checkpoint;
  }

  get needs_checkpoint(): boolean {
    return this.#sinceCheckpoint >= CHECKPOINT_BYTES;
  }

  /**
   * Writes lines at once.
   *
   * @param onWritten Receives the number of lines that are in the log, also after a failure.
   */
  write(
    log: OpenLog | undefined,
    lines: readonly NumberedLine[],
    onWritten?: (count: number) => void,
  ): void {
    let written = lines.length;
    try {
      log?.writer.write(lines.map(({ line }) => line));
    } catch (error) {
      written = error instanceof WriteError ? error.whole : 0;
      throw error instanceof WriteError ? error.reason : error;
    } finally {
      for (const { event, line } of lines.slice(0, written)) {
        this.#sinceCheckpoint += line.length;
        const taken: KnownEvent = { ...event, form: "known", integrity: "verified" };
        this.state = applySummary(this.state, taken);
        this.#conversation.add(line);
      }
      onWritten?.(written);
    }
  }

  /** Adds events that other processes appended. */
  take(events: readonly KnownEvent[]): void {
    for (const event of events) {
      this.state = applySummary(this.state, event);
      this.#conversation.take(event);
    }
  }

  /** Writes a checkpoint, unless an event was altered. Returns false if the write failed. */
  leaveCheckpoint(log: OpenLog | undefined, now: Date): boolean {
    // Its checksum would vouch for altered events.
    if (this.state.altered) return true;
    const checkpoint = checkpointAfter(this.state, now.toISOString());
    try {
      this.write(log, [{ event: checkpoint, line: encodeLine(checkpoint) }]);
      return true;
    } catch {
      return false;
    } finally {
      this.#sinceCheckpoint = 0;
    }
  }
}
