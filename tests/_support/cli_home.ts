/** A temporary home for the program, with sessions in it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { LOG_FILE } from "../../lib/core/store/session_folder.ts";
import { folderName } from "../../lib/core/store/session_id.ts";
import { namespaceOf } from "../../lib/core/workspace/namespace.ts";
import { cacheFolder } from "../../lib/core/workspace/cache_folder.ts";
import { cliEnvironment, type CliOptions, type CliResult, runCli, startHere } from "./cli.ts";
import { logOf } from "./log_bytes.ts";
import type { Requirement } from "./needing.ts";
import { RunningCli } from "./running_cli.ts";
import { type Tests, testsWith } from "./tests_in.ts";

/** How a session was kept. */
export interface KeepOptions {
  /** @default {the home's `work` folder} */
  cwd?: string;
  /** @default {20261121T202153123Z, and a second more for each session before it} */
  created?: Date;
  title?: string;
  /** The log's bytes, in place of events. */
  bytes?: Uint8Array;
  /** The git branch when it began. */
  branch?: string;
}

/** A session that was put into a store. */
export interface KeptSession {
  id: string;
  path: string;
  directory: string;
}

/** A temporary home with a store and a working directory; removed at the end. */
export class CliHome implements AsyncDisposable {
  /** Real path of the home directory. */
  readonly path: string;
  readonly store: string;
  readonly work: string;
  #kept = 0;

  /** @param below The folder that it lies in. @default {the one for temporary files} */
  constructor(below?: string) {
    const options = { prefix: "reprise-cli-", ...(below === undefined ? {} : { dir: below }) };
    this.path = Deno.realPathSync(Deno.makeTempDirSync(options));
    this.store = join(this.path, "store");
    this.work = join(this.path, "work");
    Deno.mkdirSync(this.work);
  }

  /** The cache folder of the store. */
  get cache(): string {
    const env = cliEnvironment({ home: this.path });
    return cacheFolder(this.store, (name) => env[name], Deno.build.os) ?? "";
  }

  /** Runs the program in the working directory, in this process unless the options need one. */
  run(args: readonly string[], options: Omit<CliOptions, "home"> = {}): Promise<CliResult> {
    return runCli(args, { home: this.path, cwd: this.work, ...options });
  }

  /** Runs the program, which must succeed. */
  async succeed(
    args: readonly string[],
    options: Omit<CliOptions, "home"> = {},
  ): Promise<CliResult> {
    const result = await this.run(args, options);
    assert.equal(result.status, 0, result.stderr);
    return result;
  }

  /** Runs several command lines side by side; gives the results in their order. */
  runAll(
    lines: readonly (readonly string[])[],
    options: Omit<CliOptions, "home"> = {},
  ): Promise<CliResult[]> {
    return Promise.all(lines.map((args) => this.run(args, options)));
  }

  /** Runs command lines one after the other, where one needs the effect of another. */
  async runInOrder(lines: readonly (readonly string[])[]): Promise<CliResult[]> {
    const results: CliResult[] = [];
    for (const args of lines) results.push(await this.run(args));
    return results;
  }

  /** Starts the program as a process, to talk with. */
  start(args: readonly string[], options: Omit<CliOptions, "home" | "stdin"> = {}): RunningCli {
    return new RunningCli(args, { home: this.path, cwd: this.work, ...options });
  }

  /** Starts the program in this process, to talk with; it gets only signals that it handles. */
  talk(args: readonly string[], options: Omit<CliOptions, "home" | "stdin"> = {}): RunningCli {
    return new RunningCli(args, { home: this.path, cwd: this.work, ...options }, startHere);
  }

  /** Puts a session into the store: its header, then `events`, a second apart. */
  keep(id: string, events: readonly NewEvent[], options: KeepOptions = {}): KeptSession {
    const { cwd = this.work, title, branch } = options;
    const created = options.created ?? new Date(Date.UTC(2026, 10, 21, 20, 21, 53 + this.#kept++));
    const directory = join(
      this.store,
      "sessions",
      namespaceOf(cwd),
      folderName(created, id),
    );
    Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, LOG_FILE);
    const git = branch === undefined ? {} : { git: { branch } };
    const payload = { session_id: id, created_at: created.toISOString(), cwd, ...git };
    const header: NewEvent = {
      kind: "session_started",
      time: created.toISOString(),
      payload: title === undefined ? payload : { ...payload, title },
    };
    const timed = events.map((event, index): NewEvent => ({
      time: new Date(created.getTime() + 1000 * (index + 1)).toISOString(),
      ...event,
    }));
    Deno.writeFileSync(path, options.bytes ?? logOf([header, ...timed]), { mode: 0o600 });
    return { id, path, directory };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

/** Tests with a home each, which are left out where a requirement is missing. */
export function testsAtHome(...requirements: readonly Requirement[]): Tests<CliHome> {
  return testsWith(() => new CliHome(), ...requirements);
}

/** Tests with a home each. */
export const inHome = testsAtHome();

/** A session id that begins with `prefix`. */
export function sessionId(prefix: string): string {
  const whole = "00000000-0000-4000-8000-000000000000";
  return prefix + whole.slice(prefix.length);
}
