/**
 * A session as plain text.
 *
 * @module
 */
import { markedTitle } from "./integrity_mark.ts";
import { sanitizeLine } from "./sanitize.ts";
import type { DocumentHeader, DocumentOptions, SessionDocument } from "./session_document.ts";
import { renderItem } from "./terminal.ts";
import { atDetail } from "./tool_detail.ts";
import { utcMinute } from "./time_label.ts";

/** Columns of prose; outputs are broken there too. */
const WIDTH = 100;

/** A document that any editor shows: no colours, no control characters. */
export function textDocument({ tools }: DocumentOptions): SessionDocument {
  const options = { width: WIDTH, color: false, full: tools === "full", format_time: utcMinute };
  return {
    begin: (header) => heading(header),
    item(item): string {
      const shown = atDetail(item, tools);
      return shown === undefined ? "" : renderItem(shown, options);
    },
    end: () => "",
  };
}

function heading({ summary, exported_at, generator, redacted }: DocumentHeader): string {
  const title = sanitizeLine(markedTitle(summary.title || summary.ref, summary.altered));
  const made = `${summary.ref} · exported ${utcMinute(exported_at)} by ${generator}`;
  const note = redacted ? " · secrets redacted" : "";
  return `${title}\n${"=".repeat(Math.min(title.length, WIDTH))}\n${sanitizeLine(made)}${note}\n\n`;
}
