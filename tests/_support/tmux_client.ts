/**
 * A client of tmux in control mode, which asks for many screens without a process for each.
 * Format: tmux(1), CONTROL MODE (3.3a).
 */
import { pause } from "../../lib/core/platform/pause.ts";
import { eventually } from "./eventually.ts";

/** Milliseconds after which a screen is asked for, though nothing was written. */
const LONGEST_WAIT_MS = 200;

/** A command whose answer is still to come, in the order of the commands. */
interface Asked {
  words: readonly string[];
  resolve: (lines: string) => void;
  reject: (error: Error) => void;
}

const QUOTED: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** A word as tmux reads it between double quotes: any text on one line. */
function quoted(word: string): string {
  return `"${
    word.replace(/["\\$]/g, "\\$&").replace(/[\n\r\t]/g, (found) => QUOTED[found] ?? "")
  }"`;
}

/** Each character is a byte, so that no character is cut where two reads meet. */
function bytesOf(latin1: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(latin1, (char) => char.charCodeAt(0));
}

/** Bytes as `%output` writes them: those below a space, and the backslash, in three octal digits. */
function unescaped(latin1: string): string {
  return latin1.replace(
    /\\(\d{3})/g,
    (_, octal: string) => String.fromCharCode(parseInt(octal, 8)),
  );
}

/** A server's client, which is told what its pane writes. */
export class TmuxClient {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array>;
  readonly #asked: Asked[] = [];
  readonly #ended: Promise<void>;
  #written = "";
  #wake = Promise.withResolvers<void>();

  private constructor(socket: string, options: Deno.CommandOptions) {
    this.#child = new Deno.Command("tmux", {
      ...options,
      args: ["-u", "-L", socket, "-C", "attach-session"],
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#ended = this.#read();
    // The answer to `attach-session` comes first.
    this.#asked.push({ words: [], resolve: () => {}, reject: () => {} });
  }

  /** Starts a server with one session, and is its client. */
  static async start(
    session: readonly string[],
    options: Deno.CommandOptions,
  ): Promise<TmuxClient> {
    // A server of its own: that of the terminal before may still be ending.
    const socket = crypto.randomUUID().slice(0, 8);
    const args = ["-u", "-f", "/dev/null", "-L", socket, "new-session", "-d", ...session];
    const { success, stderr } = await new Deno.Command("tmux", { ...options, args }).output();
    if (!success) throw new Error(`Cannot start tmux: ${new TextDecoder().decode(stderr)}`);
    return new TmuxClient(socket, options);
  }

  /** What the pane wrote since the client was attached. */
  get written(): string {
    return new TextDecoder().decode(bytesOf(this.#written));
  }

  /** Runs a command, and returns what it prints. */
  async run(...words: string[]): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    this.#asked.push({ words, resolve, reject });
    await this.#input.write(new TextEncoder().encode(`${words.map(quoted).join(" ")}\n`));
    return await promise;
  }

  /** Asks anew whenever the pane has written, until there is an answer. */
  async untilWritten<Answer>(
    ask: () => Answer | undefined | false | Promise<Answer | undefined | false>,
    seen: () => string,
  ): Promise<Answer> {
    const ended = new AbortController();
    const waited = eventually(async () => {
      const woken = this.#wake.promise;
      const answer = await ask();
      if (answer !== undefined && answer !== false) return answer;
      // What changes the screen need not be written: a size, or an answer of the server.
      await Promise.race([woken, pause(LONGEST_WAIT_MS, ended.signal)]);
      return undefined;
    }, seen);
    return await waited.finally(() => ended.abort());
  }

  /** Ends the server, and with it all that runs in it. */
  async end(): Promise<void> {
    await this.#input.write(new TextEncoder().encode("kill-server\n"));
    await this.#ended;
    await this.#input.close().catch(() => {
      // The server closed its end first.
    });
    await this.#child.status;
  }

  async #read(): Promise<void> {
    let rest = "";
    let answer: string[] | undefined;
    for await (const chunk of this.#child.stdout) {
      const lines = (rest + Array.from(chunk, (byte) => String.fromCharCode(byte)).join("")).split(
        "\n",
      );
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const [notice = ""] = line.split(" ", 1);
        if (answer !== undefined && (notice === "%end" || notice === "%error")) {
          this.#answer(answer, notice === "%error");
          answer = undefined;
        } else if (answer !== undefined) answer.push(line);
        else if (notice === "%begin") answer = [];
        else if (notice === "%output") this.#note(line.slice(line.indexOf(" ", 8) + 1));
      }
    }
    for (const { words, reject } of this.#asked) reject(new Error(`tmux ended before: ${words}`));
    this.#wake.resolve();
  }

  #answer(lines: readonly string[], failed: boolean): void {
    const asked = this.#asked.shift();
    const text = new TextDecoder().decode(bytesOf(lines.map((line) => `${line}\n`).join("")));
    if (failed) asked?.reject(new Error(`Cannot run tmux ${asked.words.join(" ")}: ${text}`));
    else asked?.resolve(text);
  }

  #note(output: string): void {
    this.#written += unescaped(output);
    this.#wake.resolve();
    this.#wake = Promise.withResolvers();
  }
}
