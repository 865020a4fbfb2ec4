/** Servers on loopback that answer whatever a test wants, and remember what they were asked. */
import { constants, deflateRawSync } from "node:zlib";

/** A request that a server got. */
export interface Received {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

/** A server whose answers a test makes itself, byte by byte. */
export class RawServer implements AsyncDisposable {
  readonly received: Received[] = [];
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(answer: (received: Received) => Response) {
    const options = { port: 0, hostname: "127.0.0.1", onListen: () => {/* not a word */} };
    this.#server = Deno.serve(options, async (request) => {
      const received = {
        method: request.method,
        path: new URL(request.url).pathname,
        headers: Object.fromEntries(request.headers),
        body: await request.text(),
      };
      this.received.push(received);
      return answer(received);
    });
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

type Piece = string | Uint8Array<ArrayBuffer>;

/** Bytes that a server sent without an end. */
export interface Endless {
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** How many bytes went out so far. */
  sent: () => number;
}

/** A body that waits before each piece, 20 ms or as told: one without an end, or those of a list. */
export function slowly(
  pieces: string | readonly string[],
  head: string,
  wait?: () => Promise<void>,
): Pick<Endless, "body"> {
  const list = typeof pieces === "string" ? undefined : [...pieces];
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    cancel: () => clearTimeout(timer),
    async pull(controller): Promise<void> {
      await (wait?.() ?? new Promise((resolve) => timer = setTimeout(resolve, 20)));
      controller.enqueue(encoder.encode(list?.shift() ?? pieces as string));
      if (list?.length === 0) controller.close();
    },
  }, { highWaterMark: 0 });
  return { body };
}

/** A body that repeats a piece for as long as somebody reads it. */
export function endless(piece: Piece, head: Piece = ""): Endless {
  const first = bytesOf(head);
  const again = bytesOf(piece);
  let sent = 0;
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller): void {
      const bytes = sent === 0 && first.length > 0 ? first : again;
      sent += bytes.length;
      controller.enqueue(bytes);
    },
  }, { highWaterMark: 0 });
  return { body, sent: () => sent };
}

function bytesOf(piece: Piece): Uint8Array<ArrayBuffer> {
  return typeof piece === "string" ? new TextEncoder().encode(piece) : piece;
}

/** A body packed with gzip that never ends. Each piece of zeros unpacks to a thousand times its size. */
export function endlessGzip(piece: Piece = new Uint8Array(1024 * 1024)): Endless {
  const block = deflateRawSync(piece, { finishFlush: constants.Z_SYNC_FLUSH });
  const header = new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);
  return endless(new Uint8Array(block), header);
}

/** An event of a stream of server-sent events. */
export function sse(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}
