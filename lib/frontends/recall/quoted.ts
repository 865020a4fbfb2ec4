/** Quotes texts of sessions for a model: without secrets, on one line, inside a tag. Pure. */
import type { LogEvent } from "../../core/event/envelope.ts";
import { quoteWord } from "../../core/platform/shell_word.ts";
import { Redactor } from "../../text/redaction/redactor.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";

const FENCE = "reprise-recall";
/** Matches the `<` of a tag that a model might mistake for the quotation tag. */
const PLANTED = new RegExp(`<(?=[\\s/]*${FENCE})`, "gi");
/** Maximum characters of a text in which secrets are searched. No quote is longer. */
const LOOKED_AT = 20_000;

const LONGEST_REF = 200;

export class Quoter {
  readonly #redactor = new Redactor();

  /** @param events The session's events. Their secrets are replaced in all quoted texts. */
  constructor(events: readonly LogEvent[]) {
    for (const event of events) this.#redactor.observe(event);
  }

  /** Returns the beginning of a text on one line, with at most `most` characters. */
  start(text: string, most: number): string {
    const line = this.#line(text.slice(0, LOOKED_AT));
    return line.length <= most ? line : `${cut(line.slice(0, Math.max(0, most - 1)))}…`;
  }

  end(text: string, most: number): string {
    const line = this.#line(text.slice(-LOOKED_AT));
    return line.length <= most ? line : `…${cut(line.slice(1 - Math.max(1, most)))}`;
  }

  #line(text: string): string {
    const redacted = this.#redactor.text(text.toWellFormed(), "recall");
    const plain = redacted.replace(/\s+/gu, " ").replace(/\p{Cc}/gu, "").trim();
    return sanitizeLine(plain).replace(PLANTED, "‹");
  }
}

/** Removes half a surrogate pair at either end. */
function cut(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "");
}

/** Puts lines into the quotation tag, followed by `word`, our instruction to the model. */
export function fenced(lines: readonly string[], word: string): string {
  return [`<${FENCE}>`, ...lines, `</${FENCE}>`, word].join("\n");
}

/** Returns a line with the command that shows `what`. Empty if `ref` is long or needs quotes. */
export function toRead(what: string, ref: string, words: (ref: string) => string): string[] {
  return ref.length > LONGEST_REF || quoteWord(ref) !== ref
    ? []
    : [`To read ${what}: reprise ${words(ref)}`];
}
