/** Reads the facts of a session from its first lines, which stand behind its first event. */
import { readLines } from "../../reading/records/jsonl_records.ts";
import { present } from "../../reading/records/json_value.ts";
import { printedVersion } from "./announcement.ts";
import { HistoryBlocks } from "./history_blocks.ts";
import type { HistoryRange } from "./history_file.ts";
import { textOf } from "./text_line.ts";

/** What the first lines tell. */
export interface HistoryHead {
  version?: string;
  /** The first prompt, where commands stand before it. */
  title?: string;
}

const HEAD_BYTES = 16 * 1024;

/** aider 0.86, commands.py: commands begin so; these take a prompt. */
const COMMAND = /^[/!]/;
const ASKING = /^\/(?:ask|code|architect|context|chat-mode \w+)\s+(?=\S)/;

/** Reads the head of a session. */
export async function headOf(path: string, { from, to }: HistoryRange): Promise<HistoryHead> {
  const blocks = new HistoryBlocks();
  const prompts: string[] = [];
  let version: string | undefined;
  for await (const lines of readLines(path, { from, to: Math.min(to, from + HEAD_BYTES) })) {
    for (const line of lines) {
      const text = textOf(line, {});
      if (text === undefined) continue;
      version ??= printedVersion(text.text.replace(/^> /, ""));
      for (const block of blocks.take(text)) if (block.type === "user") prompts.push(block.text);
    }
  }
  for (const block of blocks.end()) if (block.type === "user") prompts.push(block.text);
  return present({ version, title: titleOf(prompts) });
}

/** The first prompt that is no command; undefined where it is the first of all. */
function titleOf([first, ...more]: readonly string[]): string | undefined {
  if (first === undefined || !COMMAND.test(first.trim())) return undefined;
  const asked = [first, ...more].map((prompt) => prompt.trim().replace(ASKING, ""));
  return asked.find((prompt) => prompt !== "" && !COMMAND.test(prompt));
}
