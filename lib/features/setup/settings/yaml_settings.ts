/** Edits settings in YAML in the block form that programs write, with one key per line. */
import { type EntryPath, lineEnding, notUnderstood, type SettingsText } from "./settings_text.ts";

export const yamlSettings: SettingsText = {
  has: (text, [servers, name = ""]) => {
    return entryIn(block(text, servers), name) !== undefined;
  },
  add: (text, [servers, name = ""], entry) => {
    const found = block(text, servers);
    const { lines, from, indent } = found;
    if (from < 0 && !/(?:^|\n)$/.test(text)) lines.push("");
    const at = from < 0 ? lines.length - 1 : from + 1;
    const head = from < 0 ? [`${servers}:`] : [];
    if (entryIn(found, name) !== undefined) return text;
    // JSON is YAML.
    const made = [...head, `${indent}${name}: ${JSON.stringify(entry)}`];
    return [...lines.slice(0, at), ...made, ...lines.slice(at)].join(lineEnding(text));
  },
  remove,
};

/** The lines of a file, and the range of the lines below a top-level key. */
interface Block {
  lines: string[];
  /** Index of the key's line, or -1 if the key is missing. */
  from: number;
  to: number;
  indent: string;
}

const TOP = /^(?:#.*|(?:[\w.-]+|"[^"]*"|'[^']*'):(?:\s.*)?|-(?:\s.*)?|---)?$/;

function block(text: string, key: string): Block {
  if (/\r\n/.test(text) && /(?<!\r)\n/.test(text)) {
    throw notUnderstood("the file mixes two kinds of line endings");
  }
  const lines = text.split(/\r?\n/);
  const odd = lines.findIndex((line) =>
    /^ *\t/.test(line) || /^[^ ]/.test(line) && !TOP.test(line)
  );
  if (odd >= 0) throw notUnderstood(`line ${odd + 1} uses YAML that reprise cannot edit`);
  const head = new RegExp(`^["']?${key}["']?:`);
  const heads = lines.flatMap((line, index) => head.test(line) ? [index] : []);
  const from = heads[0] ?? -1;
  if (heads.length > 1 || from >= 0 && !/:\s*(?:#.*)?$/.test(lines[from] ?? "")) {
    throw notUnderstood(
      `the key "${key}" must occur once in the file, and each entry of its list must be on a line of its own`,
    );
  }
  const after = from < 0 ? -1 : lines.findIndex((line, at) => at > from && /^[^\s#]/.test(line));
  const to = after < 0 ? lines.length : after;
  const child = lines.slice(from + 1, to).find((line) => /^ +[^\s#]/.test(line));
  if (from >= 0 && [child, lines[after]].some((line = "") => /^ *-(?: |$)/.test(line))) {
    throw notUnderstood(`"${key}" is a list, not a mapping`);
  }
  return { lines, from, to, indent: from < 0 ? "  " : /^ +/.exec(child ?? "  ")?.[0] ?? "  " };
}

function entryIn(
  { lines, from, to, indent }: Block,
  name: string,
): { start: number; end: number } | undefined {
  if (from < 0) return undefined;
  const start = lines.findIndex((line, at) =>
    at > from && at < to && new RegExp(`^${indent}["']?${name}["']?:(?: |$)`).test(line)
  );
  if (start < 0) return undefined;
  let end = start + 1;
  for (let at = end; at < to; at++) {
    const depth = lines[at]?.search(/\S/) ?? -1;
    if (depth >= 0 && depth <= indent.length) break;
    if (depth > 0) end = at + 1;
  }
  return { start, end };
}

function remove(text: string, [servers, name = ""]: EntryPath): string {
  const found = block(text, servers);
  const { lines, from, to } = found;
  const entry = entryIn(found, name);
  if (entry === undefined) return text;
  const { start, end } = entry;
  const others = lines.slice(from + 1, to).some((line, at) => {
    const index = from + 1 + at;
    return (index < start || index >= end) && line.trim() !== "";
  });
  const left = lines.toSpliced(start, end - start);
  return (others ? left : left.toSpliced(from, 1)).join(lineEnding(text));
}
