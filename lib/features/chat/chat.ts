/**
 * A chat with a model, stored as a session: an agent without a screen.
 *
 * @module
 */
import { present } from "../../core/event/present.ts";
import type { Message, NewEvent, Session, TranscriptItem } from "../../../mod.ts";
import type { PayloadByKind } from "../../../mod.ts";
import { readTranscript } from "../../core/pipeline/mod.ts";
import type {
  ChatOptions,
  ChatStatus,
  CompactionEnd,
  TurnEnd,
  TurnOptions,
} from "./chat_options.ts";
import { createSession, readResumeState, type ResumeState } from "./chat_session.ts";
import { fixedTokens } from "./compaction.ts";
import { ContextWindow } from "./context_window.ts";
import { Recorder } from "./recorder.ts";
import { defaultTools } from "./tools/default_tools.ts";
import type { ChatTool } from "./tools/tool.ts";
import { runTurn, type TurnParts } from "./turn.ts";
import { Workplace } from "./workplace.ts";

interface ChatStart {
  options: ChatOptions;
  session: Session | undefined;
  place: Workplace;
  resumed?: ResumeState;
}

/**
 * A chat, made by {@linkcode Chat.start} and {@linkcode Chat.resume}. Runs one turn at a time. The
 * log is synced to the disk only when a step ends, such as a prompt or an answer. Each request is
 * built from the log. So a resumed chat sends exactly what it would have sent without a stop.
 */
export class Chat {
  readonly #options: ChatOptions;
  readonly #tools: readonly ChatTool[];
  readonly #recorder: Recorder;
  readonly #window: ContextWindow;
  readonly #place: Workplace;
  readonly #newId: () => string;
  readonly #allowed = new Set<string>();
  #busy = false;
  #closed = false;

