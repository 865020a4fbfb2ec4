/**
 * Finds secrets that span several strings of a list: stream fragments, diff lines or message parts.
 */
import { findSecrets } from "./find_secrets.ts";
import { KEY_ANCHOR, privateKeys } from "./private_key.ts";
import type { SecretSpan, StraddlingPiece } from "./secret_span.ts";

/** The pieces that each item holds of a secret that no item holds whole; by the item's index. */
export function straddling(items: readonly unknown[]): Map<number, StraddlingPiece[]> {
  const pieces = new Map<number, StraddlingPiece[]>();
  const texts = items.map(textOf);
  if (texts.filter((text) => text !== undefined && text !== "").length < 2) return pieces;
  // Fragments go on where the one before ended; lines of a key have lost their line feeds.
  const joined = texts.map((text) => text ?? "\n").join("");
  split(texts, joined, 0, findSecrets(joined, { fixed: true }), pieces);
  if (joined.includes(KEY_ANCHOR)) {
    const lines = texts.map((text) => text ?? "").join("\n");
    split(texts, lines, 1, privateKeys(lines), pieces);
  }
  return pieces;
}

function textOf(item: unknown): string | undefined {
  if (typeof item === "string") return item;
  if (typeof item !== "object" || item === null) return undefined;
  for (const key of ["text", "content", "delta"]) {
    if (!Object.hasOwn(item, key)) continue;
    const text = (item as Record<string, unknown>)[key];
    if (typeof text === "string") return text;
  }
  return undefined;
}

/** Gives each text what it holds of the spans, `gap` characters being between two texts. */
function split(
  texts: readonly (string | undefined)[],
  joined: string,
  gap: number,
  found: readonly SecretSpan[],
  pieces: Map<number, StraddlingPiece[]>,
): void {
  const spans = found.toSorted((a, b) => a.start - b.start);
  let offset = 0;
  let first = 0;
  for (const [index, text] of texts.entries()) {
    const length = text?.length ?? (gap === 0 ? 1 : 0);
    while (first < spans.length && (spans[first]?.end ?? 0) <= offset) first++;
    for (let at = first; at < spans.length; at++) {
      const span = spans[at];
      if (span === undefined || span.start >= offset + length) break;
      const start = Math.max(span.start - offset, 0);
      const end = Math.min(span.end - offset, length);
      const whole = span.start >= offset && span.end <= offset + length;
      if (whole || start >= end || text === undefined) continue;
      const secret = joined.slice(span.start, span.end);
      const own = pieces.get(index) ?? [];
      own.push({ ...span, start, end, secret });
      pieces.set(index, own);
    }
    offset += length + gap;
  }
}
