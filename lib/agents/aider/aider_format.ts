/** The format of Aider's histories: how the blocks of a session become events. */
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { present } from "../../reading/json_value.ts";
import type { FormatReading, SessionFormat } from "../../reading/session_format.ts";
import { readBlocks } from "../../reading/sources/block_source.ts";
import { printedModel, printedUsage, printedVersion } from "./announcement.ts";
import { blockOf, type HistoryBlock, HistoryBlocks } from "./history_blocks.ts";
import { type HistoryRange, rangeOf } from "./history_file.ts";
import { historySource } from "./history_source.ts";

/** The state between one block and the next. */
interface AiderState {
  /** The model that was announced last. */
  model?: string | undefined;
  /** True behind what Aider prints before the part of an answer that had come. */
  stopped: boolean;
}

/** The format of Aider's sessions. */
export const aiderFormat: SessionFormat<AiderState, AiderState> = {
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
  saveState: (state) => ({ ...state }),
  restoreState: (saved) => ({ stopped: false, ...saved }),
};

/** The last line that Aider prints before the part of an answer that had come (base_coder.py). */
const INTERRUPT = /(?:^|\n)\^C[^\n]*\s*$/;

/** Emits the head, unless the session is no longer in its file. */
async function emitHead({ session, writer }: FormatReading): Promise<void> {
  const range = await rangeOf(session);
  if (range === undefined) return;
  const { version, title } = await headOf(session.path, range);
  const created_at = range.started_at ?? range.modified_at ?? "";
  writer.emit("session_started", {
    session_id: session.id,
    created_at,
    cwd: session.cwd ?? "",
    app: present({ name: "aider", version }),
    ...present({ title }),
  }, { time: created_at });
}

/** Emits what Aider printed; where it says what the answer took, an event without a text does too. */
function emitOutput(
  text: string,
  state: AiderState,
  { writer, origin }: { writer: EventWriter; origin: EventOrigin },
): void {
  state.model = printedModel(text) ?? state.model;
  writer.emit("extension", { agent: "aider", type: "output", data: { text } }, origin);
  const printed = printedUsage(text);
  if (printed === undefined) return;
  writer.emit(
    "assistant_message",
    present({ content: "", model: state.model, ...printed }),
    origin,
  );
}

/** What the first lines tell. */
interface HistoryHead {
  version?: string;
  /** The first prompt, where commands stand before it. */
  title?: string;
}

const HEAD_BYTES = 16 * 1024;

/** aider 0.86, commands.py: commands begin so; these take a prompt. */
const COMMAND = /^[/!]/;
const ASKING = /^\/(?:ask|code|architect|context|chat-mode \w+)\s+(?=\S)/;

/** Reads the head of a session. */
async function headOf(path: string, range: HistoryRange): Promise<HistoryHead> {
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
