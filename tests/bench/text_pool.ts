/**
 * Texts such as tools print and models write: code, paths, quotes, newlines, some of it not ASCII.
 */
import type { Random } from "./random.ts";

const POOL_CHARACTERS = 512 * 1024;
const POOLS = 12;
/** One text in so many is not ASCII. */
const FOREIGN_SHARE = 1 / 8;

const WORDS =
  ("const function return import export await value stream line error warn match of the " +
    "and to in if (index === 0) { } => result: \"quoted\" 'single' \\n 12345 0x7f src/main.ts " +
    "/usr/lib/file.rs tests/log_test.ts // TODO: */ [] {}; <T> ok").split(" ");
const FOREIGN_WORDS = ["é", "naïve", "Größe", "漢字", "日本語", "🙂", "—", "“word”", "Ελληνικά"];

/** Gives a text of about so many characters. */
export type TextPool = (characters: number) => string;

function makePool(random: Random, foreign: boolean, characters: number): string {
  const words: string[] = [];
  for (let length = 0; length < characters;) {
    const word = foreign && random.unit() < 0.1 ? random.pick(FOREIGN_WORDS) : random.pick(WORDS);
    const space = random.unit() < 0.12 ? "\n    ".slice(0, 1 + random.below(5)) : " ";
    words.push(word, space);
    length += word.length + space.length;
  }
  return words.join("");
}

/**
 * Texts are cut from a few long ones: making each anew would take longer than all measurements.
 * Those for few `bytes` are shorter, because a small session would take less time than they.
 */
export function textPool(random: Random, bytes = Infinity): TextPool {
  const size = Math.min(POOL_CHARACTERS, Math.max(32_768, bytes / POOLS));
  const plain = Array.from({ length: POOLS }, () => makePool(random, false, size));
  const foreign = [makePool(random, true, size), makePool(random, true, size)];
  return (characters) => {
    const pool = random.pick(random.unit() < FOREIGN_SHARE ? foreign : plain);
    const start = random.below(pool.length - Math.min(characters, pool.length) + 1);
    return pool.slice(start, start + characters).toWellFormed();
  };
}
