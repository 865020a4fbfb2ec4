/** Carries JSON-RPC messages over two streams, one message per line. */
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type Transport,
} from "npm:@modelcontextprotocol/server@2.4.0";
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { pause } from "../../core/platform/pause.ts";

export interface ClientStreams {
  /** The client's messages, in UTF-8. */
  input: ReadableStream<Uint8Array>;
  /** Sends a text to the client. Throws once the client has gone. */
  write(text: string): void;
}

/** The most bytes of a line. Longer lines are refused, because no request is nearly as long. */
const MOST_BYTES = 1024 * 1024;
/** Milliseconds to answer requests after the input has ended. */
const LAST_ANSWERS_MS = 10_000;

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const LINE_FEED = 0x0a;

type Id = string | number;

/**
 * Reads lines until the input ends. A line that is no message is answered with an error of the
 * protocol. Requests before the end are still answered.
 */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly closed: Promise<void>;
  readonly #streams: ClientStreams;
  readonly #abort = new AbortController();
  readonly #waiting = new Set<Id>();
  readonly #resolveClosed: () => void;
  #answered = Promise.withResolvers<void>();

  constructor(streams: ClientStreams) {
    this.#streams = streams;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.closed = promise;
    this.#resolveClosed = resolve;
  }

  start(): Promise<void> {
    this.#read().catch((error) => this.onerror?.(error)).finally(() => this.close());
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    if (!this.#abort.signal.aborted) this.#write(message);
    if ("id" in message && !("method" in message)) this.#settle(message.id);
    return Promise.resolve();
  }

  close(): Promise<void> {
    if (this.#abort.signal.aborted) return Promise.resolve();
    this.#abort.abort();
    this.onclose?.();
    this.#resolveClosed();
    return Promise.resolve();
  }

  /** Writes a message. If the client has gone, closes the connection without an error. */
  #write(message: unknown): void {
    try {
      this.#streams.write(`${JSON.stringify(message)}\n`);
    } catch {
      this.close();
    }
  }

  async #read(): Promise<void> {
    const { signal } = this.#abort;
    const reader = this.#streams.input.getReader();
    signal.addEventListener("abort", () => void reader.cancel().catch(() => {}), { once: true });
    const lines = new BoundedLines();
    for (;;) {
      const { done, value } = await reader.read();
      if (done || signal.aborted) break;
      for (const line of lines.take(value)) this.#receive(line);
    }
    for (const line of lines.rest()) this.#receive(line);
    while (this.#waiting.size > 0 && !signal.aborted) {
      const late = pause(LAST_ANSWERS_MS, signal).then(() => this.#waiting.clear());
      await Promise.race([this.#answered.promise, late]);
    }
  }

  #receive(line: string | undefined): void {
    if (line === undefined) {
      return this.#refuse(INVALID_REQUEST, `The message is longer than ${MOST_BYTES} bytes`);
    }
    if (line.trim() === "") return;
    const message = parsedJson(line);
    if (message === undefined) return this.#refuse(PARSE_ERROR, "The line is not JSON");
    if (!isMessage(message)) {
      const id = isObject(message) && isId(message["id"]) ? message["id"] : null;
      return this.#refuse(INVALID_REQUEST, "The line is not a JSON-RPC 2.0 message", id);
    }
    this.#count(message);
    this.onmessage?.(message);
  }

  #refuse(code: number, message: string, id: Id | null = null): void {
    this.#write({ jsonrpc: "2.0", id, error: { code, message } });
  }

  #count(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    if ("id" in message) this.#waiting.add(message.id as Id);
    else if (message.method === "notifications/cancelled") {
      this.#settle(message.params?.["requestId"]);
    }
  }

  #settle(id: unknown): void {
    this.#waiting.delete(id as Id);
    this.#answered.resolve();
    this.#answered = Promise.withResolvers();
  }
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || Number.isInteger(value);
}

/** True for a message that the MCP library accepts. It drops any other without an answer. */
function isMessage(value: unknown): value is JSONRPCMessage {
  return isJSONRPCRequest(value) || isJSONRPCNotification(value) || isJSONRPCResponse(value);
}

/** Splits bytes at line feeds. Drops a line that is too long while it arrives. */
class BoundedLines {
  readonly #decoder = new TextDecoder();
  #chunks: Uint8Array[] = [];
  #bytes = 0;

  /** Yields the lines that end in `bytes`; undefined for a line that is too long. */
  *take(bytes: Uint8Array): Generator<string | undefined> {
    let start = 0;
    for (let at = bytes.indexOf(LINE_FEED); at >= 0; at = bytes.indexOf(LINE_FEED, start)) {
      this.#add(bytes.subarray(start, at));
      yield this.#end();
      start = at + 1;
    }
    this.#add(bytes.slice(start));
  }

  *rest(): Generator<string | undefined> {
    if (this.#bytes > 0) yield this.#end();
  }

  #add(bytes: Uint8Array): void {
    this.#bytes += bytes.length;
    if (this.#bytes > MOST_BYTES) this.#chunks = [];
    else if (bytes.length > 0) this.#chunks.push(bytes);
  }

  #end(): string | undefined {
    const { length } = this.#chunks;
    const text = this.#bytes > MOST_BYTES
      ? undefined
      : this.#chunks.map((chunk, index) =>
        this.#decoder.decode(chunk, { stream: index < length - 1 })
      ).join("");
    this.#chunks = [];
    this.#bytes = 0;
    return text;
  }
}
