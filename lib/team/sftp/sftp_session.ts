/** A running `sftp` of the system, in batch mode: it has its own keys, hosts and settings. */
import { SessionError } from "../../event/session_error.ts";
import { type ChildProcess, startProgram } from "../../platform/child_process.ts";
import { isNotFound } from "../../platform/system_error.ts";

/** The command behind each other one: its line ends the answer. */
const END_COMMAND = "lpwd";
const END_LINE = /^Local working directory:/;
/** Echoed commands. */
const ECHO = /^sftp> /;
/** The most characters of an answer. */
const MAX_ANSWER = 64 * 1024 * 1024;

/** Runs commands one after the other. */
export class SftpSession {
  readonly #child: ChildProcess;
  readonly #place: string;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #lines: AsyncGenerator<string>;
  #last: Promise<unknown> = Promise.resolve();

  /** @param target Arguments that name the host. @param place The address, for messages. */
  constructor(target: readonly string[], place: string) {
    this.#place = place;
    try {
      this.#child = startProgram("sftp", {
        args: ["-b", "-", ...target],
        // Times of a listing are in the words of its language.
        env: { LC_ALL: "C" },
        ...{ stdin: "piped", stdout: "piped", stderr: "null" },
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw this.#unreachable("this machine has no sftp; install OpenSSH");
    }
    this.#stdin = this.#child.stdin.getWriter();
    this.#lines = linesOf(this.#child.stdout);
  }

  /**
   * Runs a command, and returns the lines that it prints. It does not say whether it failed.
   *
   * @throws {SessionError} `unreachable` where the connection ends.
   */
  async run(command: string): Promise<string[]> {
    const answer = this.#last.then(() => this.#run(command));
    this.#last = answer.catch(() => {});
    return await answer;
  }

  async #run(command: string): Promise<string[]> {
    const found: string[] = [];
    try {
      await this.#stdin.write(new TextEncoder().encode(`-${command}\n${END_COMMAND}\n`));
      for (;;) {
        const { value, done } = await this.#lines.next();
        if (done) break;
        if (END_LINE.test(value)) return found;
        if (!ECHO.test(value)) found.push(value);
      }
    } catch (error) {
      if (error instanceof SessionError) throw error;
      // The pipe broke: the program has ended.
    }
    throw this.#unreachable("sftp ended; check that this works without a password: sftp HOST");
  }

  #unreachable(reason: string): SessionError {
    return new SessionError("unreachable", `Cannot reach ${this.#place}: ${reason}`);
  }

  async end(): Promise<void> {
    try {
      await this.#stdin.close();
    } catch {
      // It ended before.
    }
    await this.#lines.return(undefined);
    await this.#child.status;
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    if (text.length > MAX_ANSWER) throw new SessionError("too-large", "Cannot read: sftp's answer");
    yield* lines;
  }
}
