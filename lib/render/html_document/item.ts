/**
 * Renders one item of a transcript, without what the page puts around it.
 *
 * @module
 */
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import { replacedText } from "../replaced_text.ts";
import { diffHtml } from "./diff.ts";
import { closedHtml, compactionHtml, failureHtml } from "./ending.ts";
import { answerHtml, promptHtml } from "./message.ts";
import { extensionHtml, unreadableHtml } from "./raw.ts";
import { thoughtHtml } from "./reasoning.ts";
import { NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import { contextHtml, sessionHtml } from "./session.ts";
import { bashHtml, toolHtml } from "./tool.ts";
import type { HtmlView } from "./view.ts";

/** HTML of an item; nothing where the document shows nothing of it. */
export function itemHtml(item: TranscriptItem, view: HtmlView): SafeHtml {
  switch (item.type) {
    case "session":
      return sessionHtml(item, view);
    case "context":
      return contextHtml(item);
    case "message":
      return item.role === "user" ? promptHtml(item, view) : answerHtml(item, view);
    case "reasoning":
      return item.text.trim() === "" ? NOTHING : thoughtHtml(item.text);
    case "tool":
      return toolHtml(item, view);
    case "bash":
      return bashHtml(item, view);
    case "diff":
      return diffHtml(item, view);
    case "compaction":
      return compactionHtml(item);
    case "replaced":
      return safe`<p class="note">${replacedText(item)}</p>`;
    case "failure":
      return failureHtml(item);
    case "closed":
      return closedHtml(item);
    case "unreadable":
      return unreadableHtml(item, view);
    case "extension":
      return extensionHtml(item, view);
  }
}
