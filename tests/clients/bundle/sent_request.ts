/** Compares whole requests of a client from two homes. Paths have common names in both. */
import { diff } from "../resume/same_items.ts";
import type { Asked } from "../resume/scripted_server.ts";

/** Texts to replace, with their names: the paths of a home, and what a client makes of them. */
export type Named = readonly (readonly [text: string, name: string])[];

/** Matches ids and hashes that a client makes for a request, a run or a machine, and times. */
const CHANGING =
  /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b[0-9a-f]{64}\b|\b\d{4}-\d\d-\d\dT[\d:.]+Z|\b1\d{12}\b/g;

/** Returns the first request that has a text and offers tools, as JSON under common names. */
export function sentRequest(asked: readonly Asked[], text: string, named: Named): string {
  const sent = asked.map(({ body }) => body)
    .find((body) => (body.tools ?? []).length > 0 && JSON.stringify(body).includes(text));
  if (sent === undefined) throw new Error("The client sent nothing");
  // A longer path may begin with a shorter one.
  const longest_first = [...named].sort(([one], [other]) => other.length - one.length);
  return longest_first.reduce(
    (written, [path, name]) => written.replaceAll(path, `<${name}>`),
    JSON.stringify(sent),
  );
}

/** What may differ besides paths: how a client tells its model that the directory is another one. */
export interface MoveNotes {
  /** A whole text that repeats an earlier one under the new path. */
  repeats?: RegExp;
  /** A text between others, in which only paths stand. */
  note?: RegExp;
  /** A field in which a client sends what it knows by then of its own run. */
  measured?: string;
}

/** The differences of two requests. */
export interface RequestDifferences {
  /** Lines that only one of them has. */
  lines: string[];
  /** Number of texts in which the client told its model of the new directory. */
  notes: number;
}

/** Compares a request with the one of the original. What both have is compared byte by byte. */
export function differences(
  original: string,
  copy: string,
  { repeats, note, measured }: MoveNotes = {},
): RequestDifferences {
  const shared = new Set(original.match(CHANGING)).intersection(new Set(copy.match(CHANGING)));
  const [one = "", other = ""] = [original, copy].map((text) =>
    text.replaceAll(CHANGING, (found) => shared.has(found) ? found : "<new>")
  );
  let notes = 0;
  const told = new Set<string>();
  const body = JSON.parse(other, (key, value) => {
    if (Array.isArray(value)) return value.filter((part) => part !== LEFT_OUT);
    if (key === "text" && typeof value === "string") {
      const rest = note === undefined ? value : value.replace(note, "");
      const is_note = rest !== value || repeats?.test(value) === true && told.has(value);
      notes += Number(is_note);
      told.add(value);
      return is_note && (rest === "" || rest === value) ? LEFT_OUT : rest;
    }
    // A text of OpenCode may be empty; a list is only after notes were taken out.
    const { text, content } = value ?? {};
    const is_empty = text === LEFT_OUT || Array.isArray(content) && content.length === 0;
    return is_empty ? LEFT_OUT : value;
  });
  const written = (value: unknown): string[] =>
    JSON.stringify(value, (key, part) => key === measured ? undefined : sortedKeys(part), 1)
      .replaceAll("\\n", "\n").split("\n");
  return { lines: lineDifferences(written(JSON.parse(one)), written(body)), notes };
}

/** Stands for a note until it is taken out. */
const LEFT_OUT = "<left out>";

/** Clients of Rust write the members of a map in any order. */
function sortedKeys(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1));
}

function lineDifferences(one: readonly string[], other: readonly string[]): string[] {
  const start = one.findIndex((line, index) => line !== other[index]);
  if (start < 0) return other.slice(one.length).map((line) => `+ ${line}`);
  let same = 0;
  while (one.at(-same - 1) === other.at(-same - 1)) same++;
  return diff(one.slice(start, one.length - same), other.slice(start, other.length - same))
    .map(({ sign, text }) => `${sign} ${text}`);
}
