/**
 * Scores turns by the words of a question. A rare word counts more, and so does a word of a prompt
 * or of a short turn. Each word counts once. Pure.
 */

/** Parameters of BM25: `K1` for saturation, `B` for the weight of a turn's length. */
const K1 = 1.2;
const B = 0.6;
/** Weight of a word in a prompt; 1 in an answer. Prompts keep closer to the subject. */
const PROMPT = 2;
/**
 * Minimum length that counts, as a multiple of the mean length of turns. Without this minimum, a
 * turn of a few words would win by its length.
 */
const SHORTEST = 0.7;
/** Minimum score of a turn likely about the question, per logarithm of the number of turns. */
const BAR = 1.4;
const LEAST_WORDS = 2;

/** Arrays with one entry per turn. */
export interface TurnColumns {
  /** The question's words that occur in each turn, one bit per word. */
  words: readonly number[];
  /** The question's words that occur in each turn's prompt, one bit per word. */
  prompts: readonly number[];
  lengths: readonly number[];
}

export interface TurnScores {
  /** The weight of each word of the question. Rare words weigh more. */
  weights: readonly number[];
  /** Score of each turn; 0 without a word of the question. */
  scores: Float64Array;
  /** True for a turn that is likely about the question. */
  isStrong(turn: number): boolean;
}

export function scoreTurns({ words, prompts, lengths }: TurnColumns, count: number): TurnScores {
  const turns = words.length;
  const found = new Uint32Array(count);
  let total = 0;
  for (let turn = 0; turn < turns; turn++) {
    total += lengths[turn] ?? 0;
    for (let left = words[turn] ?? 0; left !== 0; left &= left - 1) found[lowestBit(left)]!++;
  }
  const weights = [...found].map((number) => Math.log(1 + (turns - number + 0.5) / (number + 0.5)));
  const mean = total / turns;
  const scores = Float64Array.from(words, (held, turn) => {
    if (held === 0) return 0;
    const length = Math.max((lengths[turn] ?? 0) / mean, SHORTEST);
    const damping = K1 * (1 - B + B * length);
    const asked = prompts[turn] ?? 0;
    const [once, more] = [1 / (1 + damping), PROMPT / (PROMPT + damping)];
    const sum = weightOf(held & ~asked, weights) * once + weightOf(asked, weights) * more;
    return sum * (K1 + 1);
  });
  const bar = BAR * Math.log(turns + 1);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  const isStrong = (turn: number): boolean => {
    const held = words[turn] ?? 0;
    const share = weightOf(held, weights) / all;
    return bitsOf(held) >= LEAST_WORDS && (scores[turn] ?? 0) * Math.sqrt(share) > bar;
  };
  return { weights, scores, isStrong };
}

export function weightOf(words: number, weights: readonly number[]): number {
  let sum = 0;
  for (let left = words; left !== 0; left &= left - 1) sum += weights[lowestBit(left)] ?? 0;
  return sum;
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

export function bitsOf(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) count++;
  return count;
}
