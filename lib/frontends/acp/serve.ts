/**
 * Serves every session to an editor over the Agent Client Protocol, version 1.
 *
 * @module
 */
import { errorText } from "../../core/event/error_text.ts";
import {
  agent,
  type AgentApp,
  type AgentContext,
  type ListSessionsRequest,
  type ListSessionsResponse,
  ndJsonStream,
  type PromptRequest,
  type PromptResponse,
  PROTOCOL_VERSION,
  RequestError,
} from "npm:@agentclientprotocol/sdk@2.4.0";
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import { rowsOf } from "../../library/query/candidate.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { statSync } from "../../core/platform/files.ts";
import { realDirectory } from "../../core/workspace/real_directory.ts";
import { EditorStreams, type Streams } from "./editor_streams.ts";
import { listPage } from "./listed_sessions.ts";
import type { Editor } from "./live_view.ts";
import { OpenSessions, PromptUnderWay, rowOf, type SessionsOptions } from "./open_sessions.ts";
import { promptText } from "./content_blocks.ts";
import {
  CAPABILITIES,
  infoUpdate,
  isAbsolute,
  sessionInfo,
  type SessionUpdate,
} from "./protocol.ts";
import { replay } from "./replay.ts";
import { SessionError } from "../../core/event/session_error.ts";

export interface ServeEditorOptions extends Omit<SessionsOptions, "editorOf">, Streams {
  /** The agents whose sessions are listed. @default {all} */
  agents?: readonly AgentName[] | undefined;
  /** Maximum bytes of a session that is replayed whole. */
  replay_limit: number;
  signal: AbortSignal;
}

/** Serves an editor until its input ends or the signal aborts. Then closes all logs. */
export async function serveEditor(options: ServeEditorOptions): Promise<void> {
  const streams = new EditorStreams(options);
  const server = new EditorServer(options);
  const connection = server.app(streams).connect(ndJsonStream(streams.output, streams.input));
  server.client = connection.client;
  const close = (): void => {
    connection.close();
    streams.leave();
  };
  options.signal.addEventListener("abort", close, { once: true });
  if (options.signal.aborted) close();
  await Promise.race([connection.closed, streams.ended.then(() => server.sessions.end())]);
  await server.sessions.end();
  await streams.settled();
  close();
}

class EditorServer {
  client: AgentContext | undefined;
  readonly sessions: OpenSessions;
  readonly #options: ServeEditorOptions;
  /** The rows of the last list, from which its next pages are taken. */
  #rows: { cwd: string | undefined; rows: readonly Summary[] } | undefined;
  /** The running replay. Only one runs at a time, as each holds a session's end in memory. */
  #replay: Promise<unknown> = Promise.resolve();

