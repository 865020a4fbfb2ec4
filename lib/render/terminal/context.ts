/**
 * Renders the loaded instructions on one line.
 *
 * @module
 */
import type { ContextSource } from "../../event/payload.ts";
import type { ContextItem } from "../../projection/transcript/transcript_item.ts";
import { formatBytes } from "../byte_size.ts";
import { sanitizeLine } from "../sanitize.ts";
import { wrapWords } from "../wrap.ts";
import { renderMarked } from "./marked_prose.ts";
import type { View } from "./view.ts";

/** Rows of a context item: what was read, then what could not be. */
export function renderContext(item: ContextItem, view: View): string[] {
  const loaded = item.sources.filter((source) => source.error === undefined);
  const names = loaded.map(describeSource).join(", ") || "no instructions";
  const rows = wrapWords(`loaded ${names}`, view.width);
  return [
    ...rows.map((row) => view.style.paint("dim", row)),
    ...item.sources.flatMap((source) => renderFailure(source, view)),
  ];
}

function describeSource(source: ContextSource): string {
  const size = formatBytes(source.bytes) + (source.truncated ? ", cut" : "");
  return `${sanitizeLine(source.path)} (${size})`;
}

function renderFailure(source: ContextSource, view: View): string[] {
  if (source.error === undefined) return [];
  return renderMarked("✗", `could not load ${source.path}: ${source.error}`, view, "red");
}
