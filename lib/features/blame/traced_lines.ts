/** Traces the lines of a version to the previous version, and finds the ambiguous lines. Pure. */
import { diffArrays } from "npm:diff@9.0.0";

/** Maximum number of changed lines to align. More lines would take long, and prove little. */
const MOST_CHANGES = 5_000;

interface TracedLines {
  /** Index of each line in the previous version, from 0; undefined for a new line. */
  places: (number | undefined)[];
  /** Indexes in the new version of the lines whose origin is ambiguous. */
  unsure: ReadonlySet<number>;
}

/** Returns the index of each line in the previous version; undefined for a new line. */
export function alignLines(
  before: readonly string[],
  after: readonly string[],
): (number | undefined)[] {
  const [start, end] = equalEnds(before, after);
  const changes = diffArrays(
    before.slice(start, before.length - end),
    after.slice(start, after.length - end),
    { maxEditLength: MOST_CHANGES },
  );
  const places: (number | undefined)[] = Array.from({ length: start }, (_, index) => index);
  let at = start;
  for (const { added, removed, value } of changes ?? []) {
    if (removed) at += value.length;
    else for (const _ of value) places.push(added ? undefined : at++);
  }
  // Too many lines have changed.
  while (places.length < after.length - end) places.push(undefined);
  for (let left = end; left > 0; left--) places.push(before.length - left);
  return places;
}

function equalEnds(
  before: readonly string[],
  after: readonly string[],
): [start: number, end: number] {
  const most = Math.min(before.length, after.length);
  let [start, end] = [0, 0];
  while (start < most && before[start] === after[start]) start++;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return [start, end];
}

/**
 * Traces lines. A line that is unique in both versions is found by its text. Equal lines between
 * two unique lines are traced for certain only if all of them are new, or none is. Otherwise their
 * change could have been made a little higher or lower.
 */
export function traceLines(before: readonly string[], after: readonly string[]): TracedLines {
  const places = alignLines(before, after);
  const unsure = new Set<number>();
  const [start, end] = equalEnds(before, after);
  const isAlone = alone(before, after, before.length + after.length - 2 * (start + end));
  let [begin, last] = [start, after.length - end];
  if (begin === last && before.length === start + end) return { places, unsure };
  while (begin > 0 && !isAlone(after[begin - 1] ?? "")) begin--;
  while (last < after.length && !isAlone(after[last] ?? "")) last++;
  const anchors = anchorsOf({ before, after, places, begin, last }, isAlone);
  anchors.push({ at: last, place: before.length - (after.length - last) });
  let begin_before = begin;
  for (const { at, place } of anchors) {
    if (at > begin) {
      markUnsure(before.slice(begin_before, place), { places, after, begin, end: at }, unsure);
    }
    [begin, begin_before] = [at + 1, place + 1];
  }
  return { places, unsure };
}

/** Maximum number of changed lines for which unique lines are searched one by one. */
const FEW_LINES = 64;

/** Returns a test for lines that are unique in both versions. */
function alone(
  before: readonly string[],
  after: readonly string[],
  changed: number,
): (text: string) => boolean {
  if (changed > FEW_LINES) {
    const [stood, now] = [linesAlone(before), linesAlone(after)];
    return (text) => stood.has(text) && now.has(text);
  }
  const isOnce = (lines: readonly string[], text: string): boolean => {
    const first = lines.indexOf(text);
    return first >= 0 && lines.indexOf(text, first + 1) < 0;
  };
  return (text) => isOnce(after, text) && isOnce(before, text);
}

/** A line that both versions have, with its index now (`at`) and before (`place`). */
interface Anchor {
  at: number;
  place: number;
}

interface TracedPart {
  before: readonly string[];
  after: readonly string[];
  places: readonly (number | undefined)[];
  begin: number;
  last: number;
}

/**
 * Returns unique lines that are in the same order in both versions. If two lines were swapped,
 * neither is returned.
 */
