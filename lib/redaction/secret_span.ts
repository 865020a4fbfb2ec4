/** Overlapping spans of secrets, made one. */

/** The place of a secret in a text. */
export interface SecretSpan {
  kind: string;
  start: number;
  end: number;
  /** Its own form or name gives it away wherever it stands, so it is worth looking for elsewhere. */
  certain: boolean;
  /** The secret itself, where the text encodes it or holds a part of it alone. */
  secret?: string;
}

/** The part of a secret that stands in one of the strings over which it is spread. */
export interface StraddlingPiece extends SecretSpan {
  /** The whole secret. */
  secret: string;
}

/**
 * Spans in order, none of which overlaps another. What overlaps becomes one, of the longest's kind;
 * of the first's where they are alike.
 */
export function mergeSpans(spans: readonly SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = [];
  let longest = 0;
  for (const { kind, start, end, certain } of spans.toSorted(byStart)) {
    const last = merged.at(-1);
    if (last === undefined || start >= last.end) {
      merged.push({ kind, start, end, certain });
      longest = end - start;
      continue;
    }
    if (end - start > longest) {
      longest = end - start;
      last.kind = kind;
    }
    last.end = Math.max(last.end, end);
    last.certain &&= certain;
  }
  return merged;
}

function byStart(a: SecretSpan, b: SecretSpan): number {
  return a.start - b.start || b.end - a.end;
}
