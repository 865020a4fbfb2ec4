/** Places of secrets in texts. */

export interface SecretSpan {
  kind: string;
  start: number;
  end: number;
  /** True if the form or name proves the secret. Its other occurrences are then searched, too. */
  certain: boolean;
  /** The secret in plain text, if the span has it encoded or has only a piece of it. */
  secret?: string;
}

/** One string's piece of a secret that is split over several strings. */
export interface StraddlingPiece extends SecretSpan {
  secret: string;
}

/**
 * Returns spans in order, with overlapping spans merged. A merged span has the kind of its longest
 * span; of equally long spans, the kind of the first.
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
