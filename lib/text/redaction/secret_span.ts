/** Places of secrets in texts. */

/** The place of a secret in a text. */
export interface SecretSpan {
  kind: string;
  start: number;
  end: number;
  /** True if the secret's form or name proves it. Then its other occurrences are searched too. */
  certain: boolean;
  /** The secret itself, if the text encodes it or holds only a piece. */
  secret?: string;
}

/** The piece of a secret in one of the strings that it spans. */
export interface StraddlingPiece extends SecretSpan {
  /** The whole secret. */
  secret: string;
}

/**
 * Sorts spans and merges overlapping ones. A merged span has the kind of the longest, or of the
 * first of equal ones.
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
