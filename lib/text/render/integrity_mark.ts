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

/** The mark before the title of a session of which an event was altered. */
const ALTERED = "[altered]";

/** Returns the mark of an altered event in a document; undefined for any other event. */
export function integrityMark(integrity: Integrity | undefined): string | undefined {
  return integrity && MARKS[integrity];
}

/** Returns the mark of an altered event on a terminal; undefined for any other event. */
export function integrityLabel(integrity: Integrity): string | undefined {
  return LABELS[integrity];
}

/** Marks a session's title if one of its events was altered. */
export function markedTitle(title: string, altered: boolean | undefined): string {
  return altered ? `${ALTERED} ${title}` : title;
}

/**
 * Returns the title on one line, `-` without one. Before it are the pin, the tags of the user, and
 * a mark if the log was altered.
 */
export function titleText({ title, altered, tags = [], pinned }: Summary): string {
  const named = markedTitle(sanitizeLine(title.replace(/\s+/g, " ").trim()) || "-", altered);
  const marks = [...pinned ? ["★"] : [], ...tags.map((tag) => `#${sanitizeLine(tag)}`)];
  return [...marks, named].join(" ");
}
