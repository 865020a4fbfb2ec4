/** An editor: the protocol's own client, which talks with the real program. */
import { eventually } from "./eventually.ts";
import {
  client,
  type ClientConnection,
  type ClientContext,
  type InitializeResponse,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type SessionInfo,
  type SessionUpdate,
} from "npm:@agentclientprotocol/sdk@2.4.0";
import { cliProcess, type StartedCli, startHere } from "./cli.ts";
import type { CliHome } from "./cli_home.ts";

/** How the editor answers, and how the program is started. */
export interface AcpOptions {
  /** Words behind `acp`. @default {["--model", "mock"]} */
  args?: readonly string[];
  env?: Record<string, string | undefined>;
  /** Words before the program, such as those of a tracer. It runs in this process without them. */
  before?: readonly string[];
  /** The option that the user chooses. @default {"yes"} */
  permit?: (request: RequestPermissionRequest) => Promise<string> | string;
}

/** An update, and the session that it is of. */
export interface Received {
  sessionId: string;
  update: SessionUpdate;
}

/** One connection to `reprise acp`. */
export class AcpClient implements AsyncDisposable {
  readonly child: StartedCli;
  readonly stderr: Promise<string>;
  readonly updates: Received[] = [];
  readonly asked: RequestPermissionRequest[] = [];
  readonly #connection: ClientConnection;

  constructor(
    home: CliHome,
    { args = ["--model", "mock"], env = {}, permit = () => "yes", before }: AcpOptions = {},
  ) {
    const options = { home: home.path, cwd: home.work, env };
    this.child = before === undefined
      ? startHere(["acp", ...args], options)
      : cliProcess(["acp", ...args], { ...options, stdin: "" }, before).spawn();
    this.stderr = new Response(this.child.stderr).text();
    this.#connection = client({ name: "test" })
      .onNotification("session/update", ({ params }) => void this.updates.push(params))
      .onRequest("session/request_permission", async ({ params }) => {
        this.asked.push(params);
        return { outcome: { outcome: "selected", optionId: await permit(params) } };
      })
      .connect(ndJsonStream(this.child.stdin, this.child.stdout));
  }

  get agent(): ClientContext {
    return this.#connection.agent;
  }

  /** Opens the connection, and gives what the program says of itself. */
  async initialize(): Promise<InitializeResponse> {
    return await this.agent.request("initialize", {
      ...{ protocolVersion: 1, clientCapabilities: {} },
    });
  }

  /** All sessions, page by page. */
  async list(cwd?: string): Promise<SessionInfo[][]> {
    const pages: SessionInfo[][] = [];
    const where = cwd === undefined ? {} : { cwd };
    for (let cursor: string | null | undefined = undefined;;) {
      const more: { cursor?: string } = typeof cursor === "string" ? { cursor } : {};
      const page = await this.agent.request("session/list", { ...where, ...more });
      pages.push(page.sessions);
      cursor = page.nextCursor;
      if (typeof cursor !== "string") return pages;
    }
  }

  async create(cwd: string): Promise<string> {
    const { sessionId } = await this.agent.request("session/new", { cwd, mcpServers: [] });
    return sessionId;
  }

  async load(sessionId: string, cwd: string): Promise<SessionUpdate[]> {
    const from = this.updates.length;
    await this.agent.request("session/load", { sessionId, cwd, mcpServers: [] });
    return this.updates.slice(from).map(({ update }) => update);
  }

  async resume(sessionId: string, cwd: string): Promise<void> {
    await this.agent.request("session/resume", { sessionId, cwd, mcpServers: [] });
  }

  /** Sends a prompt; gives how the turn stopped, and what was shown meanwhile. */
  async prompt(
    sessionId: string,
    text: string,
  ): Promise<{ stop: string; updates: SessionUpdate[] }> {
    const from = this.updates.length;
    const { stopReason } = await this.agent.request("session/prompt", {
      sessionId,
      prompt: [{ type: "text", text }],
    });
    return { stop: stopReason, updates: this.updates.slice(from).map(({ update }) => update) };
  }

  /** Interrupts the prompt under way. */
  async cancel(sessionId: string): Promise<void> {
    await this.agent.notify(methods.agent.session.cancel, { sessionId });
  }

  /** Waits until the program has sent an update that fits. */
  async until(fits: (update: SessionUpdate) => boolean): Promise<SessionUpdate> {
    const { update } = await eventually(
      () => this.updates.find(({ update }) => fits(update)),
      () => `no such update among ${JSON.stringify(this.updates).slice(-2000)}`,
    );
    return update;
  }

  /** Hangs up, and gives the exit status. */
  async hangUp(): Promise<number> {
    this.#connection.close();
    await this.child.stdin.close().catch(() => {/* closed by the connection */});
    const { code } = await this.child.status;
    await this.stderr;
    return code;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hangUp();
  }
}

/** The text of the chunks of one kind, joined. */
export function textOf(updates: readonly SessionUpdate[], kind: string): string {
  return updates.flatMap((update) =>
    update.sessionUpdate === kind && "content" in update && update.content !== null &&
      typeof update.content === "object" && "text" in update.content
      ? [update.content.text]
      : []
  ).join("");
}
