/**
 * Runs the system's `sftp` in batch mode, with the user's own ssh keys, known hosts and settings.
 */
import { SessionError, type SessionErrorCode } from "../../../core/event/session_error.ts";
import { type ChildProcess, startProgram } from "../../../core/platform/child_process.ts";
import { sendSignal } from "../../../core/platform/signals.ts";
import { SILENCE_MS } from "../silence.ts";
import { isNotFound } from "../../../core/platform/system_error.ts";

/** The command that is sent after each command. Its output marks the end of the answer. */
const END_COMMAND = "lpwd";
const END_LINE = /^Local working directory:/;
const ECHO = /^sftp> /;
/** Maximum characters of an answer, and of a line. A path in a line has at most 4,096 bytes. */
const MAX_ANSWER = 64 * 1024 * 1024;
const MAX_LINE = 64 * 1024;

/** Number of characters to keep from the end of stderr, which tells why the program failed. */
const MAX_REASON = 4096;

const REASONS: readonly [RegExp, SessionErrorCode, string][] = [
  [
    /IDENTIFICATION HAS CHANGED/,
    "permission",
    "the host key changed; ask the host's administrator why, then log in once: ssh HOST",
  ],
  [
    /Host key verification failed/,
    "permission",
    "the host key is unknown; log in once and compare the key: ssh HOST",
  ],
  [
    /Permission denied/,
    "permission",
    "the host rejects your keys; check that this works without a password: sftp HOST",
  ],
  [
    /subsystem request failed/,
    "unreachable",
    "the host does not allow sftp; its sshd_config needs: Subsystem sftp internal-sftp",
  ],
  [/Could not resolve hostname/, "unreachable", "no host has this name"],
  [
    /Connection refused|timed out|No route to host/,
    "unreachable",
    "no ssh server answers on this host",
  ],
];
const ENDED = "sftp ended unexpectedly; check that this works without a password: sftp HOST";

export interface SftpHost {
  /** The sftp program to run. @default {"sftp"} */
  program?: string;
  /** The program's arguments that name the host. */
  target: readonly string[];
  url: string;
  /**
   * Maximum number of milliseconds without an answer, while the connection is not yet established.
   * @default {20_000}
   */
  silence_ms?: number;
}

/** A running sftp program, whose commands run one after another. */
export class SftpSession {
  readonly #child: ChildProcess;
  readonly #place: string;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  /** The output in groups of lines, as they arrive. Single lines would take ten times as long. */
  readonly #lines: AsyncGenerator<string[]>;
  /** The last characters of the program's stderr. Resolves when the program ends. */
  readonly #stderr: Promise<string>;
  readonly #silence_ms: number;
  #last: Promise<unknown> = Promise.resolve();
  #was_reached = false;
  #is_silent = false;

  constructor({ program = "sftp", target, url, silence_ms = SILENCE_MS }: SftpHost) {
    this.#place = url;
    this.#silence_ms = silence_ms;
    const seconds = Math.ceil(silence_ms / 1000);
    try {
      this.#child = startProgram(program, {
        // Later, ssh itself asks a silent host whether it is there.
        args: [
          ...["-b", "-", "-o", `ConnectTimeout=${seconds}`, "-o", "ServerAliveCountMax=2"],
          ...["-o", `ServerAliveInterval=${Math.ceil(seconds / 2)}`, ...target],
        ],
        // Times of a listing are in the words of its language.
        env: { LC_ALL: "C" },
        ...{ stdin: "piped", stdout: "piped", stderr: "piped" },
      });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      throw this.#failure("unreachable", "this machine has no sftp; install OpenSSH");
    }
    this.#stdin = this.#child.stdin.getWriter();
    this.#lines = linesOf(this.#child.stdout);
    this.#stderr = endOf(this.#child.stderr);
  }

  /**
   * Runs a command, and returns the lines that it prints. The lines do not say whether the command
   * failed.
   *
   * @throws {SessionError} `unreachable` if the connection ends.
   */
  async run(command: string): Promise<string[]> {
    const answer = this.#last.then(() => this.#run(command));
    this.#last = answer.catch(() => {});
    return await answer;
  }

  async #run(command: string): Promise<string[]> {
    const found: string[] = [];
    let left = MAX_ANSWER;
    const timer = this.#was_reached ? undefined : setTimeout(() => {
      this.#is_silent = true;
      // It ends ssh, too, unlike a kill.
      this.#kill("SIGTERM");
    }, this.#silence_ms);
    try {
      await this.#stdin.write(new TextEncoder().encode(`-${command}\n${END_COMMAND}\n`));
      for (;;) {
        const { value: lines, done } = await this.#lines.next();
        if (done) break;
        // Nothing follows the end: the next command is not sent yet.
        for (const line of lines) {
          if (END_LINE.test(line)) {
            this.#was_reached = true;
            return found;
          }
          left -= line.length + 1;
          if (left < 0) throw tooLarge();
          if (!ECHO.test(line)) found.push(line);
        }
      }
    } catch (error) {
      if (error instanceof SessionError) {
        this.#kill();
        throw error;
      }
      // The pipe broke: the program has ended.
    } finally {
      clearTimeout(timer);
    }
    const said = await this.#stderr;
    if (this.#is_silent) throw this.#failure("unreachable", "the host does not answer in time");
    const [, code, reason] = REASONS.find(([pattern]) => pattern.test(said)) ?? [];
    throw this.#failure(code ?? "unreachable", reason ?? ENDED);
  }

  /** Kills the program if an answer is incomplete. Its rest would look like the next answer. */
  #kill(signal: "SIGKILL" | "SIGTERM" = "SIGKILL"): void {
    try {
      sendSignal(this.#child.pid, signal);
    } catch {
      // It has ended.
    }
  }

  #failure(code: SessionErrorCode, reason: string): SessionError {
    return new SessionError(code, `Cannot reach ${this.#place}: ${reason}`);
  }

  async end(): Promise<void> {
    try {
      await this.#stdin.close();
    } catch {
      // It ended before.
    }
    await this.#lines.return(undefined);
    // A reader that never began does not end its stream.
    await this.#child.stdout.cancel();
    await this.#child.status;
  }
}

async function endOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    text = (text + decoder.decode(chunk, { stream: true })).slice(-MAX_REASON);
  }
  return text;
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string[]> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    if (text.length > MAX_LINE) throw tooLarge();
    yield lines;
  }
}

function tooLarge(): SessionError {
  const message = "Cannot use the team's store: the answer from sftp is too long";
  return new SessionError("too-large", message);
}
