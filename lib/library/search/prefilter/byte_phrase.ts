/**
 * Finds a term in bytes: its words in sequence, separated by any white space.
 *
 * A reader may compose texts of the lines in a record's strings, in any order. So after the end of
 * a line, the words may continue at the start of another line of the record. The search also tells
 * whether the term may be a whole word. Results may include false matches, but miss none. Pure.
 */
import type { ByteFinder } from "../../../core/log/byte_finder.ts";
import { type BytePattern, bytePattern, textPattern } from "../../../core/log/byte_pattern.ts";
import { caseVariants, foldText } from "../fold.ts";
import {
  beginsLine,
  behindSign,
  behindSpace,
  endsLine,
  endsText,
  goesOnBefore,
  goesOnBehind,
  isLeftOut,
} from "./byte_text.ts";

/** Whole lines: the bytes of `finder` from offset `start` to `end`. */
export interface ByteLines {
  finder: ByteFinder;
  start: number;
  end: number;
}

/** The occurrence of a term in lines: not at all, only within words, or as a whole word. */
export type Standing = "none" | "part" | "whole";

/** The words of a term. `driver` is the index of the word that is searched first. */
export interface BytePhrase {
  readonly words: readonly PhraseWord[];
  readonly driver: number;
}

interface PhraseWord {
  readonly needle: ByteNeedle | undefined;
  /** The word's bytes in upper and lower case; undefined if the word has several spellings. */
  readonly pattern: BytePattern | undefined;
  /** True if the reader may add the word to a text. The file's bytes then need not contain it. */
  readonly is_added: boolean;
}

/** Matches a number or its start. Numbers can be in a text even if they are not in the file. */
const NUMBER = /^[-+.\de]+$/i;
/** Minimum length in bytes of the word searched first. Shorter words are in nearly every line. */
const SELECTIVE_BYTES = 2;

/**
 * Returns a term as bytes; undefined if bytes cannot find the term.
 *
 * @param cores The words of the term.
 * @param added_words Words that a reader adds to a file's texts.
 */
export function makePhrase(cores: readonly string[], added_words: string): BytePhrase | undefined {
  const added = foldText(added_words);
  const words = cores.map((core) => {
    const needle = makeNeedle(core);
    const is_plain = needle?.length === new TextEncoder().encode(core).length &&
      (cores.length === 1 || !NUMBER.test(core));
    const is_added = cores.length > 1 && added.includes(foldText(core));
    return { needle, pattern: is_plain ? needle.pattern : undefined, is_added };
  });
  const usable = words.filter(({ needle, is_added }) => needle !== undefined && !is_added);
  const driver = usable.find(({ pattern }) => (pattern?.values.length ?? 0) >= SELECTIVE_BYTES) ??
    usable.sort((a, b) => (b.needle?.length ?? 0) - (a.needle?.length ?? 0))[0];
  return driver === undefined ? undefined : { words, driver: words.indexOf(driver) };
}

/** Returns how the lines contain a term. Without `whole`, a match within a word counts as whole. */
export function standingOf(phrase: BytePhrase, lines: ByteLines, whole: boolean): Standing {
  const { words, driver } = phrase;
  const { finder, start, end } = lines;
  const { needle, pattern } = words[driver] as PhraseWord;
  if (needle === undefined) return "whole";
  const place = { words, finder, end, unjoined: new Map<number, number>() };
  let standing: Standing = "none";
  for (let at = finder.find(needle.pattern, start, end); at >= 0;) {
    if (pattern === undefined) return "whole";
    const behind = endOf(place, at + needle.length, driver + 1);
    const inside = behind !== undefined && behind !== OPEN && whole &&
      (goesOnBehind(finder.bytes, behind) || (driver === 0 && goesOnBefore(finder.bytes, at)));
    if (behind !== undefined && !inside) return "whole";
    if (inside) standing = "part";
    at = finder.find(needle.pattern, at + 1, end);
  }
  return standing;
}

/** Stands for the end of a phrase if bytes do not tell where the phrase ends. */
const OPEN = -1;

interface PhraseSearch extends Omit<ByteLines, "start"> {
  words: readonly PhraseWord[];
  /** Offset by word index: no line before the offset begins with the words from this index on. */
  unjoined: Map<number, number>;
}

