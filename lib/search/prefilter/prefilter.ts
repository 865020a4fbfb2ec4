/**
 * Tells from bytes whether what a query looks for can be in them, before any of it is parsed: too
 * often, never too rarely. Pure.
 */
import { type ByteNeedle, findNeedle, makeNeedle } from "./byte_needle.ts";
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

  /** Looks at a block; blocks must overlap by `overlap` bytes. Says whether the file may hold it all. */
  look(block: Uint8Array): boolean {
    for (const [term, needle] of this.#missing) {
      if (findNeedle(needle, block) >= 0) this.#missing.delete(term);
    }
    return this.#fits() || findEscape(this.#prefilter.all_escapes, block) >= 0;
  }

  #fits(): boolean {
    return mayFit(this.#prefilter.root, (term) => !this.#missing.has(term));
  }
}

/** The places in a block where a driver or an escape of one stands, one a line, not in order. */
export function* driverPlaces(prefilter: Prefilter, block: Uint8Array): Generator<number> {
  const searches = [
    ...prefilter.drivers.map((needle) => (from: number) => findNeedle(needle, block, from)),
    (from: number): number => findEscape(prefilter.driver_escapes, block, from),
  ];
  for (const find of searches) {
    for (let at = find(0); at >= 0;) {
      yield at;
      const end = block.indexOf(LF, at);
      if (end < 0) break;
      at = find(end + 1);
    }
  }
}

const LF = 0x0a;
