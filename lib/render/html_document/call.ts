/** Calls and commands: one line that says what was done and how it ended; the rest is folded. */
import { callArguments } from "../block/argument_blocks.ts";
import type { Block, CallBlock, CommandBlock, Fact, Word } from "../block/block.ts";
import { codeBlock } from "../block/call_block.ts";
import { FOLDS } from "../block/folds.ts";
import { firstLine } from "../first_line.ts";
import { fitInput } from "../input_summary.ts";
import { sanitizeLine } from "../sanitize.ts";
import { detailsHtml } from "./folded.ts";
import type { WriteBlock } from "./message.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";
import { wordsHtml } from "./words.ts";

const LINE = 160;

/** HTML of a tool call. */
export function callHtml(block: CallBlock, view: HtmlView, write: WriteBlock): SafeHtml {
  const { facts, blocks } = callArguments(block.input, { seq: block.seq });
  const asked = safe`${inputFacts(facts)}${joinHtml(blocks.map((one) => write(one, view)))}`;
  const line = lineHtml(sanitizeLine(block.name), fitInput(block.summary, LINE), block.outcome);
  return detailsHtml("call", line, safe`${asked}${outputHtml(block.content, view, write)}`);
}

/** HTML of a shell command. */
export function commandHtml(block: CommandBlock, view: HtmlView, write: WriteBlock): SafeHtml {
  const { command, purpose = "", outcome, content, seq } = block;
  const line = lineHtml("$", firstLine(command, LINE) || "(no command)", outcome);
  if (block.is_brief) return detailsHtml("call", line, NOTHING);
  const code = { ...codeBlock("Command", command, { seq }, FOLDS.command), language: "bash" };
  const note = purpose === "" ? NOTHING : safe`<p class="note">${purpose}</p>`;
  const gave = outputHtml(content, view, write);
  return detailsHtml("call", line, safe`${note}${write(code, view)}${gave}`);
}

/** What came back, in an element that can be hidden. */
function outputHtml(content: readonly Block[], view: HtmlView, write: WriteBlock): SafeHtml {
  const gave = joinHtml(content.map((one) => write(one, view)));
  return gave.markup === "" ? NOTHING : safe`<div class="out">${gave}</div>`;
}

function lineHtml(name: string, about: string, outcome: readonly Word[]): SafeHtml {
  const short = about === "" ? NOTHING : safe`<code class="short">${about}</code> `;
  return safe`<span class="name">${name || "(no name)"}</span> ${short}<span class="end">${
    wordsHtml(outcome)
  }</span>`;
}

function inputFacts(facts: readonly Fact[]): SafeHtml {
  if (facts.length === 0) return NOTHING;
  const rows = facts.map(({ name, value }) =>
    safe`<dt>${sanitizeLine(name)}</dt><dd><code>${sanitizeLine(value)}</code></dd>`
  );
  return safe`<dl class="input">${joinHtml(rows)}</dl>`;
}
