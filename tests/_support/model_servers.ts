/**
 * Servers on loopback that speak as OpenAI and as Anthropic do: scripted answers, whole or broken, and
 * a record of what they were asked.
 */

/** What a server answers to one request. */
export interface Answer {
  text?: string;
  reasoning?: string;
  /** Anthropic's, on the reasoning. */
  signature?: string;
  calls?: { id: string; name: string; input: unknown }[];
  /** @default {a token for every four characters that were asked} */
  usage?: { input: number; output: number; cached?: number };
  /** Refuses with this status. */
  status?: number;
  headers?: Record<string, string>;
  /** Body of a refusal. */
  body?: string;
  /** Words after which the stream waits for {@linkcode ModelServer.go_on}. */
  holds_after?: readonly string[];
  /** After the text the stream ends too early, is reset, tells an error, or says nothing any more. */
  broken?: "ended" | "reset" | "error" | "silent";
}

export type Dialect = "openai" | "anthropic";

/** A request as it came. */
export interface Asked {
  path: string;
  headers: Record<string, string>;
  // The bodies are looked at by tests, which know what they ask for.
  body: RequestBody;
}

/** What the tests look at of a request's body. */
export interface RequestBody {
  model: string;
  system?: string;
  messages: { role: string; content: unknown; [field: string]: unknown }[];
  tools?: unknown[];
  [field: string]: unknown;
}

/** Answers, or what gives one. */
export type Script = (Answer | ((body: RequestBody) => Answer))[];

/** A server of one dialect. After its script it answers `ok`. */
export class ModelServer implements AsyncDisposable {
  readonly dialect: Dialect;
  /** All requests so far, those refused included. */
  readonly asked: Asked[] = [];
  readonly #script: Script;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  readonly #ended = new AbortController();
  #go_on = (): void => {};
  #number = 0;

  constructor(dialect: Dialect, script: Script = []) {
    this.dialect = dialect;
    this.#script = [...script];
    const options = { port: 0, hostname: "127.0.0.1", onListen: () => {/* not a word */} };
    this.#server = Deno.serve(options, (request) => this.#answer(request));
  }

  /** As `OPENAI_BASE_URL` and `ANTHROPIC_BASE_URL` have it. */
  get url(): string {
    const origin = `http://127.0.0.1:${this.#server.addr.port}`;
    return this.dialect === "openai" ? `${origin}/v1` : origin;
  }

  /** The bodies of all requests. */
  get bodies(): RequestBody[] {
    return this.asked.map(({ body }) => body);
  }

  /** Adds answers. */
  then_answer(...answers: Script): void {
    this.#script.push(...answers);
  }

  /** Lets the answer that is held go on to its next hold, or to its end. */
  go_on(): void {
    this.#go_on();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended.abort();
    await this.#server.shutdown();
  }

  async #answer(request: Request): Promise<Response> {
    const path = new URL(request.url).pathname;
    if (request.method === "GET") {
      return Response.json({ data: [{ id: "served-model", context_length: 9000 }] });
    }
    const body = await request.json() as RequestBody;
    this.asked.push({ path, headers: Object.fromEntries(request.headers), body });
    const next = this.#script.shift() ?? { text: "ok" };
    const answer = typeof next === "function" ? next(body) : next;
    const { status = 200, headers = {} } = answer;
    if (status !== 200) {
      const message = answer.body ?? `status ${status}`;
      return Response.json({ error: { message } }, { status, headers });
    }
    this.#number++;
    if (body.stream !== true) return Response.json(openAiCompletion(answer));
    const usage = answer.usage ?? { input: Math.ceil(JSON.stringify(body).length / 4), output: 5 };
    const fragments = this.dialect === "openai"
      ? openAiFragments({ ...answer, usage })
      : anthropicFragments({ ...answer, usage }, this.#number);
    return new Response(this.#stream(fragments, answer), {
      headers: {
        "content-type": "text/event-stream",
        "x-request-id": `req_${this.#number}`,
        ...headers,
      },
    });
  }

  /** Waits until the test lets the answer go on, or ends. */
  #hold(): Promise<void> {
    return new Promise((resolve) => {
      const ended = this.#ended.signal;
      this.#go_on = resolve;
      if (ended.aborted) resolve();
      else ended.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  #stream(fragments: string[], { holds_after = [], broken }: Answer): ReadableStream<Uint8Array> {
    const encoder = new TextEncoder();
    const holds = [...holds_after];
    const rest = fragments.values();
    let last = "";
    return new ReadableStream({
      pull: async (controller): Promise<void> => {
        if (holds[0] !== undefined && last.includes(holds[0])) {
          holds.shift();
          await this.#hold();
        }
        const { value, done } = rest.next();
        if (!done) {
          last = value;
          return controller.enqueue(encoder.encode(value));
        }
        if (broken === "silent") await this.#hold();
        // A reset connection loses what the client did not read yet.
        if (broken === "reset") await new Promise((resolve) => setTimeout(resolve, 50));
        if (broken === "reset") controller.error(new Error("cut"));
        else controller.close();
      },
    });
  }
}

