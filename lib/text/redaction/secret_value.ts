/** Tells whether a named value is a secret, or code, a type, a path or a word. */
import {
  alternates,
  entropyOf,
  isEvenlyMixed,
  isRandomRun,
  isStandIn,
  looksRandom,
  UUID,
} from "./chance.ts";
import { type SecretName, secretName } from "./secret_name.ts";

export interface ValueForm {
  /** True if the value cannot be code. It is in quotes, in JSON or in an environment variable. */
  literal: boolean;
}

const WORDS =
  /^(?:password|passwd|pass|secret|token|string|str|text|bool(?:ean)?|number|int(?:eger)?|null|nil|none|undefined|true|false|required|optional|hidden|unknown|default|development|production|enabled|disabled|invalid|missing|current|user(?:name)?|admin|root|postgres|mysql|redis|guest|test(?:ing)?|bearer|basic|oauth2?|apikey|header|query|cookie|same-origin|include|omit|changeit|forgot|reset|confirm|empty|encrypted|plain(?:text)?|base64|sha\d*|md5|bcrypt|jwt|any|object|function|unset|notset|n\/a)$/i;
const NOT_A_SECRET =
  /^(?:(?:https?|wss?|file|ftp):\/\/[^@]{0,2000}$|\.{0,2}\/(?=[\w.-]{0,60}(?:\/|$))|~\/|[A-Za-z]:\\|data:|[sS][hH][aA]\d{1,3}[-:]|[mM][dD]5[-:]|arn:|projects\/|op:\/\/|vault:|env:|file:|secret:)/;
const CODE =
  /\(|\)|=>|;$|^(?:await|new|this|self|const|let|var|return|function|typeof)\b|^[A-Za-z_$][\w$]{0,60}(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]{0,60}){1,8}[,;]?$/;

function isLongAndRandom(value: string): boolean {
  return value.length >= 32 && looksRandom(value);
}

/** True for code, unless the value is a random token with a dot. */
function isCode(value: string): boolean {
  return CODE.test(value) && !(value.length >= 20 && isEvenlyMixed(value));
}

/**
 * Number of first characters of a value that are judged. More would be slow in a text that repeats
 * one long value under many names.
 */
export const VALUE_SAMPLE = 96;

export function isSecretValue(whole: string, name: SecretName, { literal }: ValueForm): boolean {
  const value = whole.slice(0, VALUE_SAMPLE);
  if (value.length < 4 || isStandIn(value) || WORDS.test(value)) return false;
  // Base64 may begin like a path.
  if (NOT_A_SECRET.test(value) && (value.includes("://") || !isLongAndRandom(value))) return false;
  if (name.bare) return isRandomRun(value) || (name.access === true && UUID.test(value));
  if (name.strength === "weak") return isRandom(value) || (name.chosen && isThoughtUp(value));
  if (name.kind === "cookie") return /^[\w.-]{1,60}=[^\s]{4,}/.test(value);
  if (/^\d{1,5}$/.test(value) || (!literal && isCode(value))) return false;
  if (/\s/.test(value)) return false;
  return name.chosen ? isChosen(value, literal) : isIssued(value, literal);
}

const ESCAPED = /%(?:2b|2f|3d)/gi;
const PADDED_BASE64 = /^(?=.*[A-Z])(?=.*[a-z])[A-Za-z\d+/]{30,}={1,2}$/;

/** True for a random value, also of letters alone or in percent-encoded base64. */
function isRandom(value: string): boolean {
  if (looksRandom(value)) return true;
  const bytes = value.replaceAll(ESCAPED, (sign) => decodeURIComponent(sign));
  return isRandomRun(bytes) || (PADDED_BASE64.test(bytes) && entropyOf(bytes) >= 4);
}

/** True for a value that people choose as a password, not for an identifier of source code. */
function isChosen(value: string, literal: boolean): boolean {
  if (namesSecret(value)) return false;
  const plain = /^[A-Za-z_.-]+$/.test(value);
  if (plain) return literal && value.length >= 8 && !/^[A-Z][a-z]+$/.test(value) && !isName(value);
  if (literal) return value.length >= 4 && !/^[^\p{L}\p{N}]+$/u.test(value);
  if (/^[A-Z]?[a-z]+\d{0,2}(?:[A-Z][a-z]+)+\d{0,2}$/.test(value)) return false;
  if (isThoughtUp(value)) return true;
  return value.length >= 6 && /\d/.test(value) && /[^\d.,-]/.test(value);
}

/** True for capitals, small letters, and digits or signs that alternate more than in names. */
function isThoughtUp(value: string): boolean {
  return value.length >= 10 && alternates(value) && /[a-z]/.test(value) && /[A-Z]/.test(value) &&
    /[^\w.]|\d/.test(value) && !/\s/.test(value);
}

/** True if the value in a sentence or a table is a secret, not another word. */
export function isNamedValue(value: string, name: SecretName): boolean {
  if (isStandIn(value) || WORDS.test(value) || NOT_A_SECRET.test(value) || isCode(value)) {
    return false;
  }
  if (name.bare) return isRandomRun(value) || UUID.test(value);
  if (looksRandom(value)) return true;
  if (name.strength === "weak") return false;
  if (!name.chosen) return UUID.test(value) || (value.length >= 20 && alternates(value));
  if (isThoughtUp(value)) return true;
  return value.length >= 8 && /\d/.test(value) && isChosen(value, false);
}

/** True for a value that a machine made: letters with digits, or upper and lower case at random. */
function isIssued(value: string, literal: boolean): boolean {
  if (value.length < 8 || namesSecret(value)) return false;
  if (!/\d/.test(value)) {
    const mixed = /[a-z]/.test(value) && /[A-Z]/.test(value) && /^[\w+/=-]+$/.test(value);
    return value.length >= 20 && mixed && !isName(value) && entropyOf(value) >= 3.5;
  }
  if (!/[A-Za-z]/.test(value)) return literal && value.length >= 12;
  if (/^[A-Za-z_]+\d{1,2}$/.test(value) && !alternates(value)) return false;
  if (isName(value)) return false;
  return literal || (value.length >= 16 && entropyOf(value) >= 2.8);
}

/** True if the value is itself the name of a secret, as in `apiKey: "OPENAI_API_KEY"`. */
function namesSecret(value: string): boolean {
  return /^[A-Za-z][\w.-]*$/.test(value) && !looksRandom(value) &&
    (secretName(value) !== undefined || /password|secret|token|api_?key/i.test(value)) &&
    !/\d{3}/.test(value) && !hasNumberInWord(value);
}

/** Matches names with a number, as of programs and formats, so that their numbers do not count. */
const NUMBERED =
  /(?<![A-Za-z])(?:oauth\d|auth0|(?:base|b|win|int|md|sha)\d{1,2}|k8s|i18n|l10n|a11y|s3|ec2|r2|v\d|http[23]|web[23]|db2|e2e|p2p|b2[bc]|2fa|argon2|pbkdf2|pkcs\d{1,2})/gi;

/** True for a number inside a word, as in `hunter2secretX9`. Names have numbers at their end. */
function hasNumberInWord(value: string): boolean {
  return /[A-Za-z]\d+[a-z]/.test(value.replaceAll(NUMBERED, "_"));
}

/** True for words joined as in source code: camel case, constants, or with dots, `_` or `-`. */
function isName(value: string): boolean {
  return /^(?:[a-z]+(?:[A-Z][a-z]+)+|[A-Z][A-Z]+(?:_[A-Z0-9]+)+|[a-z]+(?:[._-][a-z]+){1,8})$/.test(
    value,
  );
}
