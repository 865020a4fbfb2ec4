/** Reads the picker's filter: words, and fields such as `agent:pi`. Pure. */
import type { Summary } from "../../projection/summary_row.ts";
import { comparable } from "./word_match.ts";

export interface Filter {
  /** The text without its fields, as messages are searched for it. */
  text: string;
  /** The words of the text, comparable. */
  words: readonly string[];
  /** True if a session has what each field asks for. */
  admits(row: Summary): boolean;
}

/** Values of a session that a field compares. */
const FIELDS: Readonly<Record<string, (row: Summary, wanted: string) => readonly string[]>> = {
  agent: ({ agent }) => [agent],
  branch: ({ git_branch = "" }) => [git_branch],
  tag: ({ tags = [] }) => tags,
  // A name is that of the directory alone: each is below the home directory.
  project: ({ cwd = "" }, wanted) => [
    /[\\/]/.test(wanted) ? cwd : cwd.split(/[\\/]+/).findLast((name) => name !== "") ?? "",
  ],
};

const FIELD = /(?<=^|\s)(agent|branch|tag|project):(\S*)/gi;

/** Reads a filter. A field without a value admits every session. */
export function parseFilter(query: string): Filter {
  const text = query.replace(FIELD, " ").replace(/\s+/g, " ").trim();
  const fields = [...query.matchAll(FIELD)].flatMap(([, name = "", value = ""]) =>
    value === "" ? [] : [{ name: name.toLowerCase(), value: comparable(value) }]
  );
  return {
    text,
    words: comparable(text).split(" ").filter((word) => word !== ""),
    admits: (row) =>
      fields.every(({ name, value }) =>
        FIELDS[name]?.(row, value).some((one) => comparable(one).includes(value))
      ),
  };
}
