/**
 * The tool that runs a shell command.
 *
 * @module
 */
import { type ChildProcess, startProgram } from "../../../core/platform/child_process.ts";
import { present } from "../../../core/event/present.ts";
import { environment } from "../../../core/platform/process.ts";
import { operatingSystem } from "../../../core/platform/runtime.ts";
import { sendSignal, type Signal } from "../../../core/platform/signals.ts";
import { objectOf } from "../json_object.ts";
import type { ChatTool, ToolContext, ToolOutcome } from "./tool.ts";
import { failedOutcome, InvalidInput, optionalCount, requiredText } from "./tool_input.ts";

const MAX_OUTPUT = 30_000;
const SECONDS = { least: 1, most: 600, otherwise: 120 };
/** Milliseconds to read after the command's end: background processes may keep the pipe open. */
const LAST_WORDS_MS = 300;
/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;
/** Environment variables with API keys, which are withheld from commands. */
const SECRETS = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY"];

const PARAMETERS = {
  type: "object",
  properties: {
    command: { type: "string", description: "The command for bash; it may have several lines" },
    summary: { type: "string", description: "What the command does, in a few words" },
    timeout_seconds: {
      type: "integer",
      minimum: SECONDS.least,
      maximum: SECONDS.most,
      description: `Time limit, after which the command is stopped (default: ${SECONDS.otherwise})`,
    },
  },
  required: ["command"],
  additionalProperties: false,
};

export function bashTool(): ChatTool {
  return {
    keeps: "bash",
    definition: {
      name: "bash",
      description:
        "Runs a shell command in the working directory. Returns its standard output and " +
        "error, in order, and the exit code. There is no terminal and no input.",
      parameters: PARAMETERS,
    },
    title: (input) => String(objectOf(input).command ?? ""),
    asks: () => ({ reason: "runs a command" }),
    run: (input, context) => run(input, context),
  };
}

async function run(input: unknown, context: ToolContext): Promise<ToolOutcome> {
  try {
    const command = requiredText(input, "command");
    if (command.trim() === "") throw new InvalidInput('Invalid input: "command" is empty');
    if (command.includes("\0")) {
      throw new InvalidInput('Invalid input: "command" contains a NUL character');
    }
    const seconds = optionalCount(input, "timeout_seconds", SECONDS);
    context.signal.throwIfAborted();
    return await execute(command, seconds, context);
  } catch (error) {
    return failedOutcome(error, context.signal);
  }
}

async function execute(
  command: string,
  seconds: number,
  context: ToolContext,
): Promise<ToolOutcome> {
  const child = start(command, context.cwd);
  const output = new LimitedOutput(MAX_OUTPUT);
  const reading = read(child, output, context);
  const end = new GroupEnd(child.pid);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end.begin();
  }, seconds * 1000);
  const stop = (): void => end.begin();
  context.signal.addEventListener("abort", stop, { once: true });
  try {
    const { code, signal } = await child.status;
    end.finish();
    await reading.end();
    const said = spoken(output);
    if (context.signal.aborted) {
      return { status: "interrupted", ...said, error: "Interrupted by the user" };
    }
    if (late) return { status: "error", ...said, error: `Timed out after ${seconds} s` };
    const error = signal === null ? undefined : `Ended by ${signal}`;
    return present({ status: code === 0 ? "ok" : "error", ...said, error, exit_code: code });
  } finally {
    clearTimeout(timer);
    context.signal.removeEventListener("abort", stop);
  }
}

function start(command: string, cwd: string): ChildProcess {
  const env = environment();
  for (const name of SECRETS) delete env[name];
  return startProgram("bash", {
    // One pipe for both streams, so that their order remains.
    args: ["-c", `exec 2>&1\n${command}`],
    cwd,
    clearEnv: true,
    env: { ...env, TERM: "dumb", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    // Its own group, so that its child processes end with it.
    detached: true,
  });
}

/** Reads output until the pipe closes, or until `LAST_WORDS_MS` after the call of `end`. */
function read(
  child: ChildProcess,
  output: LimitedOutput,
  { onOutput }: ToolContext,
): { end: () => Promise<void> } {
  const late = new AbortController();
  const done = (async () => {
    const text = child.stdout.pipeThrough(new TextDecoderStream(), { signal: late.signal });
    try {
      for await (const piece of text) {
        output.add(piece);
        onOutput?.(piece);
      }
    } catch {
      // Given up: a background process of the command holds the pipe open.
    }
  })();
  return {
    end: async () => {
      const timer = setTimeout(() => late.abort(), LAST_WORDS_MS);
      await done;
      clearTimeout(timer);
    },
  };
}

function spoken(output: LimitedOutput): Pick<ToolOutcome, "output" | "truncated"> {
  const text = output.text();
  return present({ output: text || undefined, truncated: output.truncated || undefined });
}

class GroupEnd {
  readonly #pid: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(pid: number) {
    this.#pid = pid;
  }

  begin(): void {
    if (this.#timer !== undefined) return;
    signalGroup(this.#pid, "SIGTERM");
    this.#timer = setTimeout(() => signalGroup(this.#pid, "SIGKILL"), GRACE_MS);
  }

  /** Kills the remaining processes at once. Does nothing unless `begin` was called. */
  finish(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    signalGroup(this.#pid, "SIGKILL");
  }
}

function signalGroup(pid: number, signal: Signal): void {
  try {
    sendSignal(operatingSystem === "windows" ? pid : -pid, signal);
  } catch {
    // The group is gone.
  }
}

class LimitedOutput {
  readonly #head_limit: number;
  readonly #tail_limit: number;
  #head = "";
  #tail = "";
  #forgotten = 0;

  /** @param limit Maximum characters. A third is for the output's start, the rest for its end. */
  constructor(limit: number) {
    this.#head_limit = Math.floor(limit / 3);
    this.#tail_limit = limit - this.#head_limit;
  }

  add(text: string): void {
    const room = this.#head_limit - this.#head.length;
    if (room > 0) this.#head += text.slice(0, room);
    if (text.length <= room) return;
    this.#tail += text.slice(Math.max(0, room));
    // Cut at twice the limit, because cutting at every piece would copy the tail each time.
    if (this.#tail.length > 2 * this.#tail_limit) this.#cut();
  }

  get truncated(): boolean {
    return this.#forgotten > 0 || this.#tail.length > this.#tail_limit;
  }

  text(): string {
    if (this.#tail.length > this.#tail_limit) this.#cut();
    if (this.#forgotten === 0) return this.#head + this.#tail;
    const gap = `\n[... ${this.#forgotten} characters left out ...]\n`;
    // The cut may leave half a character.
    return `${this.#head}${gap}${this.#tail}`.toWellFormed();
  }

  #cut(): void {
    const surplus = this.#tail.length - this.#tail_limit;
    this.#tail = this.#tail.slice(surplus);
    this.#forgotten += surplus;
  }
}
