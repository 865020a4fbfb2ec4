/** Edits one line: in the prompt of a screen, or at the end of the terminal with a history. */
import { isText, type Key, keyId } from "./key.ts";
import { LiveRows, type RowsOutput } from "./live_rows.ts";

interface Line {
  text: string;
  /** Number of UTF-16 code units before the cursor. */
  cursor: number;
}

type Place = (line: Line) => number;

const segmenter = new Intl.Segmenter();

function endOf(text: string, pattern: RegExp): number {
  return pattern.exec(text)?.[0].length ?? 0;
}

const toStart: Place = () => 0;
const toEnd: Place = ({ text }) => text.length;
const toBefore: Place = ({ text, cursor }) =>
  [...segmenter.segment(text.slice(0, cursor))].at(-1)?.index ?? 0;
const toAfter: Place = ({ text, cursor }) => {
  const [next] = segmenter.segment(text.slice(cursor));
  return cursor + (next?.segment.length ?? 0);
};
const toWord: Place = ({ text, cursor }) =>
  cursor - endOf(text.slice(0, cursor), /(?:\w+|[^\w\s]+)?\s*$/);
const toBlank: Place = ({ text, cursor }) => cursor - endOf(text.slice(0, cursor), /\S*\s*$/);
const overWord: Place = ({ text, cursor }) =>
  cursor + endOf(text.slice(cursor), /^(?:\s+|[^\w\s]+|\w+)\s*/);

const MOVES: Readonly<Record<string, Place>> = {
  ...{ left: toBefore, "^b": toBefore, right: toAfter, "^f": toAfter },
  ...{ home: toStart, "^a": toStart, end: toEnd, "^e": toEnd },
  ...{ "^left": toWord, "M-b": toWord, "^right": overWord, "M-f": overWord },
};

/** Keys that cut the text between the cursor and a position. */
const CUTS: Readonly<Record<string, Place>> = {
  ...{ backspace: toBefore, delete: toAfter, "^d": toAfter },
  ...{ "^u": toStart, "^k": toEnd, "^w": toBlank },
  ...{ "M-backspace": toWord, "M-d": overWord, "M-delete": overWord, "^delete": overWord },
};

export function editLine(line: Line, key: Key): Line | undefined {
  const { text, cursor } = line;
  if (isText(key)) return replaced(line, [cursor, cursor], key.text);
  const id = keyId(key);
  if (Object.hasOwn(MOVES, id)) return { text, cursor: MOVES[id]?.(line) ?? cursor };
  const place = Object.hasOwn(CUTS, id) ? CUTS[id] : undefined;
  return place && replaced(line, [cursor, place(line)].sort((a, b) => a - b), "");
}

/** Applies a key at the end of a text. Replaces tabs and line feeds by spaces. */
export function editEnd(text: string, key: Key): string {
  const { text: edited } = editLine({ text, cursor: text.length }, key) ?? { text };
  return edited.replace(/[\t\n]+/g, " ");
}

function replaced({ text }: Line, [from = 0, to = 0]: readonly number[], by: string): Line {
  return { text: text.slice(0, from) + by + text.slice(to), cursor: from + by.length };
}

export type LineInput =
  /** An entered line. `shown` is its text on the terminal, which is empty for hidden input. */
  | { type: "line"; text: string; shown: string }
  /** Input ended by ^C. */
  | { type: "cancel"; empty: boolean }
  /** Input ended by ^D, or because the terminal is gone. */
  | { type: "end" };

export interface LineOptions {
  prompt: string;
  /** Earlier lines, the newest first. */
  history?: readonly string[];
  hidden?: boolean;
}

/** A position in the history, and the line that the user typed before. */
interface Recall {
  at: number;
  typed: Line;
}

export class LineEditor {
  readonly #options: LineOptions;
  readonly #output: RowsOutput;
  readonly #rows: LiveRows;
  readonly #done = Promise.withResolvers<LineInput>();
  #ended = false;
  #line: Line = { text: "", cursor: 0 };
  #before: Line[] = [];
  #cut = "";
  #recall: Recall | undefined;

  /** Shows the prompt. */
  constructor(output: RowsOutput, options: LineOptions) {
    this.#options = options;
    this.#output = output;
    this.#rows = new LiveRows(output);
    this.#draw();
  }

  get input(): Promise<LineInput> {
    return this.#done.promise;
  }

  /**
   * Takes keys until one ends the line. Returns the remaining keys, or undefined if no key ends the
   * line.
   */
  press(keys: readonly Key[]): readonly Key[] | undefined {
    for (const [at, key] of keys.entries()) {
      const input = this.#press(key);
      if (input === undefined) continue;
      this.#draw();
      if (input.type !== "end") this.#rows.leave();
      this.#end(input);
      return keys.slice(at + 1);
    }
    this.#draw();
    return undefined;
  }

  /** Runs `print` so that its output appears above the input line. */
  aside(print: () => void): void {
    this.#rows.clear();
    print();
    this.#draw();
  }

  /** Draws the line again: below new output if `below`, else in place. */
  redraw(below: boolean): void {
    if (this.#ended) return;
    if (below) this.#rows.forget();
    this.aside(() => {});
  }

  end(): void {
    this.#end({ type: "end" });
  }

  #end(input: LineInput): void {
    this.#ended = true;
    this.#done.resolve(input);
  }

  #press(key: Key): LineInput | undefined {
    const { text } = this.#line;
    switch (keyId(key)) {
      case "return":
      case "enter":
        return { type: "line", text, shown: this.#shown(text) };
      case "^c":
        return { type: "cancel", empty: text === "" };
      case "^d":
        if (text === "") return { type: "end" };
        break;
      case "up":
      case "^p":
        return void this.#recalled(1);
      case "down":
      case "^n":
        return void this.#recalled(-1);
      case "^l":
        this.#rows.forget();
        return void this.#output.write("\x1b[H\x1b[J");
      case "^y":
        return this.#edit({ text: this.#cut });
      case "^_":
        return void (this.#line = this.#before.pop() ?? this.#line);
    }
    return this.#edit(key);
  }

  #edit(key: Key): undefined {
    const before = this.#line;
    const after = editLine(before, key);
    this.#recall = undefined;
    if (after === undefined) return;
    this.#line = after;
    if (after.text === before.text) return;
    this.#before.push(before);
    const cut = before.text.length - after.text.length;
    if (cut > 0) this.#cut = before.text.slice(after.cursor, after.cursor + cut);
  }

  /** Shows the next older (1) or newer (-1) history line that begins like the typed text. */
  #recalled(step: 1 | -1): void {
    const { history = [] } = this.#options;
    const { at, typed } = this.#recall ?? { at: -1, typed: this.#line };
    const begin = typed.text.slice(0, typed.cursor);
    let next = at + step;
    while (history[next] === this.#line.text || history[next]?.startsWith(begin) === false) {
      next += step;
    }
    if (next >= history.length) return;
    const text = history[next];
    this.#recall = { at: Math.max(-1, next), typed };
    this.#line = text === undefined ? typed : { text, cursor: text.length };
  }

  #shown(text: string): string {
    return this.#options.hidden ? "" : text.replaceAll("\n", "␤").replaceAll("\t", " ");
  }

  #draw(): void {
    if (this.#ended) return;
    const { text, cursor } = this.#line;
    const { prompt } = this.#options;
    this.#rows.draw([prompt + this.#shown(text)], prompt + this.#shown(text.slice(0, cursor)));
  }
}
