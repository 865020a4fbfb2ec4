/** Texts of the source code that people read, such as messages and help. */
import { type Sources, withoutComments } from "./source_code.ts";

/** A text, and where it comes from. */
export interface Message {
  /** Has `…` for each value that is filled in. */
  text: string;
  where: string;
}

const LITERAL = String.raw`"(?:[^"\\\n]|\\.)*"|\x60(?:[^\x60\\]|\\[^])*\x60`;
/** Literals that `+` joins are one text. */
const TEXT = new RegExp(`(?:${LITERAL})(?:\\s*\\+\\s*(?:${LITERAL}))*`, "g");
/** The end of a list of words that the program splits. */
const SPLIT = /^[\s)]*\.split\(/;
const JOINT = /["`]\s*\+\s*["`]/g;
const FILLED = /\$\{(?:[^{}]|\{[^{}]*\})*\}|\$\d/g;
/**
 * Code whose texts other programs write: Reprise looks for them, or repeats them word for word. A
 * comment names the program. It counts until the next empty line.
 */
const VERBATIM = /^[ \t]*\/\/ Verbatim: .*\n(?:.*\S.*\n)*/gm;
/** Texts for programs: paths, SQL, HTML, CSS and scripts. */
const CODE =
  /[{}<>=\\]|^[.~]|^\s*(?:select|insert|update|delete|create|from|where|with|pragma) .*[_(]/i;
const SQL = /^(?:SELECT|INSERT|UPDATE|DELETE) /;
/** The fewest words of a text that says something. */
const MIN_WORDS = 4;
/** Names that the program looks up, such as those of tools and of months: nobody reads them in a row. */
const NAMES = /^(?!reprise )[\p{L}\d_]+(?: [\p{L}\d_-]+){3,}$/u;
/** Abbreviations in a row, such as those of months. */
const ABBREVIATIONS = /^\p{Ll}+(?:\.| )(?:[\p{Ll}. ]*\.){2}[\p{Ll}. ]*$/u;
const OF_SENTENCES =
  /(?<=^| )(?:a|after|all|an|and|are|as|at|be|before|by|can|each|every|for|from|has|have|if|in|is|it|its|no|not|of|on|only|or|than|that|the|their|then|there|this|to|was|what|when|where|which|with|without|you|your)(?= |$)/;

/** True for a text with words enough to say something. */
export function isSaying(text: string): boolean {
  if (ABBREVIATIONS.test(text) || NAMES.test(text) && !OF_SENTENCES.test(text)) return false;
  return (text.match(/(?<=^|[\s(])\p{L}{2,}(?=$|[\s,.:;!?)])/gu) ?? []).length >= MIN_WORDS;
}

/** Lists the texts of sources that people read. */
export function messagesIn(sources: Sources): Message[] {
  return [...sources].flatMap(([where, source]) => {
    const code = withoutComments(source.replaceAll(VERBATIM, ""));
    return [...code.matchAll(TEXT)].flatMap(({ 0: literals, index }) => {
      if (SPLIT.test(code.slice(index + literals.length, index + literals.length + 80))) return [];
      const text = literals.replaceAll(FILLED, "…").replaceAll(JOINT, "").slice(1, -1);
      return CODE.test(text) || SQL.test(text) ? [] : [{ text, where }];
    });
  });
}
