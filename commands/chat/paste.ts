/** Collects pasted text between its two marks, in however many pieces it arrives. */

/** Make a terminal put the marks around what is pasted, and no more. */
export const PASTE_ON = "\x1b[?2004h";
export const PASTE_OFF = "\x1b[?2004l";

/** A line feed inside pasted text, for an editor of single lines. */
export const PASTED_LINE_FEED = "\u2424";

const BEGIN = "\x1b[200~";
const END = "\x1b[201~";
const CANCEL = "\x03";

/** What a piece may end in that only the next one tells the meaning of. */
const UNFINISHED = ["\r", ...Array.from(END, (_, at) => END.slice(0, at)).slice(1)];

/** Makes one line of what is pasted; what is typed stays as it is, but for what the editor splits at. */
export class PasteFold {
  #pasting = false;
  #held = "";

  /** Whether the end of what is being pasted is still to come. */
  get pasting(): boolean {
    return this.#pasting;
  }

  /** The next piece, without the marks. */
  fold(piece: string): string {
    // ^C gets out where a terminal owes the end of a paste.
    if (piece === CANCEL) this.#pasting = false;
    let rest = this.#held + piece;
    let folded = "";
    for (;;) {
      const mark = this.#pasting ? END : BEGIN;
      const at = rest.indexOf(mark);
      if (at < 0) break;
      folded += this.#onOneLine(rest.slice(0, at));
      rest = rest.slice(at + mark.length);
      this.#pasting = !this.#pasting;
    }
    this.#held = this.#pasting ? UNFINISHED.find((end) => rest.endsWith(end)) ?? "" : "";
    return folded + this.#onOneLine(rest.slice(0, rest.length - this.#held.length));
  }

  #onOneLine(text: string): string {
    const ends = this.#pasting ? /\r\n|[\r\n\u2028\u2029]/g : /[\u2028\u2029]/g;
    return text.replace(ends, PASTED_LINE_FEED);
  }
}
