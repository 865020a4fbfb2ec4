/** Decodes the bytes of a terminal to keys. Pure. */

/** A key of a terminal, or an event of its mouse. */
export interface Key {
  /** The typed or pasted text. Pasted text keeps its line feeds. */
  text?: string;
  /** The name of a key: `up`, `pagedown`, `return`, `wheelup`, `paste`. */
  name?: string;
  ctrl?: boolean;
  /** True if Alt was held. */
  meta?: boolean;
  shift?: boolean;
}

type TextKey = Key & { text: string };

export function isText(key: Key): key is TextKey {
  const { text, ctrl = false, meta = false } = key;
  // deno-lint-ignore no-control-regex -- what a key sends that is no text
  return text !== undefined && !ctrl && !meta && !/[\x00-\x08\x0b-\x1f\x7f-\x9f]/.test(text);
}

/** Returns a key's name for tables: `^p`, `M-b`, `up`, `G`. Empty for several characters. */
export function keyId({ text = "", name = "", ctrl = false, meta = false }: Key): string {
  if (ctrl) return `^${name}`;
  if (meta) return `M-${name}`;
  if (text === "" || name === "paste") return name;
  return text.length === 1 ? text : "";
}

/** Joins adjacent text keys into one, because a paste may arrive in pieces. */
export function joinedText(keys: readonly Key[]): Key[] {
  const joined: Key[] = [];
  for (const key of keys) {
    const before = joined.at(-1);
    if (isText(key) && before !== undefined && isText(before)) before.text += key.text;
    else joined.push({ ...key });
  }
  return joined;
}

const ESCAPE = "\x1b";
const PASTE_BEGIN = "\x1b[200~";
const PASTE_END = "\x1b[201~";
const CANCEL = "\x03";

/** The names of keys by the final character after `ESC [` or `ESC O`. */
const FINALS: Readonly<Record<string, string>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  E: "clear",
  F: "end",
  H: "home",
  P: "f1",
  Q: "f2",
  R: "f3",
  S: "f4",
  Z: "tab",
};

/** The names of keys by the number in `ESC [ number ~`. */
const NUMBERS: Readonly<Record<string, string>> = {
  1: "home",
  2: "insert",
  3: "delete",
  4: "end",
  5: "pageup",
  6: "pagedown",
  7: "home",
  8: "end",
};

/** The bit of a mouse report that marks the wheel. `WHEEL_KIND` masks the wheel's direction. */
const WHEEL = 64;
const WHEEL_KIND = 3;

export class KeyDecoder {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #paste: string | undefined;

  /** True if the pending input may be the beginning of a key. Only a timeout decides then. */
  get waits(): boolean {
    return this.#rest !== "" && this.#paste === undefined;
  }

