/** A home whose commands are run again and again, each time from the same state. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "../../commands/_run.ts";
import { cliEnvironment, type CliResult } from "../_support/cli.ts";
import { type FolderState, restore, stateOf } from "../_support/crash_states.ts";
import { CliHome } from "../_support/cli_home.ts";
import { assistant, toolEnd, toolStart, user } from "../_support/log_bytes.ts";
import { FaultyFiles, type FileCall } from "../_support/faulty_files.ts";

const CLAUDE = fileURLToPath(new URL("../../testdata/agents/claude/turn.jsonl", import.meta.url));
const PI = fileURLToPath(new URL("../../testdata/agents/pi/turn.jsonl", import.meta.url));

/** Ids of the home's own sessions, and of those of other agents. */
export const IDS = {
  whole: "11111111-0000-4000-8000-000000000000",
  other: "22222222-0000-4000-8000-000000000000",
  damaged: "33333333-0000-4000-8000-000000000000",
  claude: "44444444-0000-4000-8000-000000000000",
};

/** The home, and how it was. */
export class FaultHome implements AsyncDisposable {
  readonly home = new CliHome();
  #before: FolderState = new Map();

  /** Puts sessions into the home, and runs commands that others need. */
  static async make(before: readonly (readonly string[])[] = []): Promise<FaultHome> {
    const made = new FaultHome();
    const { home } = made;
    const turn = [user("fix the parser"), toolStart("c1"), toolEnd("c1"), assistant("It is done")];
    const kept = [
      home.keep(IDS.whole, turn, { title: "Whole" }),
      home.keep(IDS.other, [user("another word"), assistant("yes")], { title: "Other" }),
      home.keep(IDS.damaged, turn),
    ];
    const path = kept[2]?.path ?? "";
    Deno.writeTextFileSync(path, '{"v":1,"seq":6,"kind":"user_mess', { append: true });
    // Whoever wrote a session has left its lock, which nobody holds.
    for (const { directory } of kept) {
      Deno.writeTextFileSync(join(directory, "lock"), "", { mode: 0o600 });
    }
    const claude = join(home.path, ".claude/projects/-work");
    Deno.mkdirSync(claude, { recursive: true });
    Deno.copyFileSync(CLAUDE, join(claude, `${IDS.claude}.jsonl`));
    const pi = join(home.path, ".pi/agent/sessions/--here--");
    Deno.mkdirSync(pi, { recursive: true });
    Deno.copyFileSync(PI, join(pi, "2026-11-21T20-00-00-000Z_1111aaaa.jsonl"));
    for (const args of before) {
      const { status, stderr } = await made.run({ args });
      if (status !== 0) throw new Error(`${args.join(" ")}: ${stderr}`);
    }
    made.#before = stateOf(home.path);
    return made;
  }

  /** Makes the home as it was. */
  reset(): void {
    restore(this.home.path, this.#before);
  }

  /** Runs a command in this process; its reads of input and its outputs count as calls too. */
  async run({ args, stdin = "" }: Command, files?: FaultyFiles): Promise<CliResult> {
    const { home } = this;
    const result = { status: 0, stdout: "", stderr: "" };
    const env = cliEnvironment({ home: home.path });
    const size = { terminal: false, width: 80, height: Infinity };
    const decoder = new TextDecoder();
    result.status = await run(args, {
      cwd: home.work,
      variable: (name) => env[name],
      now: () => new Date(),
      stdout: {
        ...size,
        write: (text): void => {
          files?.count("stdout.write", "stdout");
          result.stdout += text;
        },
        writeBytes: (bytes): void => {
          files?.count("stdout.write", "stdout");
          result.stdout += decoder.decode(bytes);
        },
        sendBytes: (bytes) => Promise.resolve(void (result.stdout += decoder.decode(bytes))),
      },
      stderr: { ...size, write: (text): void => void (result.stderr += text) },
      stdin: () => inputOf(stdin, files),
      stdin_terminal: false,
      version: "0.0.0",
    });
    return result;
  }

  /** Runs a command of which one call on a file fails; the number 0 is none. */
  async withFault(command: Command, at: number): Promise<Faulted> {
    using files = new FaultyFiles(this.home.path, at);
    const result = await this.run(command, files);
    return { ...result, calls: files.calls.length, failed: files.failed };
  }

  /** Checks that a log is whole, if its session is still there. */
  async assertSound(id: string): Promise<void> {
    const { status, stdout, stderr } = await this.run({ args: ["doctor", id] });
    if (status !== 0) assert.match(stderr, /^reprise: Cannot find session/, stdout);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.home[Symbol.asyncDispose]();
  }
}

/** How a command ended, and the calls that it made. */
export interface Faulted extends CliResult {
  calls: number;
  failed: FileCall | undefined;
}

/** A command line, and what it reads. */
export interface Command {
  args: readonly string[];
  stdin?: string;
}

function inputOf(text: string, files?: FaultyFiles): ReadableStream<Uint8Array<ArrayBuffer>> {
  const lines = text.split(/(?<=\n)/).filter((line) => line !== "").values();
  return new ReadableStream({
    pull(controller): void {
      files?.count("stdin.read", "stdin");
      const { value, done } = lines.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
  }, { highWaterMark: 0 });
}
