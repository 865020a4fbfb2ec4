/** The reader's texts: keys, position and progress. */
import type { WindowProgress } from "../../../library/handle/window/session_window.ts";
import { counted } from "../../../core/event/counted.ts";
import type { Folding, ReaderState } from "./session_state.ts";

/** Returns the key help of the screen's last row, the most important first. */
export function keysOf({ mode, query, follow }: ReaderState): string[] {
  if (mode === "files" || mode === "writers") return ["Esc back", "↑↓"];
  if (mode === "commits") return ["Enter: who wrote it", "Esc back", "↑↓"];
  if (mode === "contents" || mode === "threads" || mode === "context") {
    return ["Enter go there", "Esc back", "↑↓"];
  }
  if (mode === "keys") return ["any key: back"];
  if (mode === "find") return ["Enter search", "Esc back"];
  if (mode === "export") return ["Enter export", "Esc back"];
  if (mode === "tags") return ["Enter set tags", "Esc back"];
  return [
    "? keys",
    "q back",
    ...(query === "" ? ["/ find"] : ["n N hits", "Esc end search"]),
    "← → block",
    "Enter expand",
    "y copy",
    "o edit",
    follow ? "f stop" : "f follow",
    "[ ] prompts",
    "Tab collapse all",
    "c contents",
    "t threads",
    "x context",
    "F changed files",
    "B commits",
    "e export",
    "T tags",
    "p pin",
    "r resume",
    "R hand over",
  ];
}

export const FOLDINGS: Readonly<Record<Folding, string>> = {
  brief: "Tool calls and thinking are shortened",
  closed: "Tool calls and thinking are collapsed",
  full: "Tool calls and thinking are shown in full",
};

/** Describes the position of the last item on the screen, and how much of the session was read. */
export function placeText(
  last: number,
  { items, total, read_bytes, all_bytes }: WindowProgress,
): string {
  if (total !== undefined) {
    const percent = total === 0 ? 100 : Math.floor(100 * (last + 1) / total);
    return `${percent} % · ${counted(total, "block")}`;
  }
  const read = all_bytes === 0 ? `${items}` : `${Math.floor(100 * read_bytes / all_bytes)} %`;
  const place = last >= 0 ? `${last + 1}` : last === -1 ? "end" : `${-last - 1} before the end`;
  return `${place} · loading ${read}`;
}
