/** Findings in a damaged session, and the changes that mend it. */
import type { LinePosition } from "../../core/event/envelope.ts";
import type { DamageKind } from "../../agents/contract/session_repair.ts";

/** An option of the repair without which something is left as it is. */
export type RepairOption = "relink" | "cwd" | "trim_output";

/** One thing that is wrong with a session. */
export interface RepairFinding extends LinePosition {
  /** The kind of damage. */
  damage: DamageKind;
  /** The fault, in words. */
  found: string;
  /** The client's own behaviour with it, in words; absent where that is not known. */
  today?: string;
  /** The repair, in words; absent where nothing is done. */
  repair?: string;
  /** The option without which the repair does nothing, or less. */
  needs?: RepairOption;
}

export interface RecordChange {
  /** True where the record is removed. */
  drop?: boolean;
  /** The record's new id. */
  id?: string;
  /** The id of the record that it follows now; null for none. */
  parent?: string | null;
  /** The parts that are removed. */
  parts?: { path: readonly string[]; removed: ReadonlySet<number> };
}

export interface RecordPlan {
  /** The first record, where it was lost. */
  header?: Record<string, unknown>;
  /** By the number of the record, from 0. */
  changes: ReadonlyMap<number, RecordChange>;
  /** Changes that the client makes by itself while it reads. */
  bridges: ReadonlyMap<number, RecordChange>;
  findings: RepairFinding[];
}
