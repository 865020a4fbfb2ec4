/** Counts the calls of tools and the changes of files in a session, from its transcript. Pure. */
import type { LogEvent } from "../event/envelope.ts";
import type { EventKind } from "../event/payload.ts";
import { changeOf } from "./changed_file.ts";
import { transcript } from "./transcript/transcript.ts";
import type { TranscriptItem } from "./transcript/transcript_item.ts";
import type { SessionUsage } from "./usage_totals.ts";

/** The calls and changes of a session. */
export type SessionWork = NonNullable<SessionUsage["work"]>;

/** The name of a shell command, whatever its agent calls it. */
const SHELL = "shell";
/** Files that are remembered of a session, those with the most changes. */
export const MOST_FILES = 200;

/** Counts the work of a session, thread by thread. */
export class WorkCount {
  readonly #projection = transcript();
  /** Kinds of events that it needs. */
  readonly needs: ReadonlySet<EventKind> | undefined = this.#projection.needs;
  readonly #tools = new Map<string, [calls: number, failed: number]>();
  readonly #files = new Map<string, [changes: number, added: number, removed: number]>();
  #state = this.#projection.initial();

  take(events: readonly LogEvent[]): void {
    for (const event of events) this.#state = this.#projection.apply(this.#state, event);
    this.#count(this.#projection.take(this.#state));
  }

  /** Ends a thread; the next events are of another. */
  endThread(): void {
    this.#count(this.#projection.result(this.#state));
    this.#state = this.#projection.initial();
  }

  result(): SessionWork {
    const files = [...this.#files].map(([path, counts]) => [path, ...counts] as const);
    return {
      tools: [...this.#tools].map(([name, counts]) => [name, ...counts] as const),
      files: files.sort((one, other) => other[1] - one[1]).slice(0, MOST_FILES),
    };
  }

  #count(items: readonly TranscriptItem[]): void {
    for (const item of items) {
      if (item.type === "tool") this.#call(item.name, item.status === "error");
      else if (item.type === "bash" && item.origin !== "user") {
        this.#call(SHELL, item.status === "error" || (item.exit_code ?? 0) !== 0);
      } else if (item.type === "diff") {
        const { path, added, removed } = changeOf(item);
        if (path === "") continue;
        const counts = this.#files.get(path) ?? [0, 0, 0];
        this.#files.set(path, [counts[0] + 1, counts[1] + added, counts[2] + removed]);
      }
    }
  }

  #call(name: string, failed: boolean): void {
    const [calls, failures] = this.#tools.get(name) ?? [0, 0];
    this.#tools.set(name, [calls + 1, failures + (failed ? 1 : 0)]);
  }
}
