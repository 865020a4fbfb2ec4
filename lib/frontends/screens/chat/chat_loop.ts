/** Runs a chat at a terminal: prompt, turn, prompt. */
import type { Permission, PermissionRequest } from "../../../features/chat/chat_options.ts";
import { questionText } from "../../../text/render/sanitize.ts";
import { Keyboard } from "../../ui/keyboard.ts";
import type { LineInput } from "../../ui/line_editor.ts";
import type { ScreenTerminal } from "../../ui/terminal_screen.ts";
import type { ScreenSettings } from "../screen.ts";
import { ChatScreen } from "./chat_screen.ts";
import { type ChatProgram, CurrentChat } from "./current_chat.ts";
import { type ChatControl, isSlashCommand, runSlashCommand } from "./slash_commands.ts";

const PROMPT = "> ";
/** The prompt of a continued line. */
const MORE = "… ";

export interface LoopStart {
  /** True to allow every call without asking. */
  yes: boolean;
  /** A note that is shown before the first prompt. */
  note?: string;
  resume?: string | { choose: true };
  message?: string;
}

/** The end of a chat: by the user, by ^C, by a signal, or with events lost. */
export type ChatEnd = "left" | "cancelled" | "terminated" | "lost";

/** Milliseconds in which a running turn may end before the process ends. */
const LAST_WORDS_MS = 3000;

export async function runChatLoop(
  terminal: ScreenTerminal,
  settings: ScreenSettings,
  program: ChatProgram,
  start: LoopStart,
): Promise<ChatEnd> {
  const keyboard = new Keyboard(terminal);
  try {
    const screen = new ChatScreen(terminal.stdout, settings, (print) => keyboard.aside(print));
    return await new ChatLoop(terminal, screen, keyboard, program, start).run();
  } finally {
    keyboard.close();
  }
}

class ChatLoop {
  readonly #terminal: ScreenTerminal;
  readonly #screen: ChatScreen;
  readonly #keyboard: Keyboard;
  readonly #program: ChatProgram;
  readonly #start: LoopStart;
  readonly #current: CurrentChat;
  #left = false;

  constructor(
    terminal: ScreenTerminal,
    screen: ChatScreen,
    keyboard: Keyboard,
    program: ChatProgram,
    start: LoopStart,
  ) {
    this.#terminal = terminal;
    this.#screen = screen;
    this.#keyboard = keyboard;
    this.#program = program;
    this.#start = start;
    this.#current = new CurrentChat(screen, keyboard, program, {
      view: screen,
      tell: (message) => screen.say(message),
      permit: start.yes
        ? (): Promise<Permission> => Promise.resolve("yes")
        : (request, signal) => this.#permit(request, signal),
    });
  }

  async run(): Promise<ChatEnd> {
    const { gone } = this.#keyboard;
    try {
      const end = await Promise.race([this.#converse(), this.#ended(gone)]);
      if (!gone.aborted) return await this.#current.end("completed") > 0 ? "lost" : end;
    } catch (error) {
      await this.#current.end("failed");
      throw error;
    }
    await this.#current.end("failed");
    return gone.reason === "interrupted" ? "cancelled" : "terminated";
  }

  /**
   * Resolves some seconds after the signal to end the chat. Meanwhile, the running turn is stopped
   * as by ^C, and its end is recorded.
   */
  async #ended(signal: AbortSignal): Promise<ChatEnd> {
    await new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener("abort", () => resolve());
    });
    return await new Promise((resolve) => {
      setTimeout(() => resolve("terminated"), LAST_WORDS_MS);
    });
  }

  /** Runs prompts and turns. ^C twice at an empty prompt leaves, and completes the session. */
  async #converse(): Promise<ChatEnd> {
    const { note, message, resume } = this.#start;
    if (note !== undefined) this.#screen.say(note);
    if (resume === undefined) await this.#current.begin();
    else await this.#current.goOn(typeof resume === "string" ? resume : undefined);
    if (!this.#current.isThere) return "cancelled";
    if (message !== undefined) await this.#submit(message);
    let cancelled = false;
    while (!this.#left) {
      const { input, shown } = await this.#readMessage();
      if (input.type === "end") {
        this.#terminal.stdout.write("\n");
        return "left";
      }
      if (input.type === "cancel") {
        if (cancelled) return "cancelled";
        cancelled = input.empty;
        if (cancelled) this.#screen.say("To leave, press ^C again or ^D, or type /quit");
        continue;
      }
      cancelled = false;
      await this.#take(input.text, shown);
    }
    return "left";
  }

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
      const refusal = this.#program.refusal(error);
      if (refusal === undefined) throw error;
      this.#screen.say(refusal);
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
          : "Cannot write export: saving the session to disk failed",
      );
    }
    await this.#program.export(session_id, file);
  }

  async #permit(request: PermissionRequest, signal: AbortSignal): Promise<Permission> {
    const { name, asked, left_out, reason, scope } = request;
    const is_whole = left_out === 0;
    const question = `${name} ${questionText(asked, left_out)}\n` +
      `${reason[0]?.toUpperCase()}${reason.slice(1)}. Allow? [y] yes · [n] no` +
      (is_whole ? ` · [a] always allow ${scope} in this chat` : "");
    const keys = is_whole ? ["y", "a", "n"] as const : ["y", "n"] as const;
    const key = await this.#screen.ask(question, () => this.#keyboard.key(keys, signal));
    return key === "y" ? "yes" : key === "a" ? "always" : "no";
  }
}