  constructor(options: ServeEditorOptions) {
    this.#options = options;
    this.sessions = new OpenSessions({ ...options, editorOf: (id) => this.#editorOf(id) });
  }

  app(streams: EditorStreams): AgentApp {
    const { sessions } = this;
    const answer = <Context, Result>(
      handler: (context: Context) => Promise<Result>,
    ): (context: Context) => Promise<Result> =>
    (context) =>
      streams.track(
        handler(context).catch((error) => {
          throw toRequestError(error);
        }),
      );
    return agent({ name: "reprise" })
      .onRequest("initialize", () => ({
        protocolVersion: PROTOCOL_VERSION,
        agentCapabilities: CAPABILITIES,
        agentInfo: { name: "reprise", title: "Reprise", version: this.#options.version },
        authMethods: [],
      }))
      .onRequest("session/list", answer(({ params }) => this.#list(params)))
      .onRequest(
        "session/new",
        answer(async ({ params: { cwd } }) => ({
          sessionId: await sessions.create(workplace(cwd)),
        })),
      )
      .onRequest(
        "session/load",
        answer(({ params, signal }) => this.#load(params, signal)),
      )
      .onRequest(
        "session/resume",
        answer(async ({ params: { sessionId, cwd } }) => {
          await sessions.open(sessionId, workplace(cwd));
          return {};
        }),
      )
      .onRequest(
        "session/prompt",
        answer(({ params, signal }) => this.#submit(params, signal)),
      )
      .onNotification("session/cancel", ({ params }) => sessions.cancel(params.sessionId))
      .onRequest("session/close", answer(({ params }) => sessions.close(params.sessionId)))
      .onRequest("session/delete", answer(({ params }) => sessions.remove(params.sessionId)));
  }

  async #list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const directory = cwd === undefined || cwd === null ? undefined : absolute(cwd);
    const known = typeof cursor === "string" && this.#rows?.cwd === directory;
    const rows = known ? this.#rows?.rows ?? [] : await this.#read(directory);
    const page = listPage(rows, directory, cursor ?? undefined);
    return present({
      sessions: page.rows.flatMap((row) => sessionInfo(row) ?? []),
      nextCursor: page.next,
    });
  }

  async #read(cwd: string | undefined): Promise<readonly Summary[]> {
    const { library, agents } = this.#options;
    const directories = cwd === undefined ? undefined : [realDirectory(cwd)];
    const { entries } = await library.query({ agents, scope: "here", directories, rows: true });
    const rows = await rowsOf(entries);
    // Rows without a directory are left out first, so that all pages have the same length.
    const listed = rows.filter((row) => sessionInfo(row) !== undefined);
    this.#rows = { cwd, rows: listed };
    return listed;
  }

  async #load(
    params: { sessionId: string; cwd: string },
    signal: AbortSignal,
  ): Promise<Record<string, never>> {
    const answer = this.#replay.then(() => this.#replayTo(params, signal));
    this.#replay = answer.catch(() => {/* told to who asked */});
    return await answer;
  }

  async #replayTo(
    { sessionId, cwd }: { sessionId: string; cwd: string },
    signal: AbortSignal,
  ): Promise<Record<string, never>> {
    signal.throwIfAborted();
    const { library, replay_limit: limit } = this.#options;
    const session = await this.sessions.open(sessionId, workplace(cwd));
    if (session === undefined) return {};
    const row = await rowOf(library, session);
    const send = (update: SessionUpdate): Promise<void> | undefined =>
      this.client?.notify("session/update", { sessionId, update });
    for await (const updates of replay(session, { row, limit, cwd })) {
      for (const update of updates) await send(update);
      signal.throwIfAborted();
    }
    await send(infoUpdate(row));
    return {};
  }

  async #submit(
    { sessionId, prompt }: PromptRequest,
    signal: AbortSignal,
  ): Promise<PromptResponse> {
    const text = promptText(prompt);
    if (text === "") throw invalidParams("Cannot send prompt: the prompt is empty");
    const cancel = (): void => this.sessions.cancel(sessionId);
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const { end, message } = await this.sessions.submit(sessionId, text);
      if (end === "failed") throw turnFailed(message);
      return { stopReason: end === "cancelled" ? "cancelled" : "end_turn" };
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  }

  #editorOf(sessionId: string): Editor {
    return {
      // An update to a client that has gone is dropped.
      update: async (update) =>
        await this.client?.notify("session/update", { sessionId, update }).catch(() => {}),
      ask: async (toolCall, options) => {
        const answer = await this.client?.request("session/request_permission", {
          ...{ sessionId, toolCall, options },
        });
        const { outcome } = answer ?? {};
        return outcome?.outcome === "selected" ? String(outcome["optionId"]) : undefined;
      },
    };
  }
}

function absolute(cwd: string): string {
  if (isAbsolute(cwd)) return cwd;
  throw invalidParams("Cannot use directory: cwd must be an absolute path");
}

/** Checks a session's directory. Accepts a missing directory, so that the session can be read. */
function workplace(cwd: string): string {
  if (!isThereAsFile(absolute(cwd))) return cwd;
  throw invalidParams("Cannot use directory: cwd is a file, not a directory");
}

function isThereAsFile(path: string): boolean {
  try {
    return !statSync(path).isDirectory;
  } catch {
    // The path is missing or unreadable.
    return false;
  }
}

const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;
const NOT_FOUND = -32002;

const CODES: Readonly<Record<string, number>> = {
  "not-found": NOT_FOUND,
  "ambiguous": NOT_FOUND,
  "invalid-ref": INVALID_PARAMS,
};

function toRequestError(error: unknown): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof RangeError || error instanceof SyntaxError) {
    return invalidParams(error.message);
  }
  if (error instanceof PromptUnderWay) return new RequestError(INVALID_REQUEST, error.message);
  if (!(error instanceof SessionError)) {
    const message = errorText(error);
    return new RequestError(INTERNAL, message);
  }
  const { code, message } = error;
  return new RequestError(CODES[code] ?? INTERNAL, message, { code });
}

function invalidParams(message: string): RequestError {
  return new RequestError(INVALID_PARAMS, message);
}

function turnFailed(message: string): RequestError {
  return new RequestError(INTERNAL, message === "" ? "The turn failed" : message);
}
