/**
 * Reads the histories of Aider (Aider-AI/aider; format read at 5dc9490, version 0.86).
 *
 * Aider has no sessions. It appends to one Markdown file for each repository, and can read back all
 * of it (`--restore-chat-history`). Here each heading `# aider chat started at` begins a session.
 * The session's id is made of the heading's time and the file's path. The conversation is the one
 * that Aider's own parser finds in that part, before Aider summarizes it to fit.
 *
 * Aider's parser loses some text of the model. This reader does not:
 * - Lines that begin with `# ` (headings, comments in code). Aider skips them.
 * - Block quotes in an answer. Aider takes them for its own output, and splits the answer there.
 * - Text before the first heading. Here it is a session of its own.
 *
 * Some lines are ambiguous, also for Aider. A heading `#### ` of the model reads as a prompt.
 * Further lines of a text that Aider printed (a cost below its tokens) read as an answer. The start
 * time has no time zone, and is taken as local time. Text that Aider printed becomes extensions.
 * Its rounded token counts become usage.
 */
import type { EventOrigin, EventTarget } from "../engine/events/event_writer.ts";
import { formatReader } from "../engine/format_reader.ts";
import { present } from "../engine/json.ts";
import type { FormatReading, SessionFormat } from "../engine/session_format.ts";
import { readBlocks } from "../engine/sources/block_source.ts";
import type { Agent } from "../contract/agent.ts";
import { printedModel, printedUsage, printedVersion } from "./announcement.ts";
import { blockOf, type HistoryBlock, HistoryBlocks, historySource } from "./history_blocks.ts";
import { type HistoryRange, isHistory, rangeOf, sessionsOf } from "./locate.ts";

interface AiderState {
  model?: string | undefined;
  /** True after the notice that precedes a partial, interrupted answer. */
  stopped: boolean;
}

export const aiderFormat: SessionFormat<AiderState> = {
  source: historySource,
  async begin(reading): Promise<AiderState> {
    await emitHead(reading);
    return { stopped: false };
  },
  emit(record, state, { writer, last }): void {
    const { type, text: content, written_at, model } = blockOf(record);
    const origin: EventOrigin = { time: last ? written_at : undefined, record };
    if (model !== undefined) state.model = model;
    if (type === "heading" || content.trim() === "") return;
    if (type === "user") writer.emit("user_message", { content }, origin);
    else if (type === "tool") emitOutput(content, state, { writer, origin });
    else if (state.stopped) {
      writer.emit("assistant_interrupted", { content, reason: "user" }, origin);
    } else {
      writer.emit("assistant_message", present({ content, model: state.model }), origin);
    }
    state.stopped = type === "tool" && INTERRUPT.test(content);
  },
  standsAlone: (record) => blockOf(record).type === "user",
  startState: () => ({ stopped: false }),
};

/** Matches the last line that Aider prints before an interrupted answer (base_coder.py). */
const INTERRUPT = /(?:^|\n)\^C[^\n]*\s*$/;

async function emitHead({ session, writer }: FormatReading): Promise<void> {
  const range = await rangeOf(session);
  if (range === undefined) return;
  const { version, title } = await headOf(session.path, range);
  const created_at = range.started_at ?? range.modified_at ?? "";
  const { id: session_id, cwd = "" } = session;
  const app = present({ name: "aider", version });
  const started = present({ session_id, created_at, cwd, app, title });
  writer.emit("session_started", started, { time: created_at });
}

/** Emits text that Aider printed. Its tokens and cost become the usage of an empty answer. */
function emitOutput(
  text: string,
  state: AiderState,
  { writer, origin }: EventTarget,
): void {
  state.model = printedModel(text) ?? state.model;
  writer.keep("output", { text }, origin);
  const printed = printedUsage(text);
  if (printed === undefined) return;
  writer.emit(
    "assistant_message",
    present({ content: "", model: state.model, ...printed }),
    origin,
  );
}

interface HistoryHead {
  version?: string;
  /** The first prompt that is not a command. Present only if the session begins with a command. */
  title?: string;
}

const HEAD_BYTES = 16 * 1024;

/** Matches the beginning of a command (aider 0.86, commands.py). */
const COMMAND = /^[/!]/;
const ASKING = /^\/(?:ask|code|architect|context|chat-mode \w+)\s+(?=\S)/;

async function headOf(path: string, range: HistoryRange): Promise<HistoryHead> {
  const to = Math.min(range.to, range.from + HEAD_BYTES);
  const text = { path, splitter: () => new HistoryBlocks(range) };
  const blocks: HistoryBlock[] = [];
  for await (const records of readBlocks(text, range, { to })) {
    for (const one of records.map(blockOf)) blocks.push(one);
  }
  const said = (by: HistoryBlock["type"]): string[] =>
    blocks.flatMap(({ type, text }) => type === by ? [text] : []);
  const version = printedVersion(said("tool").join("\n"));
  return present({ version, title: titleOf(said("user")) });
}

function titleOf([first, ...more]: readonly string[]): string | undefined {
  if (first === undefined || !COMMAND.test(first.trim())) return undefined;
  const asked = [first, ...more].map((prompt) => prompt.trim().replace(ASKING, ""));
  return asked.find((prompt) => prompt !== "" && !COMMAND.test(prompt));
}

export const aiderAgent: Agent = {
  name: "aider",
  recognize: isHistory,
  sessionsIn: sessionsOf,
  open: formatReader(aiderFormat),
};
