/** The format of Aider's histories: how the blocks of a session become events. */
import type { EventOrigin, EventWriter } from "../../reading/events/event_writer.ts";
import { present } from "../../reading/json_value.ts";
import type { FormatReading, SessionFormat } from "../../reading/session_format.ts";
import { printedModel, printedUsage } from "./announcement.ts";
import { blockOf } from "./history_blocks.ts";
import { rangeOf } from "./history_file.ts";
import { headOf } from "./history_head.ts";
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
