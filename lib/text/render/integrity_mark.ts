/** Marks events and titles that may not be as they were written. */
import type { Integrity } from "../../core/event/envelope.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { sanitizeLine } from "./sanitize.ts";

const MARKS: Partial<Record<Integrity, string>> = {
  mismatch: "Checksum mismatch: this text may have changed since it was written",
  salvaged: "Recovered from a damaged line",
};

const LABELS: Partial<Record<Integrity, string>> = {
  mismatch: "[checksum mismatch]",
  salvaged: "[salvaged]",
};

const ALTERED = "[altered]";

/** Returns undefined for an event that was neither changed nor recovered. */
export function integrityMark(integrity: Integrity | undefined): string | undefined {
  return integrity && MARKS[integrity];
}

/** Returns undefined for an event that was neither changed nor recovered. */
export function integrityLabel(integrity: Integrity): string | undefined {
  return LABELS[integrity];
}

export function markedTitle(title: string, altered: boolean | undefined): string {
  return altered ? `${ALTERED} ${title}` : title;
}

/**
 * Returns the title on one line, or `-` if it is empty. The pin, the user's tags, and a mark for an
 * altered log stand before the title.
 */
export function titleText({ title, altered, tags = [], pinned }: Summary): string {
  const named = markedTitle(sanitizeLine(title.replace(/\s+/g, " ").trim()) || "-", altered);
  const marks = [...pinned ? ["★"] : [], ...tags.map((tag) => `#${sanitizeLine(tag)}`)];
  return [...marks, named].join(" ");
}