/** Returns the end of a phrase whose words from `index` on follow `at`; undefined for no match. */
function endOf(search: PhraseSearch, at: number, index: number): number | undefined {
  const { words, finder: { bytes }, end } = search;
  for (; index < words.length; index++) {
    const { pattern } = words[index] as PhraseWord;
    const next = behindSpace(bytes, at, end);
    if (next >= end || endsText(bytes, at, next)) return joinedEnd(search, at, index);
    if (isLeftOut(bytes, next)) return OPEN;
    if (next === at) return undefined;
    if (pattern === undefined) return OPEN;
    const start = standsAt(bytes, pattern, next) ? next : behindSign(bytes, next);
    if (!standsAt(bytes, pattern, start)) {
      return endsLine(bytes, at, next) ? joinedEnd(search, at, index) : undefined;
    }
    at = start + pattern.values.length;
  }
  return at;
}

/**
 * Returns {@linkcode OPEN} if another line of the record may begin with the remaining words, from
 * `index` on. Readers may join the lines of a record, so the phrase may continue there.
 */
function joinedEnd(search: PhraseSearch, at: number, index: number): typeof OPEN | undefined {
  return isJoined(search, at, index) ? OPEN : undefined;
}

function isJoined(search: PhraseSearch, at: number, index: number): boolean {
  const { words, finder, end, unjoined } = search;
  while (words[index]?.is_added) index++;
  const pattern = words[index]?.pattern;
  if (pattern === undefined) return true;
  if (at < (unjoined.get(index) ?? 0)) return false;
  const start = at === 0 ? 0 : finder.bytes.lastIndexOf(LF, at - 1) + 1;
  const feed = finder.find(LINE_FEED, at, end);
  const record_end = feed < 0 ? end : feed;
  for (let found = finder.find(pattern, start, record_end); found >= 0;) {
    const behind = found + pattern.values.length;
    if (beginsLine(finder.bytes, found) && endOf(search, behind, index + 1) !== undefined) {
      return true;
    }
    found = finder.find(pattern, found + 1, record_end);
  }
  unjoined.set(index, record_end);
  return false;
}

const LF = 0x0a;
const LINE_FEED = textPattern("\n");

function standsAt(bytes: Uint8Array, { values, masks }: BytePattern, at: number): boolean {
  for (let index = 0; index < values.length; index++) {
    const byte = (bytes[at + index] ?? 0) | (masks[index] as number);
    if (byte !== values[index]) return false;
  }
  return true;
}

export interface ByteNeedle {
  readonly pattern: BytePattern;
  readonly length: number;
  /** Code units of the pattern in upper and lower case. A file may escape any character. */
  readonly units: ReadonlySet<number>;
}

interface Segment {
  /** The possible bytes at each offset. */
  places: Set<number>[];
  units: Set<number>;
}

const encoder = new TextEncoder();
/** Matches characters that JSON can write in several ways. U+FFFD stands for invalid UTF-8. */
const MANY_FORMS = /["'`\\/<>[\]\p{Cc}\p{Cs}\uFFFD]/u;
/** Maximum length of a needle in bytes. Longer needles are found no faster. */
const LONGEST = 64;

/**
 * Returns the longest part of a word that JSON writes in only one way, apart from case and escapes.
 * Undefined if there is none. A text with the word has the bytes of this part, or an escaped code
 * unit.
 */
export function makeNeedle(core: string): ByteNeedle | undefined {
  let best: Segment | undefined;
  let current: Segment = { places: [], units: new Set() };
  for (const character of core) {
    const forms = formsOf(character);
    if (forms === undefined) {
      current = { places: [], units: new Set() };
      continue;
    }
    if (current.places.length + forms.places.length > LONGEST) break;
    for (const one of forms.places) current.places.push(one);
    for (const unit of forms.units) current.units.add(unit);
    if (current.places.length > (best?.places.length ?? 0)) best = current;
  }
  return best === undefined ? undefined : compile(best);
}

/** Returns a character's possible bytes; undefined if its upper and lower case differ in length. */
function formsOf(character: string): Segment | undefined {
  if (MANY_FORMS.test(character)) return undefined;
  const variants = caseVariants(character);
  const length = encoder.encode(character).length;
  const units = new Set<number>();
  const places = Array.from({ length }, () => new Set<number>());
  for (const variant of variants) {
    for (let index = 0; index < variant.length; index++) units.add(variant.charCodeAt(index));
    const bytes = encoder.encode(variant);
    // The longer forms of k and s are rare and searched separately.
    if (bytes.length !== length) {
      if (!LONG_FORMS.has(variant)) return undefined;
      continue;
    }
    bytes.forEach((byte, index) => places[index]?.add(byte));
  }
  return { places, units };
}

/** The Kelvin sign and the long s, which take more bytes than the letters k and s. */
const LONG_FORMS: ReadonlySet<string> = new Set(["\u212a", "\u017f"]);

function compile({ places, units }: Segment): ByteNeedle {
  return { pattern: bytePattern(places), length: places.length, units };
}
