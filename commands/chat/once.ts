/** Runs a chat without a terminal: one message, one turn, its answer on stdout. */
import type {
  ChatView,
  Permission,
  PermissionRequest,
  TurnEnd,
} from "../../lib/features/chat/chat_options.ts";
import { contentText } from "../../lib/core/event/message.ts";
import type { TranscriptItem } from "../../lib/core/projection/transcript/item.ts";
import { type ChatSettings, newChat, resumedChat } from "./start.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { say } from "../_message.ts";
import { withSignals } from "../_until_signal.ts";

interface OnceStart {
  settings: Omit<ChatSettings, "view" | "permit" | "tell">;
  /** True if every tool call is allowed. Else calls that need the user's permission are refused. */
  yes: boolean;
  json: boolean;
  note?: string | undefined;
  resume?: string | undefined;
  message: string;
}

/**
 * Runs one turn of a chat and closes the chat.
 *
 * @throws {UsageError} if the message is empty
 * @throws {CommandExit} `failed` if the turn fails or something stays unsaved, `cancelled` after
 * ^C, `terminated` after SIGTERM
 */
export async function runChatOnce(context: Context, start: OnceStart): Promise<void> {
  const { note, resume, message } = start;
  if (message === "") throw new UsageError("give a message, as an argument or on standard input");
  if (note !== undefined) await say(context, note);
  const notices: Promise<void>[] = [];
  const settings = await onceSettings(
    context,
    start,
    (message) => void notices.push(say(context, message)),
  );
  const chat = resume === undefined
    ? await newChat(settings)
    : await resumedChat(settings, resume, () => Promise.resolve(false));
  try {
    const stopped = await withSignals(["SIGINT", "SIGTERM", "SIGHUP"], async (signal) => {
      const end = await chat.submit(message, { signal });
      await chat.close(end === "completed" ? "completed" : "failed");
      return end;
    });
    const { result, status: by_signal } = stopped;
    const status = by_signal === STATUS.terminated ? by_signal : STATUS_OF[result];
    await Promise.all(notices);
    const { resumeHint } = await import("../../lib/frontends/screens/chat/current_chat.ts");
    const hint = resumeHint(chat.status());
    if (hint !== undefined) await say(context, hint);
    if (status !== STATUS.done) throw new CommandExit(status);
    if (chat.status().unsaved > 0) throw new CommandExit(STATUS.failed);
  } catch (error) {
    await chat.close("failed");
    throw error;
  }
}

async function onceSettings(
  context: Context,
  { settings, yes, json }: OnceStart,
  tell: (message: string) => void,
): Promise<ChatSettings> {
  const view: ChatView = {
    onItem: await itemPrinter(context, json),
    onNotice: ({ message }) => tell(`reprise: ${message}`),
  };
  const permit = ({ name, title, reason }: PermissionRequest): Promise<Permission> => {
    if (yes) return Promise.resolve("yes");
    const subject = `${name} ${title}`.replaceAll("\n", "␊");
    tell(
      `reprise: Refused a tool call: ${subject} (it ${reason}). To allow every tool call: --yes`,
    );
    return Promise.resolve("no");
  };
  return { ...settings, view, tell, permit };
}

const STATUS_OF: Readonly<Record<TurnEnd, number>> = {
  completed: STATUS.done,
  cancelled: STATUS.cancelled,
  failed: STATUS.failed,
};

/** Returns a function that prints answers to stdout and failures to stderr, or all as JSON. */
async function itemPrinter(
  context: Context,
  json: boolean,
): Promise<(item: TranscriptItem) => void> {
  const [{ toJsonLine }, { sanitizeText }] = await Promise.all([
    import("../../lib/text/render/json_lines.ts"),
    import("../../lib/text/render/sanitize.ts"),
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
