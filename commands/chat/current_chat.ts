/**
 * The session that a chat at a terminal is in, and how it comes to another one.
 */
import type { Chat } from "../../lib/chat/chat.ts";
import type { SessionError } from "../../lib/event/session_error.ts";
import type { ChatScreen } from "../../lib/screens/chat_screen.ts";
import type { Keyboard } from "../../lib/ui/keyboard.ts";
import { type ChatSettings, newChat, resumedChat, resumeHint } from "./start.ts";
import type { Context } from "../_context.ts";

/** One chat at a time. That before is left only once the next one is there. */
export class CurrentChat {
  readonly #context: Context;
  readonly #screen: ChatScreen;
  readonly #keyboard: Keyboard;
  readonly #settings: ChatSettings;
  #chat: Chat | undefined;
  /** Events that could not be written of chats before. */
  #lost = 0;

  constructor(
    context: Context,
    screen: ChatScreen,
    keyboard: Keyboard,
    settings: ChatSettings,
  ) {
    this.#context = context;
    this.#screen = screen;
    this.#keyboard = keyboard;
    this.#settings = settings;
  }

  get isThere(): boolean {
    return this.#chat !== undefined;
  }

  get chat(): Chat {
    if (this.#chat === undefined) throw new TypeError("Cannot continue: there is no chat");
    return this.#chat;
  }

  /** Begins a new session. */
  async begin(): Promise<void> {
    const chat = await newChat(this.#settings);
    await this.#leaveFor(chat);
    const { provider, model } = chat.status();
    this.#screen.say(`New session with ${provider}:${model}; /help lists commands`);
  }

  /** Goes on with a session; where none is named, with the one that the user chooses. */
  async goOn(ref: string | undefined): Promise<void> {
    const chosen = ref ?? await this.#choose();
    if (chosen === undefined) return;
    // Else the store would say that another process writes it, and that one is this.
    const { session_id: now } = this.#chat?.status() ?? {};
    if (now?.startsWith(chosen.toLowerCase())) return this.#screen.say("This is that session");
    await this.#replay(chosen);
    const { provider, model, session_id, message_count } = this.chat.status();
    this.#screen.say(
      `Continuing session ${session_id} (${message_count} messages) and ${provider}:${model}`,
    );
  }

  /** Ends the session and says how to continue it. Returns how many events were lost in all. */
  async end(status: "completed" | "failed"): Promise<number> {
    const chat = this.#chat;
    this.#chat = undefined;
    this.#screen.busy(false);
    if (chat === undefined) return this.#lost;
    await chat.close(status);
    const hint = resumeHint(chat.status());
    if (hint !== undefined) this.#screen.say(hint);
    return this.#lost + chat.status().unsaved;
  }

  async #replay(ref: string): Promise<void> {
    await this.#screen.replay(async () => {
      const chat = await resumedChat(this.#settings, ref, (error) => this.#offerCopy(error));
      await this.#leaveFor(chat);
      return chat.transcript();
    });
  }

  async #choose(): Promise<string | undefined> {
    const { pickSession } = await import("../_picker.ts");
    const row = await this.#keyboard.lend(() => pickSession(this.#context, { action: "continue" }));
    return row?.ref;
  }

  async #offerCopy({ message }: SessionError): Promise<boolean> {
    const question = `${message}\nContinue in a copy of it? y yes · n no`;
    const none = new AbortController().signal;
    const key = await this.#screen.ask(question, () => this.#keyboard.key(["y", "n"], none));
    this.#screen.busy(false);
    return key === "y";
  }

  async #leaveFor(chat: Chat): Promise<void> {
    const before = this.#chat;
    this.#chat = chat;
    if (before === undefined) return;
    await before.close();
    this.#lost += before.status().unsaved;
  }
}
