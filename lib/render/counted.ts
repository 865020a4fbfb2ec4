/** Writes a number with its noun, in the singular or plural. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** Tells how many sessions a date filter leaves out because they have no date. */
export function leftOutUndated(count: number): string {
  return `left out ${counted(count, "session")} without a date`;
}
