/**
 * The light and dark colours of the page. A test checks the WCAG AA contrast of every text colour
 * on every background that it can have.
 */

/** Names of the text colours that are used on every background except changed lines. */
export const INKS = ["text", "muted", "link", "ok", "fail", "warn"] as const;

export const CODE_INKS = [
  "comment",
  "keyword",
  "string",
  "number",
  "title",
  "type",
  "attr",
] as const;

/** Names of the colours of tool call kinds. Text uses them only mixed with the `text` colour. */
export const KIND_INKS = ["read", "edit", "run", "task", "other"] as const;

export const GROUNDS = ["page", "card", "code"] as const;

export const CHANGE_GROUNDS = ["del", "ins", "del_word", "ins_word"] as const;

type ColorName =
  | typeof INKS[number]
  | typeof CODE_INKS[number]
  | typeof KIND_INKS[number]
  | typeof GROUNDS[number]
  | typeof CHANGE_GROUNDS[number]
  | "line";

/** All colours, as `#rrggbb`. */
export type Palette = Readonly<Record<ColorName, string>>;

export const LIGHT: Palette = {
  page: "#fdfcfa",
  card: "#eef3fa",
  code: "#f5f3ee",
  line: "#ddd8ce",
  text: "#1f2430",
  muted: "#586071",
  link: "#0b55a5",
  ok: "#17632f",
  fail: "#a3201b",
  warn: "#774b00",
  comment: "#5f6675",
  keyword: "#8a2b8f",
  string: "#1a6334",
  number: "#8a4700",
  title: "#0b55a5",
  type: "#6a4d00",
  attr: "#8d2a56",
  del: "#fdeceb",
  ins: "#e6f6ea",
  del_word: "#f6c6c3",
  ins_word: "#b8e3c3",
  read: "#2f6fb5",
  edit: "#2d8a4e",
  run: "#a8741a",
  task: "#8a3f8f",
  other: "#7a8190",
};

export const DARK: Palette = {
  page: "#14171c",
  card: "#1c2431",
  code: "#1b1f26",
  line: "#333a46",
  text: "#dfe3ea",
  muted: "#9ba5b4",
  link: "#8abaff",
  ok: "#7fd59a",
  fail: "#ff9d94",
  warn: "#f0c068",
  comment: "#98a2b1",
  keyword: "#d7a8f5",
  string: "#9bd8a5",
  number: "#f0b67f",
  title: "#8abaff",
  type: "#e8cf86",
  attr: "#f2a6c4",
  del: "#371c1f",
  ins: "#15301f",
  del_word: "#6d2b31",
  ins_word: "#22583a",
  read: "#6aa5e8",
  edit: "#62bd82",
  run: "#d9a74a",
  task: "#c587cb",
  other: "#8b94a3",
};
