/**
 * Looks for secrets in a text and in what it encodes: escapes, percent codes, entities, colours,
 * base64, one in another. What is found is told by its place in the text itself.
 */
import { base64Texts } from "./carriers/base64_text.ts";
import { decodedParts, type Layer } from "./carriers/decoded_text.ts";
import type { SecretSpan } from "./secret_span.ts";

/** So many carriers may be around one another. */
const DEEPEST = 3;

/** Returns all that a look finds in a text and behind it. */
export type LayeredLook = (look: (text: string) => SecretSpan[]) => SecretSpan[];

/** Decodes a text once, for any number of looks. */
export function layered(text: string): LayeredLook {
  const layers = [...layersOf(text, DEEPEST)];
  return (look) => [
    ...look(text),
    ...layers.flatMap((layer) => look(layer.text).map((span) => placed(span, layer))),
  ];
}

function* layersOf(text: string, depth: number): Generator<Layer> {
  if (depth === 0) return;
  for (const parts of [decodedParts(text), base64Texts(text)]) {
    for (const layer of parts) {
      yield layer;
      for (const inner of layersOf(layer.text, depth - 1)) yield within(inner, layer);
    }
  }
}

function within(inner: Layer, { range }: Layer): Layer {
  return { text: inner.text, range: (start, end) => range(...inner.range(start, end)) };
}

function placed(span: SecretSpan, { text, range }: Layer): SecretSpan {
  const [start, end] = range(span.start, span.end);
  return { ...span, start, end, secret: text.slice(span.start, span.end) };
}
