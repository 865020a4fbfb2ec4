/** A client of the server, frame by frame: over streams in this process. */
import { parseSince, parseUntil } from "../../commands/_values.ts";
import type { Library } from "../../lib/library/library.ts";
import { serveHistory, type ServeHistoryOptions } from "../../lib/frontends/mcp/serve.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

/** A talk with a server. Ends with `await using`. */
export class McpTalk implements AsyncDisposable {
  /** All that the server wrote, a line each. */
  readonly lines: string[] = [];
  readonly ended: Promise<void>;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #waiting = new Map<unknown, (message: Json) => void>();
  #next = 0;
  #rest = "";

  constructor(
    library: Library,
    options: Partial<ServeHistoryOptions> & Pick<ServeHistoryOptions, "cwd">,
  ) {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
    this.#input = writable.getWriter();
    this.ended = serveHistory(library, {
      ...{ all: false, redacts: true, version: "0.0.0", input: readable },
      now: () => new Date(),
      parseSince: (text) => parseSince(text, { now: () => new Date() }),
      parseUntil: (text) => parseUntil(text, { now: () => new Date() }),
      write: (text) => this.#take(text),
      ...options,
    });
  }

  /** Sends a text as it is. */
  async send(text: string): Promise<void> {
    await this.sendBytes(new TextEncoder().encode(text));
  }

  /** Sends bytes as they are. */
  async sendBytes(bytes: Uint8Array): Promise<void> {
    await this.#input.write(bytes);
  }

  /** Sends a request; gives the whole answer. */
  async request(method: string, params: unknown, id: unknown = ++this.#next): Promise<Json> {
    const { promise, resolve } = Promise.withResolvers<Json>();
    this.#waiting.set(id, resolve);
    await this.send(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    return await promise;
  }

  /** Opens the connection as clients of 2025 do. */
  async open(): Promise<Json> {
    const clientInfo = { name: "test", version: "1" };
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo };
    const { result } = await this.request("initialize", params);
    await this.send('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    return result;
  }

  /** Calls a tool; gives its text. @throws {Error} With the text, where the tool says it is an error. */
  async call(name: string, args: unknown, meta?: unknown): Promise<string> {
    const { result, error } = await this.request("tools/call", {
      name,
      arguments: args,
      ...(meta === undefined ? {} : { _meta: meta }),
    });
    const text = error?.message ?? result.content[0].text;
    if (error !== undefined || result.isError) throw new Error(text);
    return text;
  }

  /** Waits for what is answered under an id, or to no request. */
  async answer(id: unknown): Promise<Json> {
    const { promise, resolve } = Promise.withResolvers<Json>();
    this.#waiting.set(id, resolve);
    return await promise;
  }

  async endInput(): Promise<void> {
    await this.#input.close().catch(() => {/* the server was left */});
  }

  #take(text: string): void {
    const lines = (this.#rest + text).split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      this.lines.push(line);
      const message = JSON.parse(line);
      this.#waiting.get(message.id ?? null)?.(message);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.endInput();
    await this.ended;
  }
}
