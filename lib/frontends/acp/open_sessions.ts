/** The open sessions of an editor, and their chats. */
import { Chat } from "../../features/chat/chat.ts";
import type { ChatOptions, TurnEnd } from "../../features/chat/chat_options.ts";
import type { ModelClient } from "../../features/chat/models/model.ts";
import { REPRISE } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { importHandle } from "../../library/handle/import/import_handle.ts";
import type { Library } from "../../library/library.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { LocalStore } from "../../core/store/local_store.ts";
import { continuationOf, findById } from "./listed_sessions.ts";
import { LateModel } from "./late_model.ts";
import { type Editor, LiveView } from "./live_view.ts";
import { infoUpdate } from "./protocol.ts";

export interface SessionsOptions {
  library: Library;
  store: LocalStore;
  /** Chooses the model. Called at the first prompt. */
  chooseModel: () => Promise<ModelClient>;
  save: boolean;
  version: string;
  now: () => Date;
  editorOf: (id: string) => Editor;
}

interface PromptEnd {
  end: TurnEnd;
  /** The error of a failed turn. Empty if the turn did not fail. */
  message: string;
}

interface OpenSession {
  readonly id: string;
  readonly cwd: string;
  readonly view: LiveView;
  chat?: Chat;
  running?: { stop: AbortController; ended: Promise<unknown> };
}

export class PromptUnderWay extends Error {
  override name = "PromptUnderWay";
}

export class OpenSessions {
  readonly #options: SessionsOptions;
  readonly #model: LateModel;
  readonly #open = new Map<string, OpenSession>();
  #ended: Promise<void> | undefined;

