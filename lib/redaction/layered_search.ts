/**
 * Looks for secrets in a text and in what it encodes: escapes, percent codes, entities, colours,
 * base64, one in another. What is found is told by its place in the text itself.
 */
import { base64Texts } from "./carriers/base64_text.ts";
import { decodedParts, type Layer } from "./carriers/decoded_text.ts";
import type { SecretSpan } from "./secret_span.ts";
import { tokenRuns } from "./token_runs.ts";

/** So many carriers may be around one another. */
const DEEPEST = 3;

/** Looks at a text, whose runs are known. */
type Look = (text: string, runs: readonly number[]) => SecretSpan[];

/** Returns all that a look finds in a text and behind it. */
export type LayeredLook = (look: Look) => SecretSpan[];

/** A layer with its own runs, which serve each look. */
interface ReadLayer extends Layer {
  runs: readonly number[];
}

/** Decodes a text once, for any number of looks. */
export function layered(text: string): LayeredLook {
  const runs = tokenRuns(text);
  const layers = [...layersOf(text, runs, DEEPEST)];
  return (look) => {
    const spans = look(text, runs);
    if (layers.length === 0) return spans;
    return [
      ...spans,
      ...layers.flatMap((layer) => look(layer.text, layer.runs).map((span) => placed(span, layer))),
    ];
  };
}

function* layersOf(text: string, runs: readonly number[], depth: number): Generator<ReadLayer> {
  if (depth === 0) return;
  for (const parts of [decodedParts(text), base64Texts(text, runs)]) {
    for (const layer of parts) {
      const own = tokenRuns(layer.text);
      yield { ...layer, runs: own };
      for (const inner of layersOf(layer.text, own, depth - 1)) yield within(inner, layer);
    }
  }
}

function within(inner: ReadLayer, { range }: Layer): ReadLayer {
  return { ...inner, range: (start, end) => range(...inner.range(start, end)) };
}

function placed(span: SecretSpan, { text, range }: Layer): SecretSpan {
  const [start, end] = range(span.start, span.end);
  return { ...span, start, end, secret: text.slice(span.start, span.end) };
}
