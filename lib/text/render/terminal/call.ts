/** Draws tool calls and shell commands, each with its output below. */
import { callArguments } from "../block/argument_blocks.ts";
import type { Block, CallBlock, CommandBlock } from "../block/block.ts";
import { FOLDS } from "../fold.ts";
import { fitInput, inputText } from "../input_summary.ts";
import { sanitizeLine } from "../sanitize.ts";
import { cutText, textWidth } from "../text_width.ts";
import { wrapCells } from "../wrap.ts";
import { printProse } from "./text.ts";
import {
  type BlockView,
  hangRows,
  markRows,
  narrowView,
  printWords,
  SEPARATOR,
  setIn,
  wordsWidth,
} from "./view.ts";

type PrintBlock = (block: Block, view: BlockView) => string[];

const INDENT = 4;
const LEAST_INPUT = 16;
const LEAST_NAME = 8;

export function printCall(block: CallBlock, view: BlockView, print: PrintBlock): string[] {
  const { is_whole, line } = callLine(block, view);
  if (view.folded?.has("call")) return [line];
  const asked = view.full && !is_whole ? printArguments(block, view, print) : [];
  const gave = contentRows(block.content, view, print);
  return [line, ...asked, ...(asked.length > 0 && gave.length > 0 ? [""] : []), ...gave];
}

/** Returns a call as one line. To fit, its name and arguments are cut, but not its outcome. */
function callLine(block: CallBlock, view: BlockView): { line: string; is_whole: boolean } {
  const { paint } = view.style;
  const inner = narrowView(view, 2);
  const { summary, outcome } = block;
  const room = inner.width - wordsWidth(outcome);
  const input = inputText(summary);
  const least = Math.min(textWidth(input) + 1, LEAST_INPUT);
  const name = cutText(sanitizeLine(block.name) || "(no name)", Math.max(LEAST_NAME, room - least));
  const shown = fitInput(summary, room - textWidth(name) - 1);
  const head = paint("bold", name) + (shown === "" ? "" : ` ${shown}`);
  const end = printWords(outcome, narrowView(inner, textWidth(head) + SEPARATOR.length));
  const mark = paint("magenta", block.is_result ? "← " : "→ ");
  return {
    line: mark + head + paint("dim", SEPARATOR) + end,
    is_whole: summary.is_whole && shown === input,
  };
}

function printArguments(block: CallBlock, view: BlockView, print: PrintBlock): string[] {
  const { facts, blocks } = callArguments(block.input, { seq: block.seq });
  return setIn(view, INDENT, (inner) => [
    ...facts.flatMap(({ name, value }) =>
      wrapCells(`${sanitizeLine(name)}: ${sanitizeLine(value) || '""'}`, inner.width)
    ),
    ...blocks.flatMap((one) =>
      one.type === "diff" ? print(one, inner) : [
        ...wrapCells(`${sanitizeLine(one.label)}:`, inner.width),
        ...setIn(inner, 2, (deeper) => print(one, deeper)),
      ]
    ),
  ]);
}

export function printCommand(block: CommandBlock, view: BlockView, print: PrintBlock): string[] {
  const { paint } = view.style;
  const inner = narrowView(view, 2);
  const { command, purpose = "", outcome } = block;
  const end = `  ${printWords(shownOutcome(outcome), inner)}`;
  const fold = view.folded?.has("command") ? { head: 1, tail: 0 } : FOLDS.command;
  const rows = printProse(command, inner, { format: "bold", fold });
  const mark = paint("magenta", "$ ");
  return [
    ...markRows(
      printProse(purpose, inner, { format: "dim", fold: FOLDS.purpose }),
      paint("dim", "# "),
    ),
    ...(rows.length === 0 ? [mark.trimEnd()] : hangRows(rows, mark, 2)),
    ...(view.folded?.has("command") ? [] : contentRows(block.content, view, print)),
    end,
  ];
}

/** Returns the words of an outcome. An exit code replaces the status "ok" or "failed". */
function shownOutcome(outcome: CommandBlock["outcome"]): CommandBlock["outcome"] {
  const [status, code, ...others] = outcome;
  if (status === undefined || !code?.text.startsWith("exit ")) return outcome;
  if (status.ink !== "ok" && status.ink !== "fail") return outcome;
  return [{ ...code, ink: code.text === "exit 0" ? "ok" : "fail" }, ...others];
}

function contentRows(content: readonly Block[], view: BlockView, print: PrintBlock): string[] {
  if (view.folded?.has("code")) return [];
  return setIn(view, INDENT, (inner) => content.flatMap((block) => print(block, inner)));
}
