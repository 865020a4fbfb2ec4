/**
 * A chat at a terminal: prompt, turn, prompt.
 */
import type { Chat } from "../../lib/chat/chat.ts";
import type { Permission, PermissionRequest } from "../../lib/chat/chat_view.ts";
import type { SessionError } from "../../lib/event/session_error.ts";
import { type ChatControl, isSlashCommand, runSlashCommand } from "./slash_commands.ts";
import { ChatKeyboard } from "./keyboard.ts";
import { ChatScreen } from "./screen.ts";
import { type ChatSettings, newChat, resumedChat } from "./start.ts";
import type { Context, DataOutput } from "../_context.ts";
import { CommandExit, STATUS, toFailure } from "../_failure.ts";

const PROMPT = "> ";

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
export async function runChatLoop(process: Context, start: LoopStart): Promise<void> {
  const context = { ...process, stdout: untilGone(process.stdout) };
  const screen = await ChatScreen.open(context);
  const keyboard = new ChatKeyboard(context);
  const loop = new ChatLoop(context, screen, keyboard, start);
  try {
    await loop.run();
  } finally {
    screen.busy(false);
    keyboard.close();
  }
}

/** A terminal that may be closed: what is written then is lost, and the session is still ended in order. */
function untilGone(stdout: DataOutput): DataOutput {
  const unlessGone = (write: () => void): void => {
    try {
      write();
    } catch (error) {
      const code = error instanceof Error ? (error as { code?: string }).code : undefined;
      if (code !== "EIO" && !(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
  };
  return {
    terminal: stdout.terminal,
    get width(): number {
      return stdout.width;
    },
    get height(): number {
      return stdout.height;
    },
    write: (text) => unlessGone(() => stdout.write(text)),
    writeBytes: (bytes) => unlessGone(() => stdout.writeBytes(bytes)),
  };
}

class ChatLoop {
  readonly #context: Context;
  readonly #screen: ChatScreen;
  readonly #keyboard: ChatKeyboard;
  readonly #start: LoopStart;
  readonly #settings: ChatSettings;
  #chat: Chat | undefined;
  #left = false;

  constructor(context: Context, screen: ChatScreen, keyboard: ChatKeyboard, start: LoopStart) {
    this.#context = context;
    this.#screen = screen;
    this.#keyboard = keyboard;
    this.#start = start;
    this.#settings = {
      ...start.settings,
      view: screen,
      tell: (message) => screen.say(message),
      permit: start.yes
        ? (): Promise<Permission> => Promise.resolve("yes")
        : (request, signal) => this.#permit(request, signal),
    };
  }

  async run(): Promise<void> {
    const terminated = new AbortController();
    const onTerminate = (): void => terminated.abort();
    const signals: Deno.Signal[] = Deno.build.os === "windows" ? [] : ["SIGTERM", "SIGHUP"];
    for (const signal of signals) Deno.addSignalListener(signal, onTerminate);
    try {
      const status = await Promise.race([this.#converse(), this.#ended(terminated.signal)]);
      if (terminated.signal.aborted) throw new CommandExit(STATUS.terminated);
      const lost = await this.#end("completed");
      if (lost > 0) throw new CommandExit(STATUS.failed);
      if (status !== STATUS.done) throw new CommandExit(status);
    } catch (error) {
      await this.#end("failed");
      throw error;
    } finally {
      for (const signal of signals) Deno.removeSignalListener(signal, onTerminate);
    }
  }

  /** When the process is to end: what is under way is stopped as by ^C, and has a moment to settle. */
  async #ended(signal: AbortSignal): Promise<number> {
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    this.#keyboard.end();
    return await new Promise((resolve) => {
      setTimeout(() => resolve(STATUS.terminated), LAST_WORDS_MS);
    });
  }

  /** Gives the exit status: leaving by ^C is a cancellation, and still in order. */
  async #converse(): Promise<number> {
    const { note, message, resume } = this.#start;
    if (note !== undefined) this.#screen.say(note);
    if (resume === undefined) await this.#begin();
    else await this.#goOn(typeof resume === "string" ? resume : undefined);
    if (this.#chat === undefined) return STATUS.cancelled;
    if (message !== undefined) await this.#submit(message);
    let cancelled = false;
    while (!this.#left) {
      const input = await this.#keyboard.line(PROMPT);
      if (input.type === "end") {
        this.#context.stdout.write("\n");
        return STATUS.done;
      }
      if (input.type === "cancel") {
        this.#context.stdout.write("\n");
        if (cancelled) return STATUS.cancelled;
        cancelled = input.empty;
        if (cancelled) this.#screen.say("^C again, ^D or /quit leaves");
        continue;
      }
      cancelled = false;
      await this.#take(input.text, input.shown);
    }
    return STATUS.done;
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
    await this.#during((signal) => this.#current().submit(text, { signal }));
  }

  #current(): Chat {
    if (this.#chat === undefined) throw new TypeError("Cannot go on: there is no chat");
    return this.#chat;
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
      chat: this.#current(),
      say: (message) => this.#screen.say(message),
      during: (action) => this.#during(action),
      goOn: (ref) => this.#goOn(ref),
      begin: () => this.#begin(),
      exportTo: (file) => this.#exportTo(file),
      quit: () => {
        this.#left = true;
      },
    };
  }

  async #begin(): Promise<void> {
    const chat = await newChat(this.#settings);
    await this.#leave();
    this.#chat = chat;
    const { provider, model } = chat.status();
    this.#screen.say(`New session with ${provider}:${model}; /help lists commands`);
  }

  /** Goes on with a session; the one so far is left only once the other is there. */
  async #goOn(ref: string | undefined): Promise<void> {
    const chosen = ref ?? await this.#choose();
    if (chosen === undefined) return;
    const now = this.#chat?.status().session_id;
    if (now !== undefined && now === chosen) return this.#screen.say("This is that session");
    const chat = await this.#replay(chosen);
    const { provider, model, session_id, message_count } = chat.status();
    this.#screen.say(
      `Going on with session ${session_id} (${message_count} messages) and ${provider}:${model}`,
    );
  }

  async #replay(ref: string): Promise<Chat> {
    await this.#screen.replay(async () => {
      const chat = await resumedChat(this.#settings, ref, (error) => this.#offerCopy(error));
      await this.#leave();
      this.#chat = chat;
      return chat.transcript();
    });
    return this.#current();
  }

  async #choose(): Promise<string | undefined> {
    const { pickSession } = await import("../_picker.ts");
    const row = await this.#keyboard.lent(() => pickSession(this.#context, { action: "go on" }));
    return row?.ref;
  }

  async #offerCopy({ message }: SessionError): Promise<boolean> {
    const question = `${message}\nGo on in a copy of it? y yes · n no`;
    const none = new AbortController().signal;
    const key = await this.#screen.ask(question, () => this.#keyboard.key(["y", "n"], none));
    this.#screen.busy(false);
    return key === "y";
  }

  async #permit(request: PermissionRequest, signal: AbortSignal): Promise<Permission> {
    const { name, title, reason, scope } = request;
    const question = `${name} ${title}\n${reason[0]?.toUpperCase()}${reason.slice(1)}. Allow? ` +
      `y yes · n no · a always allow ${scope} in this chat`;
    const key = await this.#screen.ask(
      question,
      () => this.#keyboard.key(["y", "a", "n"], signal),
    );
    return key === "y" ? "yes" : key === "a" ? "always" : "no";
  }

  async #exportTo(file: string | undefined): Promise<void> {
    const { session_id, on_disk } = this.#current().status();
    if (session_id === undefined || !on_disk) {
      return this.#screen.say("There is nothing to export yet");
    }
    const { exportChat } = await import("./export.ts");
    await exportChat(this.#context, session_id, file);
  }

  /** Leaves the session so far in order. */
  async #leave(): Promise<void> {
    const before = this.#chat;
    this.#chat = undefined;
    await before?.close();
  }

  /** Gives how many events could not be written. */
  async #end(status: "completed" | "failed"): Promise<number> {
    const chat = this.#chat;
    this.#chat = undefined;
    if (chat === undefined) return 0;
    this.#screen.busy(false);
    await chat.close(status);
    const { session_id, on_disk, unsaved } = chat.status();
    if (session_id === undefined || !on_disk) return unsaved;
    this.#screen.say(
      `Session ${session_id}; go on with: reprise chat --resume ${session_id.slice(0, 8)}`,
    );
    return unsaved;
  }
}
