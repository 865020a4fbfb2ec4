/** Parses the picker's filter: words, and fields such as `agent:pi` or `sort:cost`. Pure. */
import type { Summary } from "../../../core/projection/summary_row.ts";
import {
  isSessionOrder,
  needsCounts,
  SESSION_ORDERS,
  type SessionOrder,
} from "../../../core/store/session_order.ts";
import { fitsWords, SESSION_STATES, type SessionWords } from "../../../core/store/session_words.ts";
import { comparable } from "./word_match.ts";

export interface Filter {
  /** The filter without its fields. Messages are searched for this text. */
  text: string;
  /** True if the text begins with `?`. Messages are then compared by wording. */
  is_question: boolean;
  /** The words of `text` in {@linkcode comparable} form. Empty if the filter is a question. */
  words: readonly string[];
  sort?: SessionOrder;
  /** True to reverse the order, as with `sort:-cost`. */
  reversed?: boolean;
  /** The value of the field `file:`, unchanged. */
  file?: string;
  /** The reason why a field is ignored. Absent if no field is ignored. */
  odd?: string;
  /** True if the filter needs values that are only known after a session was read whole. */
  needs_counts: boolean;
  /** True if a session matches every field. */
  admits(row: Summary): boolean;
}

const FIELD =
  /(?<=^|\s)(agent|branch|tag|project|title|model|status|failed|pinned|sort|file):(\S*)/gi;

/** The first character of a question. */
export const ASK = "?";

const FLAGS: readonly string[] = ["failed", "pinned"];

/** Parses a filter. A field without a value matches every session, unless the field is a flag. */
export function parseFilter(query: string): Filter {
  const text = query.replace(FIELD, " ").replace(/\s+/g, " ").trim();
  const fields = [...query.matchAll(FIELD)].map(([, name = "", value = ""]) =>
    [name.toLowerCase(), comparable(value)] as const
  );
  const wanted = fields.map(([name, value]) => wordOf(name, value));
  const is_question = text.startsWith(ASK);
  return {
    text,
    is_question,
    words: (is_question ? "" : comparable(text)).split(" ").filter((word) => word !== ""),
    ...fileIn(query),
    ...orderIn(fields.findLast(([name]) => name === "sort")?.[1] ?? ""),
    needs_counts: wanted.some(({ model }) => model !== undefined),
    admits: (row) =>
      wanted.every((words) => fitsWords(row, words)) &&
      fields.every(([name, value]) => value === "" || isTyped(row, name, value)),
  };
}

/** Converts a field to conditions on a session. A status may be abbreviated to its beginning. */
function wordOf(name: string, value: string): SessionWords {
  if (FLAGS.includes(name)) return { [name]: true };
  if (value === "" || !["branch", "title", "model", "status"].includes(name)) return {};
  const status = SESSION_STATES.find((one) => one.startsWith(value));
  return { [name]: name === "status" ? status ?? value : value };
}

/** True if a session's agent, tag or project contains the typed value. */
function isTyped({ agent, tags = [], cwd = "" }: Summary, name: string, value: string): boolean {
  // A name is that of the directory alone: each is below the home directory.
  const project = /[\\/]/.test(value) ? cwd : /[^\\/]*(?=[\\/]*$)/.exec(cwd)?.[0] ?? "";
  const values: Readonly<Record<string, readonly string[]>> = { agent: [agent], tag: tags };
  const known = name === "project" ? [project] : values[name];
  return known?.some((one) => comparable(one).includes(value)) ?? true;
}

/** Returns the file of the last `file:` field with a value, exactly as typed. */
function fileIn(query: string): Pick<Filter, "file"> {
  const file = /.*(?:^|\s)file:(\S+)/is.exec(query)?.[1];
  return file === undefined ? {} : { file };
}

function orderIn(value: string): Pick<Filter, "sort" | "reversed" | "odd"> {
  const name = value.replace(/^-/, "");
  if (name === "") return {};
  if (isSessionOrder(name)) return { sort: name, reversed: value !== name };
  return { odd: `Cannot sort by ${name}; sort by one of ${SESSION_ORDERS.join(", ")}` };
}

export function needsWhole(sort: SessionOrder, filter: Filter): boolean {
  return filter.needs_counts || needsCounts(sort);
}
