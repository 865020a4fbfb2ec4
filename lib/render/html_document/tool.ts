/**
 * A tool call and a shell command.
 *
 * @module
 */
import type { BashItem, ToolItem } from "../../projection/transcript/transcript_item.ts";
import { firstLine } from "../first_line.ts";
import { sanitizeLine } from "../sanitize.ts";
import { callHtml } from "./call.ts";
import { languageOf } from "../code_language.ts";
import { type OutcomeWord, outcomeWords } from "./outcome.ts";
import { outputHtml, outputPartsHtml } from "./output.ts";
import { NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import { inputHtml, inputLine, inputPath } from "./tool_input.ts";
import type { HtmlView } from "./view.ts";

const LINE = 160;

/** HTML of a tool call. */
export function toolHtml(item: ToolItem, view: HtmlView): SafeHtml {
  return callHtml({
    name: sanitizeLine(item.name),
    short: inputLine(item.input),
    end: outcomeWords(item),
    body: () =>
      safe`${inputHtml(item.input, view)}${
        outputPartsHtml(item.output, view, languageOf(inputPath(item.input)))
      }${outputHtml("Error", item.error, view)}`,
  }, view);
}

/** HTML of a shell command. */
export function bashHtml(item: BashItem, view: HtmlView): SafeHtml {
  const by_user: OutcomeWord[] = item.origin === "user" ? [{ text: "run by the user" }] : [];
  return callHtml({
    name: "$",
    short: firstLine(item.command, LINE) || "(no command)",
    end: [...outcomeWords(item), ...by_user],
    body: () =>
      safe`${purposeHtml(item.summary)}${
        outputHtml(
          "Command",
          item.command,
          view,
          "bash",
        )
      }${outputPartsHtml(item.output, view)}${outputHtml("Error output", item.error, view)}`,
  }, view);
}

function purposeHtml(summary = ""): SafeHtml {
  return summary.trim() === "" ? NOTHING : safe`<p class="note">${summary.trim()}</p>`;
}