  constructor(options: SessionsOptions) {
    this.#options = options;
    const caughtUp = (): Promise<unknown> =>
      Promise.all([...this.#open.values()].map(({ view }) => view.caughtUp()));
    this.#model = new LateModel(options.chooseModel, caughtUp);
  }

  /** Begins a session and returns its id. Writes nothing to the disk before the first prompt. */
  async create(cwd: string): Promise<string> {
    const view = new LiveView(cwd);
    const chat = await Chat.start(this.#chatOptions(view, cwd));
    const id = chat.status().session_id ?? crypto.randomUUID();
    view.editor = this.#options.editorOf(id);
    this.#open.set(id, { id, cwd, view, chat });
    return id;
  }

  /**
   * Opens a session to continue it. For another agent's session, returns its newest import that was
   * continued, or else the session. Returns undefined for a new session without a prompt.
   *
   * @throws {SessionError} `invalid-ref`, `not-found`; also errors of `Library.open`.
   */
  async open(id: string, cwd: string): Promise<SessionHandle | undefined> {
    const { library, editorOf } = this.#options;
    if (isUnwritten(this.#open.get(id))) return undefined;
    const session = await findById(library, id);
    if (!this.#open.has(id)) {
      this.#open.set(id, { id, cwd, view: new LiveView(cwd, editorOf(id)) });
    }
    return await continuationOf(library, session) ?? session;
  }

  /**
   * Runs a prompt to its end.
   *
   * @throws {PromptUnderWay} If another prompt runs in the session.
   * @throws {SessionError} `not-found` where the session is not open; `locked` and others where it
   * cannot be written; `invalid-config` where no model is set.
   */
  async submit(id: string, text: string): Promise<PromptEnd> {
    const session = this.#open.get(id);
    if (session === undefined) throw notOpen(id);
    if (session.running !== undefined) {
      throw new PromptUnderWay(
        "Cannot send prompt: another prompt is running in this session; cancel that prompt first",
      );
    }
    const stop = new AbortController();
    const turn = this.#turn(session, text, stop.signal);
    session.running = { stop, ended: turn.catch(() => {/* told to who asked */}) };
    try {
      return await turn;
    } finally {
      delete session.running;
    }
  }

  async #turn(session: OpenSession, text: string, signal: AbortSignal): Promise<PromptEnd> {
    try {
      await this.#model.choose();
      const chat = session.chat ??= await this.#continue(session, signal);
      session.view.begin();
      const end = signal.aborted ? "cancelled" : await chat.submit(text, { signal });
      await this.#tellInfo(session, chat);
      return { end, message: session.view.failure };
    } catch (error) {
      if (signal.aborted) return { end: "cancelled", message: "" };
      throw error;
    }
  }

  cancel(id: string): void {
    this.#open.get(id)?.running?.stop.abort();
  }

  /** Closes a session and interrupts its prompt. Another program may then continue it. */
  async close(id: string): Promise<void> {
    const session = this.#open.get(id);
    if (session === undefined) throw notOpen(id);
    await this.#end(session);
  }

  /**
   * Moves a session of the store to the trash.
   *
   * @throws {RangeError} For another agent's session. @throws {SessionError} As the store's
   * `remove`.
   */
  async remove(id: string): Promise<void> {
    const { library, store } = this.#options;
    const open = this.#open.get(id);
    const session = isUnwritten(open) ? undefined : await findById(library, id);
    if (session !== undefined && !session.writable) {
      throw new RangeError(
        `Cannot delete session: the session belongs to ${session.agent_title}; to hide the ` +
          `session from lists: reprise archive ${id}`,
      );
    }
    if (open !== undefined) await this.close(id);
    if (session === undefined) return;
    await store.remove(session.id);
    await library.forget(REPRISE, [session.id]);
  }

  /** Closes all sessions and interrupts their prompts, even if closing one fails. */
  end(): Promise<void> {
    return this.#ended ??= this.#endAll();
  }

  async #endAll(): Promise<void> {
    const ends = await Promise.allSettled(
      [...this.#open.values()].map((session) => this.#end(session)),
    );
    for (const end of ends) if (end.status === "rejected") throw end.reason;
  }

  async #end(session: OpenSession): Promise<void> {
    const { id, running } = session;
    this.#open.delete(id);
    running?.stop.abort();
    // The log is closed after the prompt's last write.
    await running?.ended;
    await session.chat?.close(running === undefined ? "completed" : "failed");
  }

  /**
   * Continues a session of the store. Imports another agent's session, unless it was imported
   * before.
   */
  async #continue({ id, cwd, view }: OpenSession, signal: AbortSignal): Promise<Chat> {
    const { library, store } = this.#options;
    const found = await findById(library, id);
    const session = await continuationOf(library, found) ?? found;
    const own = session.writable
      ? session.id
      : (await importHandle(store, session, { default_cwd: cwd, signal })).session_id;
    return await resumed(own, this.#chatOptions(view, cwd));
  }

  #chatOptions(view: LiveView, cwd: string): ChatOptions {
    const { store, save, version, now } = this.#options;
    return {
      store,
      cwd,
      model: this.#model,
      save,
      view,
      permit: (request) => view.permit(request),
      app: { name: "reprise acp", version },
      now,
    };
  }

  async #tellInfo({ id }: OpenSession, chat: Chat): Promise<void> {
    const { session_id, on_disk } = chat.status();
    if (session_id === undefined || !on_disk) return;
    const { store, editorOf } = this.#options;
    void editorOf(id).update(infoUpdate(await store.summarize(store.find(session_id))));
  }
}

function isUnwritten(session: OpenSession | undefined): boolean {
  return session?.chat?.status().on_disk === false;
}

export async function rowOf(library: Library, session: SessionHandle): Promise<Summary> {
  return await library.entry(session.session).row() ?? await session.summary();
}

async function resumed(id: string, options: ChatOptions): Promise<Chat> {
  try {
    return await Chat.resume(id, options);
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "locked") throw error;
    const message = `${error.message}. To continue in a copy instead: reprise fork ${id}`;
    throw new SessionError("locked", message, error.data, error);
  }
}

function notOpen(id: string): SessionError {
  const message =
    `Cannot use session "${id}": the session is not open; load or resume the session first`;
  return new SessionError("not-found", message, { ref: id });
}