/** Words, so that a text comes in fragments. */
function words(text = ""): string[] {
  return text.match(/\s*\S+|\s+$/g) ?? [];
}

/** A call's input, cut in two. */
function halves(input: unknown): string[] {
  const json = JSON.stringify(input);
  const half = Math.floor(json.length / 2);
  return [json.slice(0, half), json.slice(half)];
}

/** The answer to who does not want a stream. */
function openAiCompletion({ text = "", calls = [] }: Answer): unknown {
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const message = { role: "assistant", content: text, ...(calls.length > 0 ? { tool_calls } : {}) };
  return { id: "chatcmpl-1", model: "served-model", choices: [{ index: 0, message }] };
}

function openAiFragments(answer: Answer): string[] {
  const { text, reasoning, calls = [], usage, broken } = answer;
  // The same id every time, as some servers have it.
  const chunk = (delta: unknown, finish_reason: string | null = null): string =>
    `data: ${
      JSON.stringify({
        id: "chatcmpl-1",
        model: "served-model",
        choices: [{ index: 0, delta, finish_reason }],
      })
    }\n\n`;
  const fragments = [
    chunk({ role: "assistant", content: "" }),
    ...words(reasoning).map((word) => chunk({ reasoning_content: word })),
    ...words(text).map((word) => chunk({ content: word })),
  ];
  if (broken === "error") fragments.push('data: {"error":{"message":"the server fell over"}}\n\n');
  if (broken !== undefined) return fragments;
  for (const [index, { id, name, input }] of calls.entries()) {
    const [head, tail] = halves(input);
    const call = { index, id, type: "function", function: { name, arguments: head } };
    fragments.push(chunk({ tool_calls: [call] }));
    fragments.push(chunk({ tool_calls: [{ index, function: { arguments: tail } }] }));
  }
  fragments.push(chunk({}, calls.length > 0 ? "tool_calls" : "stop"));
  const { input = 0, output = 0, cached } = usage ?? {};
  const details = cached === undefined ? {} : { prompt_tokens_details: { cached_tokens: cached } };
  const counted = { prompt_tokens: input, completion_tokens: output, ...details };
  fragments.push(`data: ${JSON.stringify({ id: "chatcmpl-1", choices: [], usage: counted })}\n\n`);
  return [...fragments, "data: [DONE]\n\n"];
}

function anthropicFragments(answer: Answer, number: number): string[] {
  const { text, reasoning, signature, calls = [], usage, broken } = answer;
  const { input = 0, output = 0 } = usage ?? {};
  const event = (type: string, data: object): string =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  const block = (index: number, content_block: unknown, deltas: unknown[]): string[] => [
    event("content_block_start", { index, content_block }),
    ...deltas.map((delta) => event("content_block_delta", { index, delta })),
    ...(broken === undefined ? [event("content_block_stop", { index })] : []),
  ];
  const message = {
    id: `msg_${number}`,
    model: "served-model",
    usage: { input_tokens: input, output_tokens: 1 },
  };
  const fragments = [event("message_start", { message }), event("ping", {})];
  let index = 0;
  if (reasoning !== undefined) {
    const deltas: unknown[] = words(reasoning).map((thinking) => ({
      type: "thinking_delta",
      thinking,
    }));
    if (signature !== undefined) deltas.push({ type: "signature_delta", signature });
    fragments.push(...block(index++, { type: "thinking", thinking: "" }, deltas));
  }
  if (text !== undefined) {
    const deltas = words(text).map((word) => ({ type: "text_delta", text: word }));
    fragments.push(...block(index++, { type: "text", text: "" }, deltas));
  }
  if (broken === "error") {
    const error = { type: "overloaded_error", message: "the server fell over" };
    fragments.push(event("error", { error }));
  }
  if (broken !== undefined) return fragments;
  for (const { id, name, input: given } of calls) {
    const deltas = halves(given).map((partial_json) => ({
      type: "input_json_delta",
      partial_json,
    }));
    fragments.push(...block(index++, { type: "tool_use", id, name, input: {} }, deltas));
  }
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  fragments.push(
    event("message_delta", { delta: { stop_reason }, usage: { output_tokens: output } }),
  );
  return [...fragments, event("message_stop", {})];
}
