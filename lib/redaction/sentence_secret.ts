/** Secrets that a sentence or a table gives a name: `the API key is …`, `| API_KEY | … |`. */
import type { NameMemo, SecretName } from "./secret_name.ts";
import type { SecretSpan } from "./secret_span.ts";
import { isNamedValue } from "./secret_value.ts";

/** Matches what stands between a name and its value. */
const LINK = new RegExp(
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
/** The longest word of a name. */
const LONGEST_WORD = 20;

/** Finds the secret that follows the name between `start` and `end`. */
export function sentenceSecret(
  text: string,
  start: number,
  end: number,
  names: NameMemo,
): SecretSpan[] {
  LINK.lastIndex = end;
  const link = LINK.exec(text);
  if (link === null) return [];
  const at = end + link[0].length;
  WORD.lastIndex = at;
  const value = WORD.exec(text)?.[0].replace(/[.:!?*_]{1,3}$/, "") ?? "";
  if (value === "") return [];
  const name = fullName(text, start, end, names);
  if (name === undefined || !isNamedValue(value, name)) return [];
  return [{ kind: name.kind, start: at, end: at + value.length, certain: true }];
}

/** Returns a name with the words before it, as in a sentence: `Datadog API key`. */
export function fullName(
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
