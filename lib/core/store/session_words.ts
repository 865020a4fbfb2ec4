/**
 * The filters by which sessions are chosen, with their meaning. Flags, fields, arguments and
 * addresses use the same names.
 */
import type { SessionStatus, Summary } from "../projection/summary_row.ts";

export const SESSION_STATES: readonly SessionStatus[] = [
  ...["running", "completed", "failed", "interrupted", "idle"] as const,
];

/** The filters by which a list chooses sessions. An absent filter excludes none. */
export interface SessionWords {
  /** Includes only sessions whose title has this text. Case is ignored. */
  title?: string | undefined;
  /** Includes only sessions begun on a git branch whose name has this text. Case is ignored. */
  branch?: string | undefined;
  /**
   * Includes only sessions with a model whose name has this text. Case is ignored. If the models
   * are unknown, the whole session is read.
   */
  model?: string | undefined;
  /** Includes only sessions that have this status now. */
  status?: SessionStatus | undefined;
  /** Includes only sessions that end with an error. @default {false} */
  failed?: boolean | undefined;
  /** Includes only sessions with this tag. */
  tag?: string | undefined;
  /** Includes only pinned sessions. @default {false} */
  pinned?: boolean | undefined;
}

/** Source that a filter checks: the marks, a list's row, the status now, or the whole session. */
type Source = "marks" | "row" | "now" | "whole";

type WordedRow =
  & Partial<Pick<Summary, "title" | "git_branch" | "models" | "status" | "last_error" | "tags">>
  & { pinned?: boolean };

interface Word<Value> {
  source: Source;
  fits(row: WordedRow, value: Value): boolean;
}

const WORDS: { readonly [Name in keyof SessionWords]-?: Word<NonNullable<SessionWords[Name]>> } = {
  title: { source: "row", fits: ({ title }, text) => hasText(title, text) },
  branch: { source: "row", fits: ({ git_branch }, text) => hasText(git_branch, text) },
  model: {
    source: "whole",
    fits: ({ models = [] }, text) => models.some((model) => hasText(model, text)),
  },
  status: { source: "now", fits: (row, status) => row.status === status },
  failed: {
    source: "row",
    fits: ({ status, last_error }, failed) =>
      !failed || status === "failed" || last_error !== undefined,
  },
  tag: { source: "marks", fits: ({ tags = [] }, tag) => tags.includes(tag) },
  pinned: { source: "marks", fits: (row, pinned) => !pinned || row.pinned === true },
};

export const WORD_NAMES = Object.keys(WORDS) as readonly (keyof SessionWords)[];

function askedOf(wanted: SessionWords, sources?: readonly Source[]): (keyof SessionWords)[] {
  return WORD_NAMES.filter((name) =>
    wanted[name] !== undefined && wanted[name] !== false &&
    sources?.includes(WORDS[name].source) !== false
  );
}

/** True if a set filter checks data from one of `sources`. @param sources By default all. */
export function asksWords(wanted: SessionWords, ...sources: Source[]): boolean {
  return askedOf(wanted, sources.length === 0 ? undefined : sources).length > 0;
}

/** True if a row passes all set filters, or all set filters that check one of `sources`. */
export function fitsWords(row: WordedRow, wanted: SessionWords, ...sources: Source[]): boolean {
  return askedOf(wanted, sources.length === 0 ? undefined : sources)
    .every((name) => (WORDS[name] as Word<unknown>).fits(row, wanted[name]));
}

/** Returns those members of `options` that are session filters and have a value. */
export function wordsIn<Options extends SessionWords>(
  options: Options,
): Pick<Options, keyof Options & keyof SessionWords> {
  const words = WORD_NAMES.filter((name) => options[name] !== undefined)
    .map((name) => [name, options[name]]);
  return Object.fromEntries(words);
}

export function ofModel<Usage extends { readonly rows: readonly { readonly model: string }[] }>(
  usage: Usage,
  text: string | undefined,
): Usage {
  return text === undefined
    ? usage
    : { ...usage, rows: usage.rows.filter(({ model }) => hasText(model, text)) };
}

function hasText(text = "", part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
