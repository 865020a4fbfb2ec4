/** Marks events and titles that may not be as they were written. */
import type { Integrity } from "../event/envelope.ts";
import type { Summary } from "../projection/summary_row.ts";
import { sanitizeLine } from "./sanitize.ts";

const MARKS: Partial<Record<Integrity, string>> = {
  mismatch: "Checksum mismatch: this may not be what was written",
  salvaged: "Salvaged from a damaged line",
};

const LABELS: Partial<Record<Integrity, string>> = {
  mismatch: "[checksum mismatch]",
  salvaged: "[salvaged]",
};

/** Stands before the title of a session that was made of an altered event. */
const ALTERED = "[altered]";

/** What a document says of an event that is not as it was written; undefined of all others. */
export function integrityMark(integrity: Integrity | undefined): string | undefined {
  return integrity && MARKS[integrity];
}

/** What a terminal says of an event that is not as it was written; undefined of all others. */
export function integrityLabel(integrity: Integrity): string | undefined {
  return LABELS[integrity];
}

/** The title of a session, marked where it may not be what was written. */
export function markedTitle(title: string, altered: boolean | undefined): string {
  return altered ? `${ALTERED} ${title}` : title;
}

/** The title on one line, with a mark where the log was altered; `-` where there is none. */
export function titleText({ title, altered }: Summary): string {
  return markedTitle(sanitizeLine(title.replace(/\s+/g, " ").trim()) || "-", altered);
}
