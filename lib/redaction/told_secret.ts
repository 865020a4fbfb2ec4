/** Secrets that a sentence or a table gives a name: `the API key is …`, `| API_KEY | … |`. */
import type { NameMemo, SecretName } from "./secret_name.ts";
import type { SecretSpan } from "./secret_span.ts";
import { isToldValue } from "./secret_value.ts";

/** Between a name and the word that it is given. */
const TELLING = new RegExp(
  "[\"'`*_)\\]]{0,4}(?:" + [
    "[ \\t]{1,4}(?:is|was|=|->|\u2192|equals)(?:[ \\t]{1,4}(?:now|still|set to))?:?[ \\t]{1,4}",
    "[ \\t]{0,64}\\|[ \\t]{0,8}",
    "[ \\t]{2,64}",
    "\\t",
    "\\\\{1,4}t",
    "[ \\t][\u2013\u2014-][ \\t]",
    ",[ \\t]{0,4}",
  ].join("|") + ")[\"'`*(]{0,4}",
  "y",
);
const WORD = /[^\s"'`|,;<>()\[\]{}\\]{8,512}/y;
/** Of a word in a name. */
const LONGEST_WORD = 20;

/** The secret that is told after the name between `start` and `end`. */
export function toldSecret(
  text: string,
  start: number,
  end: number,
  names: NameMemo,
): SecretSpan[] {
  TELLING.lastIndex = end;
  const telling = TELLING.exec(text);
  if (telling === null) return [];
  const at = end + telling[0].length;
  WORD.lastIndex = at;
  const value = WORD.exec(text)?.[0].replace(/[.:!?*_]{1,3}$/, "") ?? "";
  if (value === "") return [];
  const name = toldName(text, start, end, names);
  if (name === undefined || !isToldValue(value, name)) return [];
  return [{ kind: name.kind, start: at, end: at + value.length, certain: true }];
}

/** What a name says with the words before it, as in a sentence: `Datadog API key`. */
export function toldName(
  text: string,
  start: number,
  end: number,
  names: NameMemo,
): SecretName | undefined {
  const own = text.slice(start, end);
  const words = text.slice(Math.max(0, start - 2 * LONGEST_WORD - 2), start).split(" ");
  const [first = "", second = ""] = words.slice(-3, -1);
  if (!isWord(second)) return names.of(own);
  if (!isWord(first)) return names.of(`${second}_${own}`) ?? names.of(own);
  return names.of(`${first}_${second}_${own}`) ?? names.of(`${second}_${own}`) ?? names.of(own);
}

function isWord(text: string): boolean {
  return text.length <= LONGEST_WORD && /^[A-Za-z]{2,}$/.test(text);
}
