/** Edits settings in JSON, with or without comments and trailing commas. */
import { errorText } from "../../../core/event/error_text.ts";
import { isObject } from "../../../core/event/guard.ts";
import { type EntryPath, lineEnding, notUnderstood, type SettingsText } from "./settings_text.ts";

export const jsonSettings: SettingsText = {
  has: (text, path) => text.trim() !== "" && find(readText(text), path).rest.length === 0,
  add: (text, path, entry) => add(text.trim() === "" ? "{}\n" : text, path, entry),
  remove: (text, path) => remove(text, path),
};

/**
 * Edits a list in JSON settings, such as the list of hooks. The keys that each method gets lead to
 * the list.
 *
 * @param isOurs Returns true for the text of the entry that Reprise added.
 */
export function jsonList(isOurs: (entry: string) => boolean): SettingsText {
  return {
    has: (text, path) => text.trim() !== "" && ourEntry(readText(text), path, isOurs) >= 0,
    add: (text, path, entry) => addToList(text, path, entry),
    remove(text, path): string {
      const read = readText(text);
      const at = ourEntry(read, path, isOurs);
      const { entries = [] } = listAt(read, path) ?? {};
      const [entry, before, after] = [entries[at], entries[at - 1], entries[at + 1]];
      if (entry === undefined) return text;
      if (before !== undefined) return without(text, [[before.end, entry.end]]);
      return after === undefined ? remove(text, path) : without(text, [[entry.start, after.start]]);
    },
  };
}

/** A text of settings, and copies with the same offsets in which some parts are blanks. */
interface JsonText {
  text: string;
  /** The text with comments replaced by blanks. */
  bare: string;
  /** The text with comments and trailing commas replaced by blanks. */
  json: string;
}

interface Member {
  key: string;
  start: number;
  value: number;
  end: number;
}

interface ObjectText {
  open: number;
  members: Member[];
  close: number;
}

