/** Doc comments, test names and messages that a reader would have to decode. */
import { isSaying, messagesIn } from "./messages.ts";
import type { Sources } from "./source_code.ts";

/** The most words that a sentence of a summary has. */
export const MAX_WORDS = 20;
/** Words that open a riddle: a reader must turn the sentence round to understand it. */
const RIDDLE =
  /^(?:What|Who|Whom|Whose|Whether|Of|Those|Which|How|Where|When|As|That|Nobody|Nothing|None|Here|There|It)\b/;
/** Phrases in which a noun is missing. */
const MISSING_NOUN =
  /\b(?:nobody|that which|those of which|of which (?:nobody|nothing)|for who\b|who (?:asks|reads|wants|counts|writes|cannot|needs|calls)|what (?:is|was|are|were) (?:not|read|there|known|kept|told|said|here)|the like)\b/i;
/** A verb in the third person. */
const VERB = /^(?:[A-Z][a-z]*s|True|Is|Has|Does|Undoes)\b/;

/** Old phrases for which engineers have plain ones: "is not a", "are included", "the new events". */
const OLD_PHRASE =
  /(?<!\bthere )\b(?:is|are|was|were) no (?!longer\b)|\bnames? no\b|\bnone that\b|\bbegins? so\b|\b(?:go|goes|went) along\b|\b(?:take|takes|took|taken) (?:back|off)\b|\bstays? so\b|\bwithout what\b|\bwhat (?:comes|goes)\b|\bof which an?\b|\bup to date on\b/i;
/** A text that only another one makes whole: make a sentence of each, and join them. */
const CUT =
  /^[;,.] ?(?=\p{L})|[,;] $|\b(?:a|an|and|are|by|for|in|is|of|or|say|says|than|the|to|with) $|\b(?:a|an|and|of|or|than|the|that are|that is)$/u;

/** A fault of a text: where it is, and the text. */
export interface WordFault {
  rule: "opening" | "verb" | "length" | "noun" | "phrase" | "cut";
  path: string;
  line: number;
  text: string;
}

/** Splits a text into sentences; code counts as one word. */
function sentences(text: string): string[] {
  const plain = text.replace(/\{@linkcode ([^}]*)\}|`[^`]*`/g, "Code").replace(/\s+/g, " ").trim();
  return plain.split(/(?<=[.!?:])\s+(?=[A-Z])/);
}

/** Returns the sentences of a text that have too many words. */
export function longSentences(text: string): string[] {
  return sentences(text).filter((one) => one.split(" ").length > MAX_WORDS);
}

/** Lists the faults of the summaries of doc comments: their first paragraphs. */
export function summaryFaults(sources: Sources): WordFault[] {
  return [...sources].flatMap(([path, source]) =>
    [...source.matchAll(/^[ \t]*\/\*\*([^]*?)\*\/\n?([^\n]*)/gm)].flatMap((match) => {
      const [, comment = "", next = ""] = match;
      const text = comment.replaceAll(/^[ \t]*\* ?/gm, "").trim();
      const [summary = ""] = text.split(/\n\s*\n|\n- |(?:^|\s)@[a-z]/);
      const line = source.slice(0, match.index).split("\n").length;
      const fault = (rule: WordFault["rule"]): WordFault => ({
        rule,
        path,
        line,
        text: summary.trim(),
      });
      const faults: WordFault[] = [];
      if (summary.trim() === "") return faults;
      if (RIDDLE.test(summary)) faults.push(fault("opening"));
      else if (isFunction(next) && !VERB.test(summary)) faults.push(fault("verb"));
      if (longSentences(summary).length > 0) faults.push(fault("length"));
      if (MISSING_NOUN.test(summary)) faults.push(fault("noun"));
      return faults;
    })
  );
}

function isFunction(line: string): boolean {
  return /^\s*(?:export )?(?:default )?(?:async )?function\b/.test(line) ||
    /^\s*(?:(?:static|private|override|async|protected) )*[*#]?[a-z]\w*\??(?:<.*>)?\(.*[;{(,]$/
        .test(line) &&
      !/^\s*(?:if|for|while|switch|return)\b/.test(line);
}

/** Lists the names of tests that open as a riddle or miss a noun. */
export function testNameFaults(sources: Sources): WordFault[] {
  return [...sources].flatMap(([path, source]) =>
    [...source.matchAll(/\w\.test\(\s*(?:needing\(\s*)?(["`])((?:(?!\1)[^\\]|\\.)*)\1/g)].flatMap(
      (match) => {
        const [, , name = ""] = match;
        const line = source.slice(0, match.index).split("\n").length;
        const rule = /^(?:what|who|whom|whose|whether|of|those|which|where|that)\b/i.test(name)
          ? "opening" as const
          : MISSING_NOUN.test(name)
          ? "noun" as const
          : undefined;
        return rule === undefined ? [] : [{ rule, path, line, text: name }];
      },
    )
  );
}

/** Lists messages and other texts for people that use old phrases, or are cut from a sentence. */
export function messageFaults(sources: Sources): WordFault[] {
  return messagesIn(sources).filter(({ text }) => isSaying(text)).flatMap(({ text, where }) => {
    const rule = CUT.test(text)
      ? "cut" as const
      : OLD_PHRASE.test(text)
      ? "phrase" as const
      : MISSING_NOUN.test(text)
      ? "noun" as const
      : undefined;
    return rule === undefined ? [] : [{ rule, path: where, line: 0, text }];
  });
}
