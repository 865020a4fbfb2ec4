/** Counts the calls of tools and the changes of files in a session, from its transcript. Pure. */
import type { LogEvent } from "../event/envelope.ts";
import type { EventKind } from "../event/payload.ts";
import { changeOf } from "./changed_file.ts";
import { transcript } from "./transcript/transcript.ts";
import type { TranscriptItem } from "./transcript/item.ts";
import type { SessionUsage } from "./usage_totals.ts";

export type SessionWork = NonNullable<SessionUsage["work"]>;

/** The tool name under which shell commands of every agent are counted. */
const SHELL = "shell";
/** Maximum number of files in a session's counts: those with the most changes. */
export const MOST_FILES = 200;
/** Seconds in a quarter of an hour. In every time zone, a day begins with a quarter. */
const QUARTER = 900;

/** Counts by name, then by the start of a quarter of an hour, in seconds since 1970. */
type Counts = Map<string, Map<number, number[]>>;

export class WorkCount {
  readonly #projection = transcript();
  /** Kinds of events that must be parsed; undefined if all must. */
  readonly needs: ReadonlySet<EventKind> | undefined = this.#projection.needs;
  readonly #tools: Counts = new Map();
  readonly #files: Counts = new Map();
  /** The start of the last timed item's quarter of an hour, in seconds since 1970. */
  #quarter = 0;
  #state = this.#projection.initial();

  take(events: readonly LogEvent[]): void {
    for (const event of events) this.#state = this.#projection.apply(this.#state, event);
    this.#count(this.#projection.take(this.#state));
  }

  endThread(): void {
    this.#count(this.#projection.result(this.#state));
    this.#state = this.#projection.initial();
  }

  result(): SessionWork {
    const changes = (counts: Map<number, number[]>): number =>
      counts.values().reduce((sum, [changes = 0]) => sum + changes, 0);
    const files = [...this.#files].sort(([, one], [, other]) => changes(other) - changes(one));
    return {
      tools: tuplesOf(this.#tools) as SessionWork["tools"],
      files: tuplesOf(files.slice(0, MOST_FILES)) as SessionWork["files"],
    };
  }

  #count(items: readonly TranscriptItem[]): void {
    for (const item of items) {
      const seconds = Date.parse(item.time ?? "") / 1000;
      if (seconds >= 0) this.#quarter = Math.floor(seconds / QUARTER) * QUARTER;
      if (item.type === "tool") this.#add(this.#tools, item.name, 1, item.status === "error");
      else if (item.type === "bash" && item.origin !== "user") {
        const failed = item.status === "error" || (item.exit_code ?? 0) !== 0;
        this.#add(this.#tools, SHELL, 1, failed);
      } else if (item.type === "diff") {
        const { path, added, removed } = changeOf(item);
        if (path !== "") this.#add(this.#files, path, 1, added, removed);
      }
    }
  }

  #add(to: Counts, name: string, ...counts: (number | boolean)[]): void {
    const quarters = to.get(name) ?? new Map<number, number[]>();
    to.set(name, quarters);
    const known = quarters.get(this.#quarter) ?? [];
    quarters.set(this.#quarter, counts.map((count, at) => (known[at] ?? 0) + Number(count)));
  }
}

function tuplesOf(counts: Iterable<[string, Map<number, number[]>]>): unknown[] {
  return [...counts].flatMap(([name, quarters]) =>
    [...quarters].map(([from, sums]) => [name, from, ...sums])
  );
}
