/**
 * Scores how well letters fit a title, by the rules of fzf's second algorithm (`FuzzyMatchV2` in its
 * `src/algo/algo.go`, scheme `default`). Pure.
 */

/** A text that is matched: prepared once, for every key that is typed. */
export interface FuzzyText {
  /** Compared with patterns: in small letters, without accents. */
  text: string;
  /** Points for a match at each place, by the characters around it. */
  bonus: Uint8Array;
}

const MATCH = 16;
const GAP_START = -3;
const GAP_MORE = -1;
const BOUNDARY = 8;
/** A small letter before a capital one, or a letter before a digit. */
const CAMEL = 7;
const CONSECUTIVE = 4;
const AFTER_WHITE = 10;
const AFTER_DELIMITER = 9;
const FIRST_TIMES = 2;
/** Characters that are matched: a title, not a letter that somebody made one of. */
const MOST_CHARACTERS = 300;

const WHITE = 0;
const OTHER = 1;
const DELIMITER = 2;
const SMALL = 3;
const CAPITAL = 4;
const LETTER = 5;
const DIGIT = 6;

function classOf(character: string): number {
  if (character >= "a" && character <= "z") return SMALL;
  if (character >= "A" && character <= "Z") return CAPITAL;
  if (character >= "0" && character <= "9") return DIGIT;
  if (/\s/.test(character)) return WHITE;
  if ("/,:;|".includes(character)) return DELIMITER;
  if (character <= "\x7f") return OTHER;
  if (/\p{Ll}/u.test(character)) return SMALL;
  if (/\p{Lu}/u.test(character)) return CAPITAL;
  if (/\p{N}/u.test(character)) return DIGIT;
  return /\p{L}/u.test(character) ? LETTER : OTHER;
}

/** Returns the points for a match behind a character of one class, at one of another. */
function bonusOf(before: number, at: number): number {
  if (at > OTHER) {
    if (before === WHITE) return AFTER_WHITE;
    if (before === DELIMITER) return AFTER_DELIMITER;
    if (before === OTHER) return BOUNDARY;
  }
  if ((before === SMALL && at === CAPITAL) || (before !== DIGIT && at === DIGIT)) return CAMEL;
  if (at === OTHER || at === DELIMITER) return BOUNDARY;
  return at === WHITE ? AFTER_WHITE : 0;
}

/** Prepares a text whose small letters are `folded`, which has a place for each of its own. */
export function fuzzyText(original: string, folded: string): FuzzyText {
  const text = folded.slice(0, MOST_CHARACTERS);
  // Some letters are two when they are small: then their size is not known.
  const source = original.length === folded.length ? original : folded;
  const bonus = new Uint8Array(text.length);
  let before = WHITE;
  for (let index = 0; index < text.length; index++) {
    const at = classOf(source[index] as string);
    bonus[index] = bonusOf(before, at);
    before = at;
  }
  return { text, bonus };
}

/** Scores and lengths of runs, of the row before and of this one; made once, for 10,000 texts. */
const ROWS = Array.from({ length: 4 }, () => new Int32Array(MOST_CHARACTERS + 1));

/** Returns the first place of each letter, each behind the one before; undefined if one is missing. */
function firstPlaces(text: string, pattern: string): number[] | undefined {
  const places: number[] = [];
  for (let index = 0, from = 0; index < pattern.length; index++) {
    const at = text.indexOf(pattern[index] as string, from);
    if (at < 0) return undefined;
    places.push(at);
    from = at + 1;
  }
  return places;
}

/**
 * Returns the score of the best way in which a text has the letters of a pattern in their order.
 *
 * @param pattern In small letters, without accents.
 * @returns Undefined if the text does not have them.
 */
export function fuzzyScore({ text, bonus }: FuzzyText, pattern: string): number | undefined {
  if (pattern === "") return 0;
  const firsts = firstPlaces(text, pattern);
  if (firsts === undefined) return undefined;
  const end = text.lastIndexOf(pattern.at(-1) as string) + 1;
  let [scores, runs, above, runs_above] = ROWS as [Int32Array, Int32Array, Int32Array, Int32Array];
  for (let row = 0; row < firsts.length; row++) {
    [scores, runs, above, runs_above] = [above, runs_above, scores, runs];
    const letter = pattern.charCodeAt(row);
    const start = firsts[row] as number;
    // Places are one further than in the text, so that there is one before the first.
    scores[start] = 0;
    runs[start] = 0;
    let in_gap = false;
    for (let at = start; at < end; at++) {
      const skipped: number = (scores[at] as number) + (in_gap ? GAP_MORE : GAP_START);
      let matched = 0;
      let run = 0;
      if (text.charCodeAt(at) === letter) {
        const own = bonus[at] as number;
        if (row === 0) {
          matched = MATCH + own * FIRST_TIMES;
          run = 1;
        } else {
          matched = (above[at] as number) + MATCH;
          run = (runs_above[at] as number) + 1;
          let best = own;
          if (run > 1) {
            const first = bonus[at - run + 1] as number;
            // A better place begins a new run.
            if (own >= BOUNDARY && own > first) run = 1;
            else best = Math.max(own, CONSECUTIVE, first);
          }
          if (matched + best < skipped) {
            matched += own;
            run = 0;
          } else matched += best;
        }
      }
      in_gap = row === 0 ? run === 0 : matched < skipped;
      // The first letter is not sought behind a gap: each of its places begins anew.
      scores[at + 1] = row === 0 && run === 1 ? matched : Math.max(matched, skipped, 0);
      runs[at + 1] = run;
    }
  }
  let best = 0;
  for (let at = firsts.at(-1) as number; at < end; at++) {
    best = Math.max(best, scores[at + 1] as number);
  }
  return best;
}
