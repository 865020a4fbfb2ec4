/** Reads the picker's filter: words, and fields such as `agent:pi` or `sort:cost`. Pure. */
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
  /** The text without its fields, as messages are searched for it. */
  text: string;
  /** True if the text is a question: messages are compared by wording. */
  is_question: boolean;
  /** The words of the text, comparable; none of a question. */
  words: readonly string[];
  /** The order of `sort:`; absent where there is none. */
  sort?: SessionOrder;
  /** True for the other direction: `sort:-cost`. */
  reversed?: boolean;
  /** The file of `file:`, as it is written. */
  file?: string;
  /** The reason why a field cannot be used. */
  odd?: string;
  /** True if only sessions that were read whole tell what is asked for. */
  needs_counts: boolean;
  /** True if a session has what each field asks for. */
  admits(row: Summary): boolean;
}

/** The name and the value of a field. */
const FIELD =
  /(?<=^|\s)(agent|branch|tag|project|title|model|status|failed|pinned|sort|file):(\S*)/gi;

/** Begins a question. */
export const ASK = "?";

/** Fields without a value. */
const FLAGS: readonly string[] = ["failed", "pinned"];

/** Reads a filter. A field without a value admits every session. */
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

/** Returns the word of a field. The beginning of a status is enough. */
function wordOf(name: string, value: string): SessionWords {
  if (FLAGS.includes(name)) return { [name]: true };
  if (value === "" || !["branch", "title", "model", "status"].includes(name)) return {};
  const status = SESSION_STATES.find((one) => one.startsWith(value));
  return { [name]: name === "status" ? status ?? value : value };
}

/** True if a session has the typed agent, tag or project. */
function isTyped({ agent, tags = [], cwd = "" }: Summary, name: string, value: string): boolean {
  // A name is that of the directory alone: each is below the home directory.
  const project = /[\\/]/.test(value) ? cwd : /[^\\/]*(?=[\\/]*$)/.exec(cwd)?.[0] ?? "";
  const values: Readonly<Record<string, readonly string[]>> = { agent: [agent], tag: tags };
  const known = name === "project" ? [project] : values[name];
  return known?.some((one) => comparable(one).includes(value)) ?? true;
}

/** Returns the file of the last field that names one; its case counts. */
function fileIn(query: string): Pick<Filter, "file"> {
  const file = /.*(?:^|\s)file:(\S+)/is.exec(query)?.[1];
  return file === undefined ? {} : { file };
}

function orderIn(value: string): Pick<Filter, "sort" | "reversed" | "odd"> {
  const name = value.replace(/^-/, "");
  if (name === "") return {};
  if (isSessionOrder(name)) return { sort: name, reversed: value !== name };
  return { odd: `Cannot sort by ${name}: the orders are ${SESSION_ORDERS.join(", ")}` };
}

/** True where sessions must be read whole to sort or filter them. */
export function needsWhole(sort: SessionOrder, filter: Filter): boolean {
  return filter.needs_counts || needsCounts(sort);
}
