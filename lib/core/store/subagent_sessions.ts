/** The subagents of an open session: their cost, and the open sessions among them. */
import type { SessionStartedPayload } from "../event/payload.ts";
import { SessionError } from "../event/session_error.ts";
import type { LogSummary } from "../projection/summary.ts";
import type { Sums } from "./session_parts.ts";
import type { CreateOptions, SubagentOptions } from "./store_options.ts";
import { checkParent, subagentOptions, withSums } from "./subagents.ts";

interface OpenSubagent {
  readonly id: string;
  readonly summary: LogSummary;
  release(): Promise<void>;
  detach(): Promise<void>;
  attach(): Promise<void>;
}

export interface SubagentHome<Subagent> {
  begin(options: CreateOptions): Subagent;
  resume(ref: string): Promise<Subagent>;
}

export class SubagentSessions<Subagent extends OpenSubagent> {
  readonly #home: SubagentHome<Subagent>;
  /** Usage and cost of subagents' sessions that are not open, by id. */
  readonly #sums: Map<string, Sums>;
  readonly #open = new Map<string, Subagent>();

  constructor(
    home: SubagentHome<Subagent>,
    earlier: readonly (Sums & { session_id: string })[] = [],
  ) {
    this.#home = home;
    this.#sums = new Map(earlier.map((row) => [row.session_id, row]));
  }

  begin(
    parent_id: string,
    parent: SessionStartedPayload | undefined,
    options: SubagentOptions,
  ): Subagent {
    return this.#add(this.#home.begin(subagentOptions(parent_id, parent, options)));
  }

  async resume(ref: string, parent_id: string): Promise<Subagent> {
    const subagent = await this.#home.resume(ref);
    try {
      checkParent(subagent.id, subagent.summary, parent_id);
    } catch (error) {
      await subagent.release();
      throw error;
    }
    return this.#add(subagent);
  }

  /** Adds an open subagent. Its current usage and cost replace the sums in `#sums`. */
  #add(subagent: Subagent): Subagent {
    this.#sums.delete(subagent.id);
    this.#open.set(subagent.id, subagent);
    return subagent;
  }

  addTo(own: LogSummary): LogSummary {
    const open = [...this.#open.values()].map(({ summary }) => summary);
    return withSums(own, [...this.#sums.values(), ...open]);
  }

  async detach(): Promise<void> {
    for (const one of this.#open.values()) await one.detach().catch(ifClosed);
  }

  /** Writes all open subagents to the disk. Then throws the first error other than `closed`. */
  async attach(): Promise<void> {
    const failures: unknown[] = [];
    for (const one of this.#open.values()) {
      await one.attach().catch((error) => failures.push(error));
    }
    for (const failure of failures) ifClosed(failure);
  }
}

function ifClosed(error: unknown): void {
  if (!(error instanceof SessionError) || error.code !== "closed") throw error;
}
