/** Findings in a damaged session, and the changes that mend it. */
import type { LinePosition } from "../../core/event/envelope.ts";
import type { DamageKind } from "../../agents/contract/session_repair.ts";

/** An option without which a repair leaves a fault. */
export type RepairOption = "relink" | "cwd" | "trim_output";

/** One thing that is wrong with a session. */
export interface RepairFinding extends LinePosition {
  /** The kind of the fault. */
  damage: DamageKind;
  /** Description of the fault. */
  found: string;
  /** The client's own reaction to the fault, in words; absent if unknown. */
  today?: string;
  /** Description of the repair; absent if nothing is repaired. */
  repair?: string;
  /** The option without which the repair does nothing or less; absent if none is needed. */
  needs?: RepairOption;
}

export interface RecordChange {
  drop?: boolean;
  /** The record's new id. */
  id?: string;
  /** The id of the record that it follows now; null for none. */
  parent?: string | null;
  /** The parts that are removed. */
  parts?: { path: readonly string[]; removed: ReadonlySet<number> };
  /** The parts in whose place something else is written. */
  replaced?: readonly { path: readonly (string | number)[]; value: unknown }[];
}

export interface RecordPlan {
  /** The first record to write; absent if it was not lost, or if it cannot be made. */
  header?: Record<string, unknown>;
  /** Changes of records, by the number of the record from 0. */
  changes: ReadonlyMap<number, RecordChange>;
  /** Changes, by record number, that the client makes as it reads. They are not written. */
  bridges: ReadonlyMap<number, RecordChange>;
  findings: RepairFinding[];
}
