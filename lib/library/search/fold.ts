/**
 * Folds the case of texts for search. It is Unicode's simple case folding, as the flags `iu` of a
 * regular expression use. So an index of folded texts finds the same as the expression.
 */

/** The folded forms of letters that `toLowerCase` does not fold. */
const LEFT: Readonly<Record<string, string>> = {
  ...{ "µ": "μ", "ſ": "s", "\u0345": "ι", "ς": "σ", "ϐ": "β", "ϑ": "θ", "ϕ": "φ", "ϖ": "π" },
  ...{ "ϰ": "κ", "ϱ": "ρ", "ϵ": "ε", "ᲀ": "в", "ᲁ": "д", "ᲂ": "о", "ᲃ": "с", "ᲄ": "т" },
  ...{ "ᲅ": "т", "ᲆ": "ъ", "ᲇ": "ѣ", "ᲈ": "ꙋ", "ẛ": "ṡ", "\u1fbe": "ι" },
  ...{ "\u1fd3": "\u0390", "\u1fe3": "\u03b0", "\ufb05": "\ufb06" },
};
const LEFT_LETTER = new RegExp(`[${Object.keys(LEFT).join("")}]`, "gu");
// deno-lint-ignore no-control-regex -- ASCII is the question
const ASCII = /^[\x00-\x7f]*$/;
/** The only letter whose lower case has two characters. */
const DOTTED_I = "İ";

/** Keeps the number of characters. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  const lower = text.includes(DOTTED_I)
    ? text.split(DOTTED_I).map((piece) => piece.toLowerCase()).join(DOTTED_I)
    : text.toLowerCase();
  return lower.replace(LEFT_LETTER, (letter) => LEFT[letter] ?? letter);
}

let groups: Map<string, string[]> | undefined;

export function caseVariants(character: string): readonly string[] {
  groups ??= letterGroups();
  return groups.get(foldText(character)) ?? [character];
}

/** The highest code point of a letter that has a case. */
const LAST_LETTER = 0x1ffff;

function letterGroups(): Map<string, string[]> {
  const cased = /[\p{Changes_When_Casemapped}\p{Changes_When_Casefolded}]/u;
  const found = new Map<string, string[]>();
  for (let code = 0; code <= LAST_LETTER; code++) {
    const character = String.fromCodePoint(code);
    if (!cased.test(character)) continue;
    const folded = foldText(character);
    const group = found.get(folded);
    if (group === undefined) found.set(folded, [character]);
    else group.push(character);
  }
  return found;
}
