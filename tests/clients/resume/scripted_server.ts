/**
 * A model on loopback that speaks four APIs, streaming or not, and remembers what it was asked.
 */
import { type Api, requestItems } from "./request_items.ts";
import { type Answer, answerTo, type ScriptedTools } from "./scripted_answers.ts";
import { type Frames, framesOf, wholeAnswer } from "./streamed_answers.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

/** A request that was answered as a part of the talk. */
export interface Asked {
  api: Api;
  body: Json;
}

const PATHS: [Api, RegExp][] = [
  ["chat", /\/chat\/completions$/],
  ["responses", /\/responses$/],
  ["messages", /\/messages$/],
  ["generate", /:(?:stream)?[gG]enerateContent$/],
];

/** The server. Ends with `await using`. */
export class ScriptedServer implements AsyncDisposable {
  /** All requests so far that carried a conversation. */
  readonly asked: Asked[] = [];
  /** Called when an answer was begun that will not end. */
  onHang: () => void = () => {};
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #ended = new AbortController();

  constructor(tools: ScriptedTools) {
    const options = { port: 0, hostname: "127.0.0.1", onListen: () => {/* not a word */} };
    this.#server = Deno.serve(options, (request) => this.#answer(request, tools));
  }

  /** Without a slash at its end. */
  get url(): string {
    return `http://127.0.0.1:${this.#server.addr.port}`;
  }

  async #answer(request: Request, tools: ScriptedTools): Promise<Response> {
    const { pathname } = new URL(request.url);
    const text = await request.text();
    const api = PATHS.find(([, path]) => path.test(pathname))?.[0];
    if (api === undefined) return Response.json(sideAnswer(pathname));
    const body: Json = JSON.parse(text);
    this.asked.push({ api, body });
    const answer = answerTo(requestItems(api, body), (body.tools ?? []).length > 0, tools);
    if (answer.status !== undefined) {
      const error = { type: "invalid_request_error", code: answer.status, message: "Refused." };
      return Response.json({ type: "error", error }, { status: answer.status });
    }
    const streams = body.stream === true || pathname.includes(":stream");
    if (!streams) return Response.json(wholeAnswer(api, answer));
    return new Response(this.#stream(framesOf(api, answer), answer), {
      headers: { "content-type": "text/event-stream" },
    });
  }

  #stream({ start, end }: Frames, { hangs = false }: Answer): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    const ended = this.#ended.signal;
    return new ReadableStream({
      start: (controller) => {
        controller.enqueue(encoder.encode(start));
        if (!hangs) {
          controller.enqueue(encoder.encode(end));
          controller.close();
          return;
        }
        ended.addEventListener("abort", () => controller.error(new Error("ended")));
        this.onHang();
      },
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#server.shutdown();
  }
}

/** What clients ask besides. */
function sideAnswer(path: string): unknown {
  if (/count_?tokens$/i.test(path)) return { input_tokens: 10, totalTokens: 10 };
  return { data: [], models: [] };
}
