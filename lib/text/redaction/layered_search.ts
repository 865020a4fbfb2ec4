/**
 * Finds secrets in a text and in its encoded parts: escapes, percent codes, entities, colours,
 * base64, hexadecimal, compressed texts. Encodings may be nested. Results are ranges of the text
 * itself.
 */
import { base64Texts, compressedTexts, hexTexts } from "./carriers/base64_and_hex.ts";
import { decodedParts, type Layer } from "./carriers/decoded_text.ts";
import type { SecretSpan } from "./secret_span.ts";
import { tokenRuns } from "./token_runs.ts";

/** Maximum nesting of encodings. */
const DEEPEST = 3;
const SHORTEST_TEXT = 8;

/** A search for secrets. `runs` has the offsets of long runs of letters, digits and signs. */
type Look = (text: string, runs: readonly number[]) => SecretSpan[];

/** Calls `look` for a text and for each text decoded from it. Returns all secrets found. */
export type LayeredLook = (look: Look) => SecretSpan[];

/** A decoded text with the start and end offsets of its tokens. All searches share them. */
interface ReadLayer extends Layer {
  runs: readonly number[];
  /** The decoded text that contains this one encoded. Undefined if it is the text itself. */
  around: ReadLayer | undefined;
}

/** Returns a search of the text. The first search decodes the layers, and later ones share them. */
export function layered(text: string): LayeredLook {
  if (text.length < SHORTEST_TEXT) return () => [];
  let read: { runs: readonly number[]; layers: readonly ReadLayer[] } | undefined;
  return (look) => {
    const { runs, layers } = read ??= readLayers(text);
    const spans = look(text, runs);
    if (layers.length === 0) return spans;
    return [
      ...spans,
      ...layers.flatMap((layer) => look(layer.text, layer.runs).map((span) => placed(span, layer))),
    ];
  };
}

function readLayers(text: string): { runs: readonly number[]; layers: readonly ReadLayer[] } {
  const runs = tokenRuns(text);
  const layers: ReadLayer[] = [];
  addLayers(text, runs, undefined, DEEPEST, layers);
  return { runs, layers };
}

/** Appends each decoded layer of a text. The layers found inside a layer follow it. */
function addLayers(
  text: string,
  runs: readonly number[],
  around: ReadLayer | undefined,
  depth: number,
  layers: ReadLayer[],
): void {
  const looks = [base64Texts, hexTexts, compressedTexts].map((look) => look(text, runs));
  for (const parts of [decodedParts(text), ...looks]) {
    for (const { text, range } of parts) {
      const layer: ReadLayer = { text, range, runs: tokenRuns(text), around };
      layers.push(layer);
      if (depth > 1) addLayers(text, layer.runs, layer, depth - 1, layers);
    }
  }
}

function placed(span: SecretSpan, layer: ReadLayer): SecretSpan {
  let { start, end } = span;
  for (let at: ReadLayer | undefined = layer; at !== undefined; at = at.around) {
    [start, end] = at.range(start, end);
  }
  return { ...span, start, end, secret: layer.text.slice(span.start, span.end) };
}
