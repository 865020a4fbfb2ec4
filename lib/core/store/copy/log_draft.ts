/**
 * Writes a whole log in large blocks under a temporary name, before the log becomes visible. Lists
 * of sessions ignore these drafts, and `doctor` recognizes them.
 */
import { errorText } from "../../event/error_text.ts";
import { joinBytes } from "../../event/bytes.ts";
import type { Event } from "../../event/envelope.ts";
import { SessionError } from "../../event/session_error.ts";
import { toSessionError } from "../../log/io_error.ts";
import { writeWhole } from "../../log/write_whole.ts";
import type { OpenFile } from "../../platform/file_system.ts";
import { openSync } from "../../platform/files.ts";
import { applySummary, summary, type SummaryState } from "../../projection/summary.ts";
import { encodeLine, encodeReadLine, type ReadEvent } from "../session_line.ts";

export type WholeEvent = Event | ReadEvent;

/** Size in bytes from which buffered lines are written. */
const WRITE_BYTES = 128 * 1024;

export class LogDraft {
  readonly #file: OpenFile;
  readonly #path: string;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #state: SummaryState = summary().initial();
  events = 0;
  bytes = 0;

  constructor(path: string) {
    this.#path = path;
    this.#file = this.#attempt(() =>
      openSync(path, { append: true, createNew: true, mode: 0o600 })
    );
  }

  get state(): SummaryState {
    return this.#state;
  }

  add(event: WholeEvent): void {
    const read = "form" in event;
    const line = read ? encodeReadLine(event) : encodeLine(event);
    this.#state = applySummary(
      this.#state,
      read ? event : { ...event, form: "known", integrity: "verified" },
    );
    this.events++;
    this.bytes += line.length;
    this.#pending.push(line);
    this.#pendingBytes += line.length;
    if (this.#pendingBytes >= WRITE_BYTES) this.#flush();
  }

  async sync(): Promise<void> {
    this.#flush();
    try {
      await this.#file.sync();
    } catch (error) {
      const reason = errorText(error);
      const message = `Cannot sync log: ${reason}: ${this.#path}`;
      throw new SessionError("sync-failed", message, { path: this.#path }, error);
    }
  }

  close(): void {
    this.#file.close();
  }

  #flush(): void {
    this.#attempt(() => writeWhole(this.#file, joinBytes(this.#pending)));
    this.#pending = [];
    this.#pendingBytes = 0;
  }

  #attempt<Result>(action: () => Result): Result {
    try {
      return action();
    } catch (error) {
      throw toSessionError(error, "write session", this.#path);
    }
  }
}

const DRAFT = ".tmp";
/** Suffix of a draft's name while the draft is removed. */
const GONE = `.gone${DRAFT}`;

export function draftName(name: string): string {
  return name + DRAFT;
}

/** Returns the name that a draft gets before its removal. A second try gets the same name. */
export function goneName(draft: string): string {
  return draft.endsWith(DRAFT + GONE) ? draft : draft + GONE;
}

export function isDraftName(name: string): boolean {
  return name.endsWith(DRAFT);
}

export function finalName(draft: string): string {
  const name = draft.endsWith(DRAFT + GONE) ? draft.slice(0, -GONE.length) : draft;
  return isDraftName(name) ? name.slice(0, -DRAFT.length) : name;
}
