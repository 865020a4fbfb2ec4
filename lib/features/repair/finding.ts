/** Findings in a damaged session, and the changes that mend it. */
import type { LinePosition } from "../../core/event/envelope.ts";
import type { DamageKind } from "../../agents/contract/session_repair.ts";

/** The option without which a repair leaves a fault in the session. */
export type RepairOption = "relink" | "cwd" | "trim_output";

/** A fault of a session, and its repair. */
export interface RepairFinding extends LinePosition {
  /** Fixed code of the fault, for programs. `found` describes the fault for people. */
  damage: DamageKind;
  /** Description of the fault. */
  found: string;
  /** The agent's behaviour today when it meets the fault; absent if unknown. */
  today?: string;
  /** Description of the repair; absent if nothing is repaired. */
  repair?: string;
  /** The option without which the repair does nothing or less; absent if none is needed. */
  needs?: RepairOption;
}

export interface RecordChange {
  drop?: boolean;
  id?: string;
  parent?: string | null;
  /** The list at `path` in the record, and the indexes of the list items to remove. */
  parts?: { path: readonly string[]; removed: ReadonlySet<number> };
  replaced?: readonly { path: readonly (string | number)[]; value: unknown }[];
}

export interface RecordPlan {
  /** The first record to write; absent if the first record was not lost, or cannot be made. */
  header?: Record<string, unknown>;
  /** Changes of records, by the number of the record from 0. */
  changes: ReadonlyMap<number, RecordChange>;
  /** Changes that the agent's client itself makes when it reads. Keys are record numbers. */
  bridges: ReadonlyMap<number, RecordChange>;
  findings: RepairFinding[];
}
