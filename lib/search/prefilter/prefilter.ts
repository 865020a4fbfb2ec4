/**
 * Tells from bytes whether a query can match them, before any of it is parsed. It may say yes too
 * often, never too rarely.
 */
import type { ByteFinder } from "../../log/byte_finder.ts";
import { type BytePattern, textPattern } from "../../log/byte_pattern.ts";
import { type ByteNeedle, makeNeedle } from "./byte_needle.ts";
import { ESCAPE_BYTES, type EscapeSearch, findEscape } from "./escape_search.ts";
import type { Query, QueryNode, Term } from "../query.ts";
import { mayFit } from "../query_match.ts";

/** What to look for in bytes. */
export interface Prefilter {
  readonly root: QueryNode;
  /** The needle of each term that has one. */
  readonly needles: ReadonlyMap<Term, ByteNeedle>;
  /** Whatever fits has one of them, or an escape of a unit of one. */
  readonly drivers: readonly ByteNeedle[];
  /** Escapes of units of the drivers, and of all needles. */
  readonly driver_escapes: EscapeSearch;
  readonly all_escapes: EscapeSearch;
  /** Bytes of the longest thing to be found. */
  readonly overlap: number;
}

/** The prefilter of a query; undefined where bytes do not tell. */
export function makePrefilter({ root, terms }: Query): Prefilter | undefined {
  const needles = new Map<Term, ByteNeedle>();
  for (const term of terms) {
    const needle = termNeedle(term);
    if (needle !== undefined) needles.set(term, needle);
  }
  const drivers = driversOf(root, needles);
  if (drivers === undefined) return undefined;
  const lengths = [...needles.values()].map(({ length }) => length);
  return {
    root,
    needles,
    drivers,
    driver_escapes: escapesOf(drivers),
    all_escapes: escapesOf([...needles.values()]),
    overlap: Math.max(ESCAPE_BYTES, ...lengths) - 1,
  };
}

/** The needle of a term's core that has the longest one: all of its cores must be there. */
function termNeedle({ cores }: Term): ByteNeedle | undefined {
  return longest(cores.flatMap((core) => makeNeedle(core) ?? []));
}

function longest(needles: readonly ByteNeedle[]): ByteNeedle | undefined {
  return needles.reduce<ByteNeedle | undefined>(
    (best, needle) => needle.length > (best?.length ?? 0) ? needle : best,
    undefined,
  );
}

/** Needles of which whatever fits a node has one; undefined where there are none such. */
function driversOf(
  node: QueryNode,
  needles: ReadonlyMap<Term, ByteNeedle>,
): readonly ByteNeedle[] | undefined {
  if (node.type === "not") return undefined;
  if (node.type === "term") {
    const needle = needles.get(node);
    return needle === undefined ? undefined : [needle];
  }
  const found = node.children.map((child) => driversOf(child, needles));
  if (node.type === "or") {
    const known = found.filter((drivers) => drivers !== undefined);
    return known.length === found.length ? known.flat() : undefined;
  }
  return found.reduce((best, drivers) => rarity(drivers) > rarity(best) ? drivers : best);
}

/** The shortest needle is found most often. */
function rarity(drivers: readonly ByteNeedle[] | undefined): number {
  return drivers === undefined ? 0 : Math.min(...drivers.map(({ length }) => length));
}

function escapesOf(needles: readonly ByteNeedle[]): EscapeSearch {
  return new Set([...STRANGE_UNITS, ...needles.flatMap(({ units }) => [...units])]);
}

/**
 * Nobody escapes a letter, a digit or, so, a backslash. Where somebody did, in JSON within JSON, an
 * escape may itself be escaped, and nothing can be told.
 */
const STRANGE_UNITS: readonly number[] = Array.from({ length: 128 }, (_, code) => code)
  .filter((code) => /[0-9A-Za-z\\]/.test(String.fromCharCode(code)));

/** What was found so far in the blocks of one file. */
export class FileEvidence {
  readonly #prefilter: Prefilter;
  readonly #missing: Map<Term, ByteNeedle>;

  constructor(prefilter: Prefilter) {
    this.#prefilter = prefilter;
    this.#missing = new Map(prefilter.needles);
  }

  /**
   * Looks at the first `length` bytes of a finder; blocks must overlap by `overlap` bytes. Says
   * whether the file may hold it all.
   */
  look(finder: ByteFinder, length: number): boolean {
    for (const [term, { pattern }] of this.#missing) {
      if (finder.find(pattern, 0, length) >= 0) this.#missing.delete(term);
    }
    return this.#fits() || findEscape(this.#prefilter.all_escapes, finder, 0, length) >= 0;
  }

  #fits(): boolean {
    return mayFit(this.#prefilter.root, (term) => !this.#missing.has(term));
  }
}

/** Gives the first place from `start` on; -1 if none. */
type FindFrom = (start: number) => number;

/** The places from `start` to `end` where a driver or an escape of one stands, one a line, not in order. */
export function* driverPlaces(
  { drivers, driver_escapes }: Prefilter,
  finder: ByteFinder,
  start: number,
  end: number,
): Generator<number> {
  const find = (pattern: BytePattern): FindFrom => (from) => finder.find(pattern, from, end);
  const searches = [
    ...drivers.map(({ pattern }) => find(pattern)),
    (from: number): number => findEscape(driver_escapes, finder, from, end),
  ];
  const findLineFeed = find(LINE_FEED);
  for (const findNext of searches) {
    for (let at = findNext(start); at >= 0;) {
      yield at;
      const line_end = findLineFeed(at);
      if (line_end < 0) break;
      at = findNext(line_end + 1);
    }
  }
}

const LINE_FEED = textPattern("\n");
