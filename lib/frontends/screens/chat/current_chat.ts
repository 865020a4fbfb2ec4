/** Holds the session of a chat at a terminal, and switches to another session. */
import { counted } from "../../../core/event/counted.ts";
import type { Chat } from "../../../features/chat/chat.ts";
import type { ChatStatus, ChatView, Permit } from "../../../features/chat/chat_options.ts";
import type { SessionError } from "../../../core/event/session_error.ts";
import type { Keyboard } from "../../ui/keyboard.ts";
import type { ChatScreen } from "./chat_screen.ts";

export interface ChatTalk {
  view: ChatView;
  permit: Permit;
  tell: (message: string) => void;
}

export interface ChatProgram {
  start(talk: ChatTalk): Promise<Chat>;
  /** Continues a session. If another process writes it, asks `inCopy` whether to use a copy. */
  resume(
    talk: ChatTalk,
    ref: string,
    inCopy: (error: SessionError) => Promise<boolean>,
  ): Promise<Chat>;
  choose(): Promise<string | undefined>;
  export(session_id: string, file: string | undefined): Promise<void>;
  /** Returns the message of an error after which the chat continues. Undefined for other errors. */
  refusal(error: unknown): string | undefined;
}

export function resumeHint({ session_id, on_disk }: ChatStatus): string | undefined {
  if (session_id === undefined || !on_disk) return undefined;
  return `Session ${session_id}\nContinue with: reprise chat --resume ${session_id.slice(0, 8)}`;
}

/** Holds the current chat. The previous chat is left only after the next one has started. */
export class CurrentChat {
  readonly #screen: ChatScreen;
  readonly #keyboard: Keyboard;
  readonly #program: ChatProgram;
  readonly #talk: ChatTalk;
  #chat: Chat | undefined;
  /** Number of unwritten events of earlier chats. */
  #lost = 0;

  constructor(
    screen: ChatScreen,
    keyboard: Keyboard,
    program: ChatProgram,
    talk: ChatTalk,
  ) {
    this.#screen = screen;
    this.#keyboard = keyboard;
    this.#program = program;
    this.#talk = talk;
  }

  get isThere(): boolean {
    return this.#chat !== undefined;
  }

  get chat(): Chat {
    if (this.#chat === undefined) {
      throw new TypeError("Cannot continue: there is no chat to continue");
    }
    return this.#chat;
  }

  async begin(): Promise<void> {
    const chat = await this.#program.start(this.#talk);
    await this.#leaveFor(chat);
    const { provider, model } = chat.status();
    this.#screen.say(`New session with ${provider}:${model}; /help lists commands`);
  }

  /** Continues a session. Without a reference, the user chooses the session. */
  async goOn(ref: string | undefined): Promise<void> {
    const chosen = ref ?? await this.#keyboard.lend(() => this.#program.choose());
    if (chosen === undefined) return;
    // Else the store would say that another process is writing it, and that one is this.
    const { session_id: now } = this.#chat?.status() ?? {};
    if (now?.startsWith(chosen.toLowerCase())) {
      return this.#screen.say("You are already in this session");
    }
    await this.#replay(chosen);
    const { provider, model, session_id, message_count } = this.chat.status();
    this.#screen.say(
      `Continuing session ${session_id} (${
        counted(message_count, "message")
      }) with ${provider}:${model}`,
    );
  }

  /** Ends the chat and prints how to continue it. Returns the count of all lost events. */
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
      const chat = await this.#program.resume(this.#talk, ref, (error) => this.#offerCopy(error));
      await this.#leaveFor(chat);
      return chat.transcript();
    });
  }

  async #offerCopy({ message }: SessionError): Promise<boolean> {
    const question = `${message}\nContinue in a copy of the session? [y] yes · [n] no`;
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
