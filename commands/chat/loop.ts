/**
 * A chat at a terminal: prompt, turn, prompt.
 */
import type { Permission, PermissionRequest } from "../../lib/chat/chat_view.ts";
import type { ChatScreen } from "../../lib/screens/chat_screen.ts";
import { Keyboard } from "../../lib/ui/keyboard.ts";
import type { LineInput } from "../../lib/ui/line_editor.ts";
import { CurrentChat } from "./current_chat.ts";
import { type ChatControl, isSlashCommand, runSlashCommand } from "./slash_commands.ts";
import type { ChatSettings } from "./start.ts";
import { untilGone } from "./until_gone.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS, toFailure } from "../_failure.ts";
import { contextTerminal, screenSettings } from "../_terminal.ts";

const PROMPT = "> ";
/** The prompt of a line that goes on. */
const MORE = "… ";

/** "Cannot <action>: <reason>", as the chat refuses; the engine's own "Cannot read ..." is a fault of ours. */
const REFUSAL = /^Cannot [^:]+: /;

/** What a loop begins with. */
export interface LoopStart {
  settings: Omit<ChatSettings, "view" | "permit" | "tell">;
  /** Allow every call without asking. */
  yes: boolean;
  /** A note to begin with. */
  note?: string;
  /** The session to go on with; `choose` asks. */
  resume?: string | { choose: true };
  /** The first message. */
  message?: string;
}

/** Milliseconds that a turn has to settle when the process is to end. */
const LAST_WORDS_MS = 3000;

/** Runs a chat until the user leaves. */
export async function runChatLoop(outer: Context, start: LoopStart): Promise<void> {
  const context = { ...outer, stdout: untilGone(outer.stdout) };
  const keyboard = new Keyboard(contextTerminal(context));
  try {
    const { ChatScreen } = await import("../../lib/screens/chat_screen.ts");
    const aside = (print: () => void): void => keyboard.aside(print);
    const screen = new ChatScreen(context.stdout, screenSettings(context), aside);
    await new ChatLoop(context, screen, keyboard, start).run();
  } finally {
    keyboard.close();
  }
}

class ChatLoop {
  readonly #context: Context;
  readonly #screen: ChatScreen;
  readonly #keyboard: Keyboard;
  readonly #start: LoopStart;
  readonly #current: CurrentChat;
  #left = false;