  private constructor({ options, session, place, resumed }: ChatStart) {
    const { model, view, now = () => new Date(), newId, retry_saving_ms = 2000 } = options;
    this.#options = options;
    this.#tools = options.tools ?? defaultTools();
    this.#newId = newId ?? (() => crypto.randomUUID());
    this.#place = place;
    this.#recorder = new Recorder({
      session,
      state: resumed?.conversation,
      now,
      retry_ms: retry_saving_ms,
      onItem: (item) => view.onItem(item),
      onNotice: (notice) => view.onNotice?.(notice),
    });
    const definitions = this.#tools.map(({ definition }) => definition);
    this.#window = new ContextWindow({
      model,
      fixed_tokens: fixedTokens(place.system, definitions),
      messages: () => this.messages(),
      keep: (event) => this.#keep(event),
      view,
      compact_at: options.compact_at ?? 0.85,
    });
  }

  /**
   * Begins a chat. Nothing is on disk before the first message.
   *
   * @throws {SessionError} `unsafe-store`
   */
  static async start(options: ChatOptions): Promise<Chat> {
    const place = new Workplace(options.cwd, options.system);
    const session = options.save === false
      ? undefined
      : await createSession(options, place.git_branch);
    return new Chat({ options, session, place });
  }

  /**
   * Continues a session with the chosen model. Show {@linkcode Chat.transcript} first.
   *
   * @param ref A session id of the store, or its first characters.
   * @param options As of {@linkcode Chat.start}; `save` has no effect.
   * @throws {SessionError} `not-found`, `ambiguous`, `locked` (offer {@linkcode Chat.forkFrom}),
   * `unsupported-version`, `unsafe-store`, `permission`, `io`
   */
  static async resume(ref: string, options: ChatOptions): Promise<Chat> {
    return await Chat.#continue(await options.store.resume(ref), options);
  }

  static async #continue(session: Session, options: ChatOptions): Promise<Chat> {
    try {
      const resumed = await readResumeState(session.path, options.past_calls);
      const place = new Workplace(options.cwd, options.system);
      const chat = new Chat({ options, session, place, resumed });
      const message = place.branchChange(resumed.git_branch);
      if (message !== undefined) options.view.onNotice?.({ code: "branch-changed", message });
      return chat;
    } catch (error) {
      await session.release();
      throw error;
    }
  }

  /**
   * Continues in a copy of a session, if the session must not change or is locked.
   *
   * @param ref An id or its first characters.
   * @param options As of {@linkcode Chat.resume}.
   * @param seq The last event to copy. @default {the last one}
   * @throws {SessionError} As {@linkcode Chat.resume}, but never `locked`.
   */
  static async forkFrom(ref: string, options: ChatOptions, seq?: number): Promise<Chat> {
    const fork = await options.store.fork(ref, present({ seq }));
    return await Chat.#continue(fork, options);
  }

  /**
   * Runs a turn: stores the message, then asks the model and runs its tool calls until it ends.
   *
   * @param text The user's message; not empty.
   * @param options The signal interrupts: partial answers are stored, and calls are settled.
   * @returns The way the turn ended. A failure of the model ends the turn, never the chat.
   * @throws {TypeError} When a turn is running, or the chat is closed.
   * @throws {SessionError} `too-large`: nothing was stored.
   */
  async submit(text: string, { signal }: TurnOptions = {}): Promise<TurnEnd> {
    return await this.#alone("submit message", async () => {
      const turn_id = this.#newId();
      for (const event of this.#place.tellSources()) await this.#keep(event);
      await this.#keep({ kind: "user_message", turn_id, payload: { content: text } });
      const parts = this.#turnParts(turn_id, signal ?? new AbortController().signal);
      const end = await runTurn(parts);
      await this.#leaveSnapshot(turn_id, parts.touched);
      return end;
    });
  }

  /**
   * Replaces the conversation by a summary that the model writes. A short last turn is kept.
   *
   * @param guidance Instructions for the summary.
   * @param options If the signal aborts, the conversation stays unchanged.
   * @throws {TypeError} When a turn is running, or the chat is closed.
   */
  async compact(guidance?: string, { signal }: TurnOptions = {}): Promise<CompactionEnd> {
    return await this.#alone("compact conversation", async () => {
      const wish = guidance?.trim();
      const end = await this.#window.compact({ guidance: wish === "" ? undefined : wish, signal });
      if (end.result === "applied") await this.#leaveSnapshot(undefined, new Set());
      return end;
    });
  }

  /** Returns the messages of the conversation so far, as the next request would send them. */
  messages(): Message[] {
    return this.#recorder.conversation().messages;
  }

  /** Returns the transcript so far, from the log; empty if there is no log yet. */
  transcript(): ReadableStream<TranscriptItem> {
    const { path } = this.#recorder.saving;
    return path === undefined ? ReadableStream.from([]) : readTranscript(path);
  }

  status(): ChatStatus {
    const { session, path, waiting } = this.#recorder.saving;
    const { model } = this.#options;
    const { git_branch } = this.#place;
    return present({
      session_id: session?.id,
      path,
      on_disk: path !== undefined,
      provider: model.provider,
      model: model.model,
      context_used: this.#window.used,
      context_estimated: this.#window.estimated,
      context_limit: model.context_limit,
      message_count: this.messages().length,
      unsaved: waiting,
      git_branch,
      busy: this.#busy,
    });
  }

  /** Sets the session's title. An empty title restores the default, which is the first message. */
  async rename(title: string): Promise<void> {
    await this.#alone("rename session", () => {
      return this.#keep({ kind: "session_renamed", payload: { title } });
    });
  }

  /**
   * Continues in a copy of the session, and closes the session unchanged.
   *
   * @returns The copy's id.
   * @throws {TypeError} When there is no session on disk, or events could not be written.
   * @throws {SessionError} As of the store's `fork`.
   */
  async fork(): Promise<string> {
    return await this.#alone("fork session", async () => {
      const { saving } = this.#recorder;
      const { session } = saving;
      await saving.retry();
      if (saving.waiting > 0) {
        throw new TypeError(
          "Cannot fork session: the session is not saved, because saving it failed",
        );
      }
      if (!session?.on_disk) throw new TypeError("Cannot fork session: nothing is saved yet");
      const { store } = this.#options;
      const fork = await store.fork(session.id);
      this.#recorder.continueIn(fork);
      await saving.close("completed");
      return fork.id;
    });
  }

  /**
   * Ends the session. A chat without a message leaves no session. Unwritten events are reported to
   * the view.
   *
   * @param status `failed` if the program was stopped.
   */
  async close(status: PayloadByKind["session_closed"]["status"] = "completed"): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#recorder.saving.close(status);
  }

  async #alone<Result>(action: string, work: () => Promise<Result>): Promise<Result> {
    if (this.#closed) throw new TypeError(`Cannot ${action}: the chat is closed`);
    if (this.#busy) {
      throw new TypeError(
        `Cannot ${action}: the model is still answering; wait for its answer, or stop it`,
      );
    }
    this.#busy = true;
    try {
      return await work();
    } finally {
      this.#busy = false;
    }
  }

  async #keep(event: NewEvent): Promise<void> {
    await this.#recorder.append(event);
    this.#window.add(event);
  }

  #turnParts(turn_id: string, signal: AbortSignal): TurnParts {
    const { cwd, model, permit, view, max_requests = 100 } = this.#options;
    return {
      cwd,
      tools: this.#tools,
      permit,
      allowed: this.#allowed,
      view,
      signal,
      keep: (event) => this.#keep({ ...event, turn_id }),
      touched: new Set(),
      model,
      system: this.#place.system,
      messages: () => this.messages(),
      newId: this.#newId,
      max_requests,
      count: (response) => this.#window.count(response),
      makeRoom: (urgent) => this.#window.makeRoom(urgent, turn_id, signal),
    };
  }

  async #leaveSnapshot(turn_id: string | undefined, touched: ReadonlySet<string>): Promise<void> {
    const { context_used, context_limit } = this.status();
    const parts = { turn_id, touched, context_used, context_limit };
    await this.#keep(this.#place.snapshot(parts));
  }
}
