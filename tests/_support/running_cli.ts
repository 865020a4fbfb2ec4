/** The program as a partner in talk. */
import { type CliOptions, cliProcess, type CliResult, type StartedCli } from "./cli.ts";

/** The program while it runs, to talk with. */
export class RunningCli {
  readonly #child: StartedCli;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #lines: AsyncIterator<string>;
  readonly #stderr: Promise<string>;
  readonly #errors: AsyncIterator<string>;

  constructor(
    args: readonly string[],
    options: Omit<CliOptions, "stdin">,
    start = (...given: Parameters<typeof cliProcess>): StartedCli => cliProcess(...given).spawn(),
  ) {
    this.#child = start(args, { ...options, stdin: "" });
    this.#input = this.#child.stdin.getWriter();
    this.#lines = linesOf(this.#child.stdout);
    const [stderr, errors] = this.#child.stderr.tee();
    this.#stderr = new Response(stderr).text();
    this.#errors = linesOf(errors);
  }

  async write(text: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(text));
  }

  async endInput(): Promise<void> {
    await this.#input.close();
  }

  /** The next line on stdout; undefined at its end. */
  async line(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  }

  /** The next line on stderr; undefined at its end. */
  async errorLine(): Promise<string | undefined> {
    const { value, done } = await this.#errors.next();
    return done ? undefined : value;
  }

  /** Waits for a line on stdout that has `text`. */
  async until(text: string): Promise<string> {
    for (let line = await this.line(); line !== undefined; line = await this.line()) {
      if (line.includes(text)) return line;
    }
    throw new Error(`The program ended without writing: ${text}\n${await this.#stderr}`);
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Waits for the end. The input stays as it is: open, unless it was ended. */
  async end(): Promise<CliResult> {
    const rest: string[] = [];
    for (let line = await this.line(); line !== undefined; line = await this.line()) {
      rest.push(line + "\n");
    }
    const { code } = await this.#child.status;
    const stderr = await this.#stderr;
    await this.#input.close().catch(() => {/* closed, or nobody reads it any more */});
    return { status: code, stdout: rest.join(""), stderr };
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
