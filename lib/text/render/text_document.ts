/** Writes a session as plain text. */
import { markedTitle } from "./integrity_mark.ts";
import { sanitizeLine } from "./sanitize.ts";
import type { DocumentHeader, DocumentOptions, SessionDocument } from "./session_document.ts";
import { createStyle } from "./style.ts";
import { printBlocks } from "./terminal.ts";
import { utcMinute } from "./time_label.ts";

const WIDTH = 100;

export function textDocument({ tools }: DocumentOptions): SessionDocument {
  const view = {
    width: WIDTH,
    style: createStyle(false),
    full: tools === "full",
    format_time: utcMinute,
  };
  return {
    begin: heading,
    block: (block) => printBlocks([block], view),
    end: () => "",
  };
}

function heading({ summary, exported_at, generator, redacted }: DocumentHeader): string {
  const title = sanitizeLine(markedTitle(summary.title || summary.ref, summary.altered));
  const made = `${summary.ref} · exported ${utcMinute(exported_at)} by ${generator}`;
  const note = redacted ? " · secrets redacted" : "";
  return `${title}\n${"=".repeat(Math.min(title.length, WIDTH))}\n${sanitizeLine(made)}${note}\n\n`;
}