  constructor(context: Context, screen: ChatScreen, keyboard: Keyboard, start: LoopStart) {
    this.#context = context;
    this.#screen = screen;
    this.#keyboard = keyboard;
    this.#start = start;
    this.#current = new CurrentChat(context, screen, keyboard, {
      ...start.settings,
      view: screen,
      tell: (message) => screen.say(message),
      permit: start.yes
        ? (): Promise<Permission> => Promise.resolve("yes")
        : (request, signal) => this.#permit(request, signal),
    });
  }

  async run(): Promise<void> {
    const { gone } = this.#keyboard;
    try {
      const status = await Promise.race([this.#converse(), this.#ended(gone)]);
      if (gone.aborted) {
        throw new CommandExit(gone.reason === "interrupted" ? STATUS.cancelled : STATUS.terminated);
      }
      const lost = await this.#current.end("completed");
      if (lost > 0) throw new CommandExit(STATUS.failed);
      if (status !== STATUS.done) throw new CommandExit(status);
    } catch (error) {
      await this.#current.end("failed");
      throw error;
    }
  }

  /** When the process is to end: what is under way is stopped as by ^C, and has a moment to settle. */
  async #ended(signal: AbortSignal): Promise<number> {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve());
    });
    return await new Promise((resolve) => {
      setTimeout(() => resolve(STATUS.terminated), LAST_WORDS_MS);
    });
  }

  /** Gives the exit status: leaving by ^C is a cancellation, and still in order. */
  async #converse(): Promise<number> {
    const { note, message, resume } = this.#start;
    if (note !== undefined) this.#screen.say(note);
    if (resume === undefined) await this.#current.begin();
    else await this.#current.goOn(typeof resume === "string" ? resume : undefined);
    if (!this.#current.isThere) return STATUS.cancelled;
    if (message !== undefined) await this.#submit(message);
    let cancelled = false;
    while (!this.#left) {
      const { input, shown } = await this.#readMessage();
      if (input.type === "end") {
        this.#context.stdout.write("\n");
        return STATUS.done;
      }
      if (input.type === "cancel") {
        if (cancelled) return STATUS.cancelled;
        cancelled = input.empty;
        if (cancelled) this.#screen.say("^C again, ^D or /quit leaves");
        continue;
      }
      cancelled = false;
      await this.#take(input.text, shown);
    }
    return STATUS.done;
  }

  /** Asks for a message. A line that ends in a backslash goes on. */
  async #readMessage(): Promise<{ input: LineInput; shown: string[] }> {
    const shown: string[] = [];
    for (let text = "";;) {
      const prompt = shown.length === 0 ? PROMPT : MORE;
      const input = await this.#keyboard.line({ prompt });
      if (input.type !== "line") return { input, shown };
      shown.push(prompt + input.shown);
      text += input.text;
      if (!text.endsWith("\\")) return { input: { ...input, text }, shown };
      text = `${text.slice(0, -1)}\n`;
    }
  }

  async #take(text: string, shown: readonly string[]): Promise<void> {
    if (text.trim() === "") return;
    try {
      if (isSlashCommand(text)) return await runSlashCommand(this.#control(), text);
      this.#screen.eraseTyped(shown);
      await this.#submit(text);
    } catch (error) {
      // What fails is told, and the chat goes on; what is our fault ends it.
      const { status, message } = toFailure(error);
      const is_refusal = error instanceof TypeError && REFUSAL.test(error.message);
      if (status !== STATUS.failed && status !== STATUS.usage && !is_refusal) throw error;
      this.#screen.say(is_refusal ? error.message : message);
    }
  }

  async #submit(text: string): Promise<void> {
    await this.#during((signal) => this.#current.chat.submit(text, { signal }));
  }

  async #during<Result>(action: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    this.#screen.busy(true);
    try {
      return await this.#keyboard.during(action);
    } finally {
      this.#screen.busy(false);
    }
  }

  #control(): ChatControl {
    return {
      chat: this.#current.chat,
      say: (message) => this.#screen.say(message),
      during: (action) => this.#during(action),
      goOn: (ref) => this.#current.goOn(ref),
      begin: () => this.#current.begin(),
      exportTo: (file) => this.#exportTo(file),
      quit: () => {
        this.#left = true;
      },
    };
  }

  async #exportTo(file: string | undefined): Promise<void> {
    const { session_id, on_disk, unsaved } = this.#current.chat.status();
    if (session_id === undefined || !on_disk) {
      return this.#screen.say(
        unsaved === 0
          ? "There is nothing to export yet"
          : "Cannot write export: the session cannot be saved now",
      );
    }
    const { exportChat } = await import("./export.ts");
    await exportChat(this.#context, session_id, file);
  }

  async #permit(request: PermissionRequest, signal: AbortSignal): Promise<Permission> {
    const { name, asked, left_out, reason, scope } = request;
    const { questionText } = await import("../../lib/render/question_text.ts");
    const is_whole = left_out === 0;
    const question = `${name} ${questionText(asked, left_out)}\n` +
      `${reason[0]?.toUpperCase()}${reason.slice(1)}. Allow? y yes · n no` +
      (is_whole ? ` · a always allow ${scope} in this chat` : "");
    const keys = is_whole ? ["y", "a", "n"] as const : ["y", "n"] as const;
    const key = await this.#screen.ask(question, () => this.#keyboard.key(keys, signal));
    return key === "y" ? "yes" : key === "a" ? "always" : "no";
  }
}
