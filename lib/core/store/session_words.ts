/**
 * The words by which sessions are chosen. Flags, fields, arguments and addresses use the same ones,
 * and this is what each of them means.
 */
import type { SessionStatus, Summary } from "../projection/summary_row.ts";

export const SESSION_STATES: readonly SessionStatus[] = [
  ...["running", "completed", "failed", "interrupted", "idle"] as const,
];

/** The words of a choice. Absent ones choose nothing. */
export interface SessionWords {
  /** Only those whose title contains this text, in any case. */
  title?: string | undefined;
  /** Only those that began on a git branch with this text in its name, in any case. */
  branch?: string | undefined;
  /**
   * Only those with this text in a model's name, in any case. Sessions whose models are unknown are
   * read whole.
   */
  model?: string | undefined;
  /** Only those with this status now. */
  status?: SessionStatus | undefined;
  /** Only those that end with an error. @default {false} */
  failed?: boolean | undefined;
  /** Only those with this tag. */
  tag?: string | undefined;
  /** Only those that are pinned. @default {false} */
  pinned?: boolean | undefined;
}

/** The source of a word: the user's marks, the row of a list, this moment, or the whole session. */
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

/** True where a word is asked for that one of the sources tells. @param sources By default all. */
export function asksWords(wanted: SessionWords, ...sources: Source[]): boolean {
  return askedOf(wanted, sources.length === 0 ? undefined : sources).length > 0;
}

/** True if a row has what is asked for, as far as the sources tell: by default all of them. */
export function fitsWords(row: WordedRow, wanted: SessionWords, ...sources: Source[]): boolean {
  return askedOf(wanted, sources.length === 0 ? undefined : sources)
    .every((name) => (WORDS[name] as Word<unknown>).fits(row, wanted[name]));
}

/** Takes the words from other options. */
export function wordsIn<Options extends SessionWords>(
  options: Options,
): Pick<Options, keyof Options & keyof SessionWords> {
  const words = WORD_NAMES.filter((name) => options[name] !== undefined)
    .map((name) => [name, options[name]]);
  return Object.fromEntries(words);
}

/** Leaves out what a session used of models whose names do not have a text. */
export function ofModel<Usage extends { readonly rows: readonly { readonly model: string }[] }>(
  usage: Usage,
  text: string | undefined,
): Usage {
  return text === undefined
    ? usage
    : { ...usage, rows: usage.rows.filter(({ model }) => hasText(model, text)) };
}

/** True if a text has another, in any case. */
function hasText(text = "", part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
