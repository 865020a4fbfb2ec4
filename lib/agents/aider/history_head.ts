/** Reads the facts of a session from its first lines, which stand behind its first event. */
import { present } from "../../reading/json_value.ts";
import { readBlocks } from "../../reading/sources/block_source.ts";
import { printedVersion } from "./announcement.ts";
import { blockOf, type HistoryBlock, HistoryBlocks } from "./history_blocks.ts";
import type { HistoryRange } from "./history_file.ts";

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
export async function headOf(path: string, range: HistoryRange): Promise<HistoryHead> {
  const to = Math.min(range.to, range.from + HEAD_BYTES);
  const text = { path, splitter: () => new HistoryBlocks(range) };
  const blocks: HistoryBlock[] = [];
  for await (const records of readBlocks(text, range, { to })) {
    blocks.push(...records.map(blockOf));
  }
  const said = (by: HistoryBlock["type"]): string[] =>
    blocks.flatMap(({ type, text }) => type === by ? [text] : []);
  const version = printedVersion(said("tool").join("\n"));
  return present({ version, title: titleOf(said("user")) });
}

/** The first prompt that is no command; undefined where it is the first of all. */
function titleOf([first, ...more]: readonly string[]): string | undefined {
  if (first === undefined || !COMMAND.test(first.trim())) return undefined;
  const asked = [first, ...more].map((prompt) => prompt.trim().replace(ASKING, ""));
  return asked.find((prompt) => prompt !== "" && !COMMAND.test(prompt));
}
