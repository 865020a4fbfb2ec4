/** Stems English words by Porter's algorithm, as FTS5 does. Pure. */

const CONSONANTS = "[^aeiou][^aeiouy]*";
const VOWELS = "[aeiouy][aeiou]*";
/**
 * Match words with at least one change from a vowel to a consonant. `ONE` needs exactly one change,
 * `MORE` at least two changes.
 */
const SOME = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}`);
const ONE = new RegExp(`^(?:${CONSONANTS})?${VOWELS}${CONSONANTS}(?:${VOWELS})?$`);
const MORE = new RegExp(`^(?:${CONSONANTS})?(?:${VOWELS}${CONSONANTS}){2}`);
const HAS_VOWEL = new RegExp(`^(?:${CONSONANTS})?[aeiouy]`);
/** Matches a stem that ends like "hop", but not like "snow", "box" or "play". */
const SHORT = new RegExp(`^${CONSONANTS}[aeiouy][^aeiouwxy]$`);
const DOUBLE = /([^aeiouylsz])\1$/;

type Endings = Readonly<Record<string, string>>;

const SECOND: Endings = {
  ...{ ational: "ate", tional: "tion", enci: "ence", anci: "ance", izer: "ize", logi: "log" },
  ...{ bli: "ble", alli: "al", entli: "ent", eli: "e", ousli: "ous", ization: "ize" },
  ...{ ation: "ate", ator: "ate", alism: "al", iveness: "ive", fulness: "ful" },
  ...{ ousness: "ous", aliti: "al", iviti: "ive", biliti: "ble" },
};
const THIRD: Endings = {
  ...{ icate: "ic", ative: "", alize: "al", iciti: "ic", ical: "ic", ful: "", ness: "" },
};
const FOURTH: Endings = Object.fromEntries(
  "al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize".split(" ")
    .map((ending) => [ending, ""]),
);
const ENDINGS = new Map(
  [SECOND, THIRD, FOURTH].map((endings) => {
    const longest = Object.keys(endings).sort((one, other) => other.length - one.length);
    return [endings, new RegExp(`^(.+?)(${longest.join("|")})$`)];
  }),
);

/** Returns the stem of a word of lower-case letters from a to z. */
export function stemOf(word: string): string {
  if (word.length < 3) return word;
  let stem = withoutPlural(word);
  stem = withoutTense(stem);
  if (stem.endsWith("y") && HAS_VOWEL.test(stem.slice(0, -1))) stem = stem.slice(0, -1) + "i";
  stem = withoutEnding(stem, SECOND, SOME);
  stem = withoutEnding(stem, THIRD, SOME);
  stem = /[st]ion$/.test(stem)
    ? MORE.test(stem.slice(0, -3)) ? stem.slice(0, -3) : stem
    : withoutEnding(stem, FOURTH, MORE);
  if (stem.endsWith("e")) {
    const rest = stem.slice(0, -1);
    if (MORE.test(rest) || ONE.test(rest) && !SHORT.test(rest)) stem = rest;
  }
  return stem.endsWith("ll") && MORE.test(stem.slice(0, -1)) ? stem.slice(0, -1) : stem;
}

function withoutPlural(word: string): string {
  if (!word.endsWith("s") || word.endsWith("ss")) return word;
  return /(?:ss|i)es$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function withoutTense(word: string): string {
  if (word.endsWith("eed")) return SOME.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const stem = word.replace(/(?:ed|ing)$/, "");
  if (stem === word || !HAS_VOWEL.test(stem)) return word;
  if (/(?:at|bl|iz)$/.test(stem)) return `${stem}e`;
  if (DOUBLE.test(stem)) return stem.slice(0, -1);
  return SHORT.test(stem) ? `${stem}e` : stem;
}

function withoutEnding(word: string, endings: Endings, least: RegExp): string {
  const [, stem = "", ending = ""] = ENDINGS.get(endings)?.exec(word) ?? [];
  return least.test(stem) ? stem + (endings[ending] ?? "") : word;
}