function anchorsOf(
  { before, after, places, begin, last }: TracedPart,
  isAlone: (text: string) => boolean,
): Anchor[] {
  const stayed: Anchor[] = [];
  const moved: Anchor[] = [];
  for (let at = begin; at < last; at++) {
    const text = after[at] ?? "";
    if (!isAlone(text)) continue;
    const aligned = places[at];
    if (aligned === undefined) moved.push({ at, place: before.indexOf(text) });
    else stayed.push({ at, place: aligned });
  }
  const crossed = new Set<Anchor>();
  for (const one of moved) {
    for (const other of stayed) {
      if ((other.at < one.at) !== (other.place < one.place)) crossed.add(other);
    }
  }
  return stayed.filter((one) => !crossed.has(one));
}

interface Stretch {
  places: readonly (number | undefined)[];
  after: readonly string[];
  begin: number;
  end: number;
}

function markUnsure(
  before: readonly string[],
  { places, after, begin, end }: Stretch,
  unsure: Set<number>,
): void {
  if (before.length === end - begin && places.slice(begin, end).every((one) => one !== undefined)) {
    return;
  }
  const stood = countsOf(before);
  const now = countsOf(after.slice(begin, end));
  const stayed = countsOf(
    after.slice(begin, end).filter((_, index) => places[begin + index] !== undefined),
  );
  // Two lines changed places: either could be the line that stayed.
  const crossed = [...stood].some(([text, count]) =>
    Math.min(count, now.get(text) ?? 0) > (stayed.get(text) ?? 0)
  );
  for (let at = begin; at < end; at++) {
    const text = after[at] ?? "";
    const count = stood.get(text) ?? 0;
    const is_all_new = count === 0;
    const is_all_stayed = !crossed && count === now.get(text) && count === stayed.get(text);
    if (!is_all_new && !is_all_stayed) unsure.add(at);
  }
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function linesAlone(texts: readonly string[]): Set<string> {
  const [alone, several] = [new Set<string>(), new Set<string>()];
  for (const text of texts) {
    if (several.has(text)) continue;
    if (alone.delete(text)) several.add(text);
    else alone.add(text);
  }
  return alone;
}

/** Matches lines that very many files have, such as a lone bracket. */
export const TRIVIAL = /^[^\p{L}\p{N}]*$|^.{0,3}$/u;

/** Returns a test that is true for trivial lines, and for lines that a text contains twice. */
export function commonLines(texts: readonly (readonly string[])[]): (text: string) => boolean {
  const several = texts.map(repeatedLines);
  return (text) => TRIVIAL.test(text) || several.some((lines) => lines.has(text));
}

/** Repeated lines by version, because each version is compared with the previous and the next. */
const REPEATED = new WeakMap<readonly string[], ReadonlySet<string>>();

function repeatedLines(lines: readonly string[]): ReadonlySet<string> {
  const known = REPEATED.get(lines);
  if (known !== undefined) return known;
  const [here, several] = [new Set<string>(), new Set<string>()];
  for (const line of lines) {
    if (here.has(line)) several.add(line);
    else here.add(line);
  }
  REPEATED.set(lines, several);
  return several;
}

/**
 * True if two equal lines are surely the same line of a file. The neighbouring lines must be equal
 * in both directions, up to a unique line or the end of the file.
 *
 * @param versions The lines of both versions.
 * @param places Index of the line in each version, from 0.
 * @param isCommon True for a line that is not unique.
 */
export function standsBetween(
  [one, other]: readonly [readonly string[], readonly string[]],
  [place, other_place]: readonly [number, number],
  isCommon: (text: string) => boolean,
): boolean {
  const isHeld = (step: 1 | -1): boolean => {
    for (let at = 0;; at += step) {
      const [text, other_text] = [one[place + at], other[other_place + at]];
      if (text !== other_text) return false;
      // Both versions end here.
      if (text === undefined || !isCommon(text)) return true;
    }
  };
  return isHeld(-1) && isHeld(1);
}
