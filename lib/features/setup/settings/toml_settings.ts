/** Edits settings in TOML by whole tables. Entries in inline form are read, but never changed. */
import { type EntryPath, lineEnding, notUnderstood, type SettingsText } from "./settings_text.ts";

export const tomlSettings: SettingsText = {
  has: (text, path) => statements(text).some(({ name }) => isBelow(name, path.join("."))),
  add: (text, [servers, name], entry) => {
    if (statements(text).some((one) => !one.header && one.name === servers)) {
      throw notUnderstood(
        `"${servers}" is written on one line, with =; change it to a table with the header ` +
          `[${servers}]`,
      );
    }
    const eol = lineEnding(text);
    const gap = text.trim() === "" ? "" : text.endsWith("\n") ? eol : eol + eol;
    const lines = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    return text + gap + [`[${servers}.${name}]`, ...lines, ""].join(eol);
  },
  remove,
};

interface Statement {
  /** The full key, with the keys of its table, joined by dots. */
  name: string;
  header: boolean;
  table: string;
  start: number;
  end: number;
}

const STRINGS =
  /"""(?:\\[^]|[^\\])*?"""|'''[^]*?'''|"[^"\\\r\n]*(?:\\.[^"\\\r\n]*)*"|'[^'\r\n]*'|#[^\r\n]*/g;
const HEADER = /^\s*\[\[?([^[\]=]+)\]\]?\s*$/;
const PAIR = /^\s*([\w.-]+(?: +[\w.-]+)*)\s*=\s*\S/;

/** Splits a text into statements. A value in brackets may span lines. */
function statements(text: string): Statement[] {
  const plain = text.replace(
    STRINGS,
    (part) => (part.startsWith("#") ? " " : "s").repeat(part.length),
  );
  const found: Statement[] = [];
  let [table, depth, at] = ["", 0, 0];
  for (const line of plain.split("\n")) {
    const [start, end] = [at, at + line.length];
    at = end + 1;
    const head = depth === 0 ? HEADER.exec(line)?.[1] : undefined;
    const key = depth === 0 ? PAIR.exec(line)?.[1] : undefined;
    if (depth === 0 && head === undefined && key === undefined) {
      if (line.trim() === "") continue;
      throw notUnderstood(`line ${text.slice(0, start).split("\n").length} is not valid TOML`);
    }
    const word = head ?? key;
    if (word !== undefined) {
      const from = start + line.indexOf(word);
      const name = text.slice(from, from + word.length).replace(/["'\s]/g, "");
      if (head !== undefined) table = name;
      const whole = head !== undefined || table === "" ? name : `${table}.${name}`;
      found.push({ name: whole, header: head !== undefined, table, start, end });
    } else if (found.at(-1) !== undefined) {
      (found.at(-1) as Statement).end = end;
    }
    if (head === undefined) depth += count(line, /[[{]/g) - count(line, /[\]}]/g);
  }
  if (depth !== 0 || /["']/.test(plain)) throw notUnderstood("a string or a list has no end");
  return found;
}

function count(line: string, what: RegExp): number {
  return line.match(what)?.length ?? 0;
}

function isBelow(name: string, table: string): boolean {
  return name === table || name.startsWith(`${table}.`);
}

function remove(text: string, path: EntryPath): string {
  const name = path.join(".");
  const ours = statements(text).filter((one) => isBelow(one.name, name));
  if (ours.some(({ table }) => !isBelow(table, name))) {
    throw notUnderstood(
      `in this file, "${name}" is inside braces { }, which Reprise cannot edit; delete "${name}" ` +
        "from the file yourself",
    );
  }
  return ours.reduceRight((left, { start, end, header }) => {
    const before = left.slice(0, start);
    return (header ? before.replace(/(\r?\n)\r?\n$/, "$1") : before) + left.slice(end + 1);
  }, text);
}