const COMMENTS = /"[^"\\]*(?:\\.[^"\\]*)*"|\/\/[^\r\n]*|\/\*[^]*?\*\//g;
const TRAILING_COMMAS = /"[^"\\]*(?:\\.[^"\\]*)*"|(?<![{[,:]\s*),(?=\s*[}\]])/g;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

function readText(text: string): JsonText {
  const bare = text.replace(COMMENTS, (part) => part.startsWith('"') ? part : blank(part));
  const json = bare.replace(TRAILING_COMMAS, (part) => part === "," ? " " : part);
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw notUnderstood(errorText(error));
  }
  if (!isObject(value)) throw notUnderstood("the settings file is not a JSON object");
  return { text, bare, json };
}

function blank(part: string): string {
  return part.replace(/[^\r\n]/g, " ");
}

function objectAt(json: string, open: number): ObjectText {
  const members: Member[] = [];
  let [depth, end] = [0, open];
  let member: Member | undefined;
  for (const { 0: token, index } of json.slice(open).matchAll(TOKENS)) {
    const at = open + index;
    const closes = token === "}" || token === "]";
    if (depth === 1 && (token === "," || closes)) {
      if (member !== undefined) members.push({ ...member, end });
      member = undefined;
      if (closes) return { open, members, close: at };
    } else if (depth === 1 && member === undefined) {
      member = { key: JSON.parse(token), start: at, value: -1, end: -1 };
    } else if (depth === 1 && member?.value === -1 && token !== ":") {
      member.value = at;
    }
    if (token === "{" || token === "[") depth++;
    if (closes) depth--;
    end = at + token.length;
  }
  throw notUnderstood("a closing } is missing");
}

/** Returns the nested objects along a path of keys, and the keys that are missing. */
function find(
  { json }: JsonText,
  path: readonly string[],
): { objects: ObjectText[]; rest: readonly string[] } {
  const objects = [objectAt(json, json.indexOf("{"))];
  for (const [index, key] of path.entries()) {
    const member = objects.at(-1)?.members.findLast((one) => one.key === key);
    if (member === undefined) return { objects, rest: path.slice(index) };
    if (index === path.length - 1) break;
    if (json[member.value] !== "{") throw notUnderstood(`"${key}" is not an object`);
    objects.push(objectAt(json, member.value));
  }
  return { objects, rest: [] };
}

function add(text: string, path: EntryPath, entry: object): string {
  const read = readText(text);
  const { objects, rest } = find(read, path);
  const [key, ...below] = rest;
  const object = objects.at(-1);
  if (key === undefined || object === undefined) return text;
  const { open, members, close } = object;
  const value = below.reduceRight<unknown>((inner, name) => ({ [name]: inner }), entry);
  if (isOnOneLine(text, object)) return addOnLine(read, object, key, value);
  const [unit = "  "] = /(?<=^)[ \t]+(?=")/m.exec(text) ?? [];
  const indent = unit.repeat(objects.length);
  const eol = lineEnding(text);
  const lines = `"${key}": ${JSON.stringify(value, null, unit)}`.split("\n").join(eol + indent);
  const end = open + text.slice(open, close).trimEnd().length;
  const last = members.at(-1)?.end ?? end;
  const trailing = members.length > 0 && read.bare.slice(last, close).includes(",");
  const after = /[\r\n]/.test(text.slice(end, close))
    ? text.slice(end)
    : eol + unit.repeat(objects.length - 1) + text.slice(close);
  return text.slice(0, last) + (members.length > 0 && !trailing ? "," : "") +
    text.slice(last, end) + eol + indent + lines + (trailing ? "," : "") + after;
}

/** True for an object without line breaks. An empty one is so if the whole text is so. */
function isOnOneLine(text: string, { open, members, close }: ObjectText): boolean {
  const written = members.length > 0 ? text.slice(open, close) : text.trim();
  return !/[\r\n]/.test(written) && written !== "{}";
}

function addOnLine(
  { text, bare }: JsonText,
  object: ObjectText,
  key: string,
  value: unknown,
): string {
  const { members, close } = object;
  const gap = gapIn(text);
  const member = `"${key}":${gap}${JSON.stringify(value)}`;
  const last = members.at(-1)?.end;
  if (last === undefined) return text.slice(0, close).trimEnd() + member + text.slice(close);
  const at = last + bare.slice(last, close).lastIndexOf(",") + 1;
  const trailing = at > last;
  const added = trailing ? `${gap}${member},` : `,${gap}${member}`;
  return text.slice(0, at) + added + text.slice(at);
}

/** Returns the space that a text has after colons. */
function gapIn(text: string): string {
  return /":\s/.test(text) ? " " : "";
}

/** Finds the list at a path. Undefined if nothing is there. Throws if another value is there. */
function listAt(
  read: JsonText,
  path: EntryPath,
): { open: number; close: number; entries: { start: number; end: number }[] } | undefined {
  const { objects, rest } = find(read, path);
  if (rest.length > 0) return undefined;
  const member = objects.at(-1)?.members.findLast(({ key }) => key === path.at(-1));
  const open = member?.value ?? -1;
  if (read.json[open] !== "[") throw notUnderstood(`"${path.at(-1)}" is not a list`);
  const entries: { start: number; end: number }[] = [];
  let [depth, start, end] = [0, -1, open];
  for (const { 0: token, index } of read.json.slice(open).matchAll(TOKENS)) {
    const at = open + index;
    const closes = token === "}" || token === "]";
    if (depth === 1 && (token === "," || closes)) {
      if (start >= 0) entries.push({ start, end });
      start = -1;
      if (closes) return { open, close: at, entries };
    } else if (depth === 1 && start < 0) start = at;
    if (token === "{" || token === "[") depth++;
    if (closes) depth--;
    end = at + token.length;
  }
  throw notUnderstood("a closing ] is missing");
}

function ourEntry(read: JsonText, path: EntryPath, isOurs: (entry: string) => boolean): number {
  return listAt(read, path)?.entries
    .findLastIndex(({ start, end }) => isOurs(read.text.slice(start, end))) ?? -1;
}

function addToList(text: string, path: EntryPath, entry: object): string {
  const given = text.trim() === "" ? "{}\n" : text;
  const list = listAt(readText(given), path);
  if (list === undefined) return add(given, path, [entry]);
  const [unit = "  "] = /(?<=^)[ \t]+(?=")/m.exec(given) ?? [];
  const [eol, indent] = [lineEnding(given), unit.repeat(path.length)];
  const last = list.entries.at(-1);
  if (!/[\r\n]/.test(last === undefined ? given.trim() : given.slice(list.open, list.close))) {
    const at = last?.end ?? list.open + 1;
    const added = (last === undefined ? "" : `,${gapIn(given)}`) + JSON.stringify(entry);
    return given.slice(0, at) + added + given.slice(at);
  }
  const lines = JSON.stringify(entry, null, unit).split("\n").join(eol + indent + unit);
  return last === undefined
    ? `${given.slice(0, list.open + 1)}${eol}${indent}${unit}${lines}${eol}${indent}` +
      given.slice(list.close)
    : `${given.slice(0, last.end)},${eol}${indent}${unit}${lines}${given.slice(last.end)}`;
}

/** Removes an entry and its comma. Also removes the surrounding object if that becomes empty. */
function remove(text: string, path: readonly string[]): string {
  const read = readText(text);
  const { objects, rest } = find(read, path);
  const object = objects.at(-1);
  const at = object?.members.findLastIndex(({ key }) => key === path.at(-1)) ?? -1;
  const member = object?.members[at];
  if (rest.length > 0 || object === undefined || member === undefined) return text;
  const { members, open, close } = object;
  const start = open + text.slice(open, member.start).trimEnd().length;
  const comma = commaAfter(read.bare, member.end, members[at + 1]?.start ?? close) ??
    commaAfter(read.bare, members[at - 1]?.end ?? start, start);
  const cut = comma === undefined ? [] : [[comma, comma + 1] as const];
  const left = without(text, [[start, member.end], ...cut]);
  const alone = members.length === 1 && text.slice(open + 1, start).trim() === "" &&
    text.slice(member.end, close).replace(",", "").trim() === "";
  return alone && path.length > 1 ? remove(left, path.slice(0, -1)) : left;
}

function commaAfter(bare: string, from: number, to: number): number | undefined {
  const at = bare.slice(from, to).indexOf(",");
  return at < 0 ? undefined : from + at;
}

/** Cuts ranges out of a text. The ranges must not overlap. */
function without(text: string, ranges: readonly (readonly [number, number])[]): string {
  return ranges.toSorted(([one], [other]) => other - one)
    .reduce((left, [from, to]) => left.slice(0, from) + left.slice(to), text);
}