  /** Decodes input into keys. An incomplete sequence is held back until the rest arrives. */
  push(bytes: Uint8Array): Key[] {
    const text = this.#decoder.decode(bytes, { stream: true });
    // ^C gets out where a terminal owes the end of a paste.
    if (text === CANCEL && this.#paste !== undefined) this.#rest += PASTE_END;
    this.#rest += text;
    return this.#take(false);
  }

  /** Decodes the pending input as if it were complete. */
  flush(): Key[] {
    return this.#take(true);
  }

  #take(final: boolean): Key[] {
    const keys: Key[] = [];
    while (this.#rest !== "") {
      if (this.#paste !== undefined) {
        if (!this.#takePaste(keys)) break;
        continue;
      }
      const found = nextKey(this.#rest, final);
      if (found === undefined) break;
      this.#rest = this.#rest.slice(found.length);
      if (found.key === "paste") this.#paste = "";
      else if (found.key !== undefined) keys.push(found.key);
    }
    return keys;
  }

  #takePaste(keys: Key[]): boolean {
    const end = this.#rest.indexOf(PASTE_END);
    // The end may come in pieces, too.
    const taken = end < 0 ? Math.max(0, this.#rest.length - PASTE_END.length) : end;
    this.#paste += this.#rest.slice(0, taken);
    this.#rest = this.#rest.slice(end < 0 ? taken : end + PASTE_END.length);
    if (end < 0) return false;
    const text = (this.#paste ?? "").replace(/\r\n?|[\u2028\u2029]/g, "\n")
      // deno-lint-ignore no-control-regex -- what is pasted presses no key
      .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]+/g, " ");
    this.#paste = undefined;
    if (text !== "") keys.push({ name: "paste", text });
    return true;
  }
}

interface FoundKey {
  length: number;
  /** The key, or the beginning of a paste. Undefined if the sequence stands for no key. */
  key: Key | "paste" | undefined;
}

/** Returns the first key of a text. Undefined if more input may belong to the key. */
function nextKey(text: string, final: boolean): FoundKey | undefined {
  if (!text.startsWith(ESCAPE)) return plainKey(text);
  if (text.startsWith(PASTE_BEGIN)) return { length: PASTE_BEGIN.length, key: "paste" };
  const sequence = escapeSequence(text);
  if (sequence !== undefined) return sequence;
  // deno-lint-ignore no-control-regex -- the beginning of a sequence
  if (!final && /^\x1b(?:\[[<\d;?]*|O)?$/.test(text)) return undefined;
  const after = text.slice(1);
  // Escape twice is the key twice; Alt sends Escape before the key.
  if (after === "" || after.startsWith(ESCAPE)) return { length: 1, key: { name: "escape" } };
  const { length, key } = plainKey(after);
  return { length: length + 1, key: typeof key === "object" ? { ...key, meta: true } : key };
}

function escapeSequence(text: string): FoundKey | undefined {
  // deno-lint-ignore no-control-regex -- the sequences that terminals send
  const match = /^\x1b(?:\[(<?)([\d;?]*)([ -/]*[@-~])|O([A-Za-z]))/.exec(text);
  if (match === null) return undefined;
  const [{ length }, mouse, numbers = "", final = "", single] = match;
  if (single !== undefined) return { length, key: named(FINALS[single]) };
  if (mouse === "<") return { length, key: mouseKey(numbers, final) };
  const [number = "", modifiers = ""] = numbers.split(";");
  const name = final === "~" ? NUMBERS[number] : FINALS[final];
  if (name === undefined) return { length, key: undefined };
  return { length, key: { name, ...modifiersOf(modifiers, final === "Z") } };
}

function modifiersOf(number: string, shifted: boolean): Key {
  const bits = Math.max(0, Number(number || 1) - 1);
  const held: Key = {};
  if (shifted || bits & 1) held.shift = true;
  if (bits & 2) held.meta = true;
  if (bits & 4) held.ctrl = true;
  return held;
}

function named(name: string | undefined): Key | undefined {
  return name === undefined ? undefined : { name };
}

function mouseKey(numbers: string, final: string): Key | undefined {
  const button = Number(numbers.split(";")[0]);
  if (final !== "M" || (button & WHEEL) === 0) return undefined;
  const kind = button & WHEEL_KIND;
  return kind > 1 ? undefined : { name: kind === 0 ? "wheelup" : "wheeldown" };
}

const CONTROLS: Readonly<Record<string, Key>> = {
  "\r": { name: "return" },
  "\n": { name: "enter" },
  "\t": { name: "tab" },
  "\b": { name: "backspace" },
  "\x7f": { name: "backspace" },
  "\0": { name: "space", ctrl: true },
};

function plainKey(text: string): FoundKey {
  const character = String.fromCodePoint(text.codePointAt(0) ?? 0);
  const { length } = character;
  const control = CONTROLS[character];
  if (control !== undefined) return { length, key: control };
  const code = character.charCodeAt(0);
  if (code < 0x20) {
    const name = String.fromCharCode(code + (code > 0x1a ? 0x40 : 0x60));
    return { length, key: { name, ctrl: true } };
  }
  if (code >= 0x80 && code < 0xa0) return { length, key: undefined };
  return { length, key: { text: character, name: character.toLowerCase() } };
}
