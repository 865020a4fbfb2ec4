/**
 * Renders the model's reasoning, dim and indented.
 *
 * @module
 */
import type { ReasoningItem } from "../../projection/transcript/transcript_item.ts";
import { indentRows } from "./indent.ts";
import { renderProse } from "./prose.ts";
import { narrowView, type View } from "./view.ts";

const LIMITS = { head: 8, tail: 4 };

/** Rows of a reasoning item; none where the thought itself is kept from us. */
export function renderReasoning(item: ReasoningItem, view: View): string[] {
  const rows = renderThought(item.text, view);
  return rows.length === 0 ? [] : [view.style.paint("dim", "reasoning"), ...rows];
}

/** Rows of a thought. */
export function renderThought(text: string, view: View): string[] {
  const options = { format: "dim", limits: LIMITS } as const;
  return indentRows(renderProse(text.trimStart(), narrowView(view, 2), options), "  ");
}
