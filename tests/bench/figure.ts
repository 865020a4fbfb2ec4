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

/** A row that holds when `value` is at most `limit`. */
export function atMost(figure: string, value: number, limit: number, unit: string, note = ""): Row {
  const got = `${rounded(value)}${unit}${note === "" ? "" : ` (${note})`}`;
  return { figure, asked: `<= ${limit}${unit}`, got, ok: value <= limit };
}

/** A row that holds when `value` is at least `limit`. */
export function atLeast(
  figure: string,
  value: number,
  limit: number,
  unit: string,
  note = "",
): Row {
  return {
    ...atMost(figure, value, limit, unit, note),
    asked: `>= ${limit}${unit}`,
    ok: value >= limit,
  };
}

/** A number with three figures that count. */
export function rounded(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
