/**
 * A chat without a terminal: one message, one turn, its answer on stdout.
 */
import type { ChatView } from "../../lib/chat/chat_view.ts";
import { contentText } from "../../lib/event/message.ts";
import type { TranscriptItem } from "../../lib/projection/transcript_item.ts";
import { type ChatSettings, newChat, resumedChat } from "./start.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { say } from "../_message.ts";

/** What the turn begins with. */
export interface OnceStart {
  settings: Omit<ChatSettings, "view" | "permit" | "tell">;
  /** Allow every call; without, those that ask are refused. */
  yes: boolean;
  json: boolean;
  note?: string;
  resume?: string;
  message: string;
}

/**
 * Runs one turn.
 *
 * @throws {CommandExit} `failed` when it has no answer, `cancelled` by ^C, `terminated` by SIGTERM.
 */
export async function runChatOnce(context: Context, start: OnceStart): Promise<void> {
  const { yes, note, resume, json, message } = start;
  if (message === "") throw new UsageError("there is no message: give it as argument or on stdin");
  if (note !== undefined) await say(context, note);
  const notices: Promise<void>[] = [];
  const tell = (message: string): void => void notices.push(say(context, message));
  const view: ChatView = {
    on_item: await itemPrinter(context, json),
    on_notice: ({ message }) => tell(`reprise: ${message}`),
  };
  const settings: ChatSettings = {
    ...start.settings,
    view,
    tell,
    permit: () => Promise.resolve(yes ? "yes" : "no"),
  };
  const chat = resume === undefined
    ? await newChat(settings)
    : await resumedChat(settings, resume, () => Promise.resolve(false));
  const stop = new AbortController();
  let terminated = false;
  const onInterrupt = (): void => stop.abort();
  const onTerminate = (): void => {
    terminated = true;
    stop.abort();
  };
  const signals = signalListeners(onInterrupt, onTerminate);
  for (const [signal, listener] of signals) Deno.addSignalListener(signal, listener);
  try {
    const end = await chat.submit(message, { signal: stop.signal });
    await chat.close(end === "completed" ? "completed" : "failed");
    await Promise.all(notices);
    const { session_id, on_disk } = chat.status();
    if (session_id !== undefined && on_disk) {
      await say(
        context,
        `Session ${session_id}; go on with: reprise chat --resume ${session_id.slice(0, 8)}`,
      );
    }
    if (terminated) throw new CommandExit(STATUS.terminated);
    if (end !== "completed") {
      throw new CommandExit(end === "cancelled" ? STATUS.cancelled : STATUS.failed);
    }
  } catch (error) {
    await chat.close("failed");
    throw error;
  } finally {
    for (const [signal, listener] of signals) Deno.removeSignalListener(signal, listener);
  }
}

function signalListeners(
  onInterrupt: () => void,
  onTerminate: () => void,
): [Deno.Signal, () => void][] {
  if (Deno.build.os === "windows") return [["SIGINT", onInterrupt]];
  return [["SIGINT", onInterrupt], ["SIGTERM", onTerminate], ["SIGHUP", onTerminate]];
}

/** Prints answers as text; what failed goes to stderr. With `json`, every item is a line. */
async function itemPrinter(
  context: Context,
  json: boolean,
): Promise<(item: TranscriptItem) => void> {
  const [{ toJsonLine }, { sanitizeText }] = await Promise.all([
    import("../../lib/render/json_lines.ts"),
    import("../../lib/render/sanitize.ts"),
  ]);
  const { stdout, stderr } = context;
  if (json) return (item) => stdout.write(toJsonLine(item));
  return (item) => {
    if (item.type === "failure") stderr.write(`reprise: ${sanitizeText(item.message)}\n`);
    if (item.type !== "message" || item.role !== "assistant") return;
    const text = contentText(item.content);
    stdout.write(`${stdout.terminal ? sanitizeText(text) : text}\n`);
  };
}
