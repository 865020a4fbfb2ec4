/**
 * A figure: something promised, measured, and compared with what was asked.
 */

/** One line of the table. */
export interface Row {
  figure: string;
  asked: string;
  got: string;
  ok: boolean;
}

/** Where and how much to measure. */
export interface Bench {
  /** Folder of the data. */
  directory: string;
  /** Bytes of the bench log. */
  log_bytes: number;
  /** How many sessions to list. */
  session_counts: readonly number[];
  /** The commit to compare with. */
  against: string;
  /** Measurements of each thing, taken in turns. */
  rounds: number;
  /** Says what goes on. */
  note(text: string): void;
}

/** Something that can be measured by its name. */
export interface Figure {
  name: string;
  measure(bench: Bench): Promise<Row[]>;
}

/** What was measured, and what is asked of it. */
export interface Measured {
  value: number;
  /** At most so much. */
  most?: number;
  /** At least so much. */
  least?: number;
  /** ` ms`, ` x` */
  unit: string;
  /** What else to say of it. */
  note?: string;
}

/** A row of the table. */
export function row(figure: string, { value, most, least, unit, note }: Measured): Row {
  const ok = value <= (most ?? Infinity) && value >= (least ?? -Infinity);
  const asked = most === undefined ? `>= ${least}${unit}` : `<= ${most}${unit}`;
  return { figure, asked, got: `${rounded(value)}${unit}${note ? ` (${note})` : ""}`, ok };
}

/** A number with three figures that count. */
export function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
