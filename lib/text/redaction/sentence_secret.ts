/** Finds secrets that a sentence or a table names: `the API key is …`, `| API_KEY | … |`. */
import { isRandomRun, UUID } from "./chance.ts";
import { isHarmlessBefore, type NameMemo, type SecretName } from "./secret_name.ts";
import type { SecretSpan } from "./secret_span.ts";
import { isNamedValue } from "./secret_value.ts";

/** Matches the text between a name and its value. */
const LINK = new RegExp(
  "(?:\\\\{0,7}[\"'`*_)\\]]){0,4}(?:" + [
    "[ \\t]{1,4}(?:is|was|=|->|\u2192|equals|provided|lautet|es|est|\u00e9)(?:[ \\t]{1,4}(?:now|still|set to))?:?[ \\t]{1,4}",
    "[ \\t]{0,64}\\|[ \\t]{0,8}",
    "[ \\t]{2,64}",
    "\\t",
    "\\\\{1,4}t",
    "[ \\t][\u2013\u2014-][ \\t]",
    ",[ \\t]{0,4}",
    ":\\*{0,2}[ \\t]{1,4}",
    "[:=][ \\t]{0,4}\\[",
    ":[ \\t]{0,4}(?:\\r?\\n|\\\\{1,8}n)[ \\t]{0,16}",
  ].join("|") + ")(?:\\\\{0,7}[\"'`*(]){0,4}",
  "y",
);
/** Matches more texts than `LINK`, as in `401 for key …`. Only a random value counts after it. */
const LOOSE_LINK =
  /(?:\\{0,7}["'`*_)\]]){0,4}[ \t]{1,4}(?:(?:to|used|given|rejected|named|of|id|with)[ \t]{1,4})?(?:\\{0,7}["'`*(]){0,4}/y;
const WORD = /[^\s"'`|,;<>()\[\]{}\\]{8,512}/y;
const LONGEST_WORD = 20;

export function sentenceSecret(
  text: string,
  start: number,
  end: number,
  names: NameMemo,
): SecretSpan[] {
  const link = linkAt(LINK, text, end);
  const at = link ?? linkAt(LOOSE_LINK, text, end);
  if (at === undefined) return [];
  WORD.lastIndex = at;
  const value = WORD.exec(text)?.[0].replace(/[.:!?*_]{1,3}$/, "") ?? "";
  const random = isRandomRun(value) || (UUID.test(value) && tellsAccess(text, start));
  if (value === "" || (link === undefined && !random)) return [];
  const name = fullName(text, start, end, names);
  if (name === undefined || !isNamedValue(value, name)) return [];
  return [{ kind: name.kind, start: at, end: at + value.length, certain: true }];
}

/**
 * Matches a text that ends with words about access, or about a key that no longer works. At most 40
 * characters may follow these words.
 */
const ACCESS =
  /(?:\b(?:401|403|api|auth\w{0,20}|unauthori[sz]ed|forbidden|invalid|incorrect|wrong|rejected|revoked|leaked|rotate\w?|curl)\b|\s-H\s).{0,40}$/i;

/** True if the text before a name mentions access, such as `401`, `api` or `unauthorized`. */
export function tellsAccess(text: string, start: number): boolean {
  return ACCESS.test(text.slice(Math.max(0, start - 40), start));
}

function linkAt(form: RegExp, text: string, at: number): number | undefined {
  form.lastIndex = at;
  const found = form.exec(text);
  return found === null ? undefined : at + found[0].length;
}

/** Returns the meaning of a name and up to two words before it, as in `Datadog API key`. */
export function fullName(
  text: string,
  start: number,
  end: number,
  names: NameMemo,
): SecretName | undefined {
  const own = text.slice(start, end);
  const words = text.slice(Math.max(0, start - 2 * LONGEST_WORD - 2), start).split(" ");
  const [second = "", first = ""] = words.slice(-3, -1).reverse();
  if (!isWord(second)) return names.of(own);
  if (isHarmlessBefore(second) && names.of(own)?.bare) return undefined;
  if (!isWord(first)) return names.of(`${second}_${own}`) ?? names.of(own);
  return names.of(`${first}_${second}_${own}`) ?? names.of(`${second}_${own}`) ?? names.of(own);
}

function isWord(text: string): boolean {
  return text.length <= LONGEST_WORD && /^[A-Za-z]{2,}$/.test(text);
}
