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

/** The name and the value of a field. */
const FIELD = /(?<=^|\s)(agent|branch|tag|project):(\S*)/gi;

/** Reads a filter. A field without a value admits every session. */
export function parseFilter(query: string): Filter {
  const text = query.replace(FIELD, " ").replace(/\s+/g, " ").trim();
  const fields = [...query.matchAll(FIELD)].map(([, name = "", value = ""]) =>
    [name.toLowerCase(), comparable(value)] as const
  );
  return {
    text,
    words: comparable(text).split(" ").filter((word) => word !== ""),
    admits: (row) =>
      fields.every(([name, value]) =>
        value === "" || valuesOf(row, name, value).some((one) => comparable(one).includes(value))
      ),
  };
}

/** Returns the values of a session that a field compares. */
function valuesOf(row: Summary, name: string, wanted: string): readonly string[] {
  if (name === "tag") return row.tags ?? [];
  if (name !== "project") return [(name === "agent" ? row.agent : row.git_branch) ?? ""];
  // A name is that of the directory alone: each is below the home directory.
  const { cwd = "" } = row;
  return [/[\\/]/.test(wanted) ? cwd : /[^\\/]*(?=[\\/]*$)/.exec(cwd)?.[0] ?? ""];
}
