/** A key of a terminal, or what its mouse does. */
export interface Key {
  /** The text that was typed or pasted; pasted text keeps its line feeds. */
  text?: string;
  /** The name of a key: `up`, `pagedown`, `return`, `wheelup`, `paste`. */
  name?: string;
  /** True if Control was held. */
  ctrl?: boolean;
  /** True if Alt was held. */
  meta?: boolean;
  /** True if Shift was held. */
  shift?: boolean;
}

/** A key that types text. */
export type TextKey = Key & { text: string };

/** True if a key types or pastes text. */
export function isText(key: Key): key is TextKey {
  const { text, ctrl = false, meta = false } = key;
  // deno-lint-ignore no-control-regex -- what a key sends that is no text
  return text !== undefined && !ctrl && !meta && !/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(text);
}

/** Names a key for tables: `^p`, `M-b`, `up`, `G`; empty for text of several characters. */
export function keyId({ text = "", name = "", ctrl = false, meta = false }: Key): string {
  if (ctrl) return `^${name}`;
  if (meta) return `M-${name}`;
  if (text === "" || name === "paste") return name;
  return text.length === 1 ? text : "";
}

/** Joins the text keys that follow one another: what was pasted is one text. */
export function joinedText(keys: readonly Key[]): Key[] {
  const joined: Key[] = [];
  for (const key of keys) {
    const before = joined.at(-1);
    if (isText(key) && before !== undefined && isText(before)) before.text += key.text;
    else joined.push({ ...key });
  }
  return joined;
}
