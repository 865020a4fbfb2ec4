/**
 * A coding agent out of npm: how it is installed, set up, and run.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import type { AgentName } from "../../../lib/core/event/agent_name.ts";
import { installed } from "../../_support/client_cache.ts";
import type { FileTools, Shell } from "./scripted_answers.ts";

/** Where a client runs. */
export interface Place {
  /** A home of its own. */
  home: string;
  /** The directory that it works in. */
  cwd: string;
  /** The model's server. */
  url: string;
  /** It deletes old sessions as it would for its user. */
  deletes?: boolean;
}

/** What is asked of a client. */
export interface Ask {
  /** What the user says; absent for a compaction. */
  prompt?: string;
  /** The session that goes on. */
  id?: string;
}

/** A client, and what the test must know of it. */
export interface NpmClient {
  agent: AgentName;
  /** Package and version that it was checked with. */
  package: string;
  version: string;
  /** The program below `node_modules`. */
  program: string;
  /** What its model calls to run a command. */
  shell: Shell;
  /** What its model calls to write, read and change a file, where it has tools for that. */
  files?: FileTools;
  /** The command of a program that does not come from npm. */
  command?(): Command;
  /** Writes its settings. */
  setUp(place: Place): void;
  env(place: Place): Record<string, string>;
  /** Arguments of a run, or undefined where it cannot do that by itself. */
  args(ask: Ask): string[] | undefined;
  /** What it puts into requests besides the conversation: starts of texts. */
  injects: readonly RegExp[];
  /** What it puts into the texts themselves. */
  wraps?: RegExp;
  /** It sends the results of its own sessions twice, when these are resumed. */
  repeats_results?: boolean;
  /** Tools that this version calls otherwise than older ones, also in their sessions. */
  renames?: Record<string, string>;
  /** Compacts a session, where a prompt of its own cannot. */
  compact?(place: Place, id: string, start: Start): Promise<void>;
  /** Arguments of a run that says a word in a copy of a session. */
  fork?(id: string, prompt: string): string[];
  /** A fork needs the file of its parent beside it. */
  forks_by_reference?: boolean;
  /** Puts a copy of a file where the client finds it; gives its id, or that it holds all there are. */
  adopt?(
    place: Place,
    path: string,
    start: Start,
  ): Adopted | Promise<Adopted>;
}

/** A session's id, `all` for those of a whole store, or nothing. */
export type Adopted = string | undefined;

/** Starts the client. */
export type Start = (args: string[]) => RunningClient;

/** The version of Node that clients run with. */
export const NODE = "22.23.3";

/** Installs one package; returns its folder, or undefined where npm cannot be reached. */
export function install(
  name: string,
  version: string,
  flags: readonly string[] = [],
): Promise<string | undefined> {
  return installed(`${name.replaceAll("/", "-")}-${version}`, [`${name}@${version}`], flags);
}

/** Installs a client; gives the command that runs it, or undefined where npm cannot be reached. */
export async function installClient(
  client: Pick<NpmClient, "package" | "version" | "program" | "command">,
): Promise<Command | undefined> {
  if (client.command !== undefined) return client.command();
  const node = await install("node", NODE);
  const folder = await install(client.package, client.version);
  if (node === undefined || folder === undefined) return undefined;
  const program = join(folder, "node_modules", client.program);
  const bin = join(node, "node_modules", "node", "bin");
  return { program, path: `${bin}:${Deno.env.get("PATH") ?? ""}` };
}

/** What runs a client. */
export interface Command {
  program: string;
  path: string;
}

/** A run's end. */
export interface Ran {
  code: number | null;
  output: string;
}

const LIMIT_MS = 120_000;

/** A client that runs: ends by itself, by a signal, or after its limit. */
export class RunningClient {
  /** When it has ended. */
  readonly ended: Promise<Ran>;
  readonly #child: ChildProcess;
  #output = "";

  constructor(client: NpmClient, command: Command, place: Place, args: string[], talks = false) {
    const env = { PATH: command.path, HOME: place.home, TERM: "dumb", ...client.env(place) };
    const input = talks ? "pipe" : openSync("/dev/null", "r");
    this.#child = spawn(command.program, args, {
      cwd: place.cwd,
      env,
      detached: true,
      stdio: [input, "pipe", "pipe"],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (bytes) => this.#output += bytes);
    }
    const limit = setTimeout(() => this.signal("SIGKILL"), LIMIT_MS);
    this.ended = new Promise((done) =>
      this.#child.on("close", (code) => {
        clearTimeout(limit);
        if (typeof input === "number") closeSync(input);
        done({ code, output: this.#output });
      })
    );
  }

  /** Writes a message as a line. */
  tell(message: unknown): void {
    this.#child.stdin?.write(`${JSON.stringify(message)}\n`);
  }

  /** Waits until it has said something, or has ended. */
  async until(said: RegExp): Promise<string | undefined> {
    const over = this.ended.then(() => true);
    for (let ended = false; !ended;) {
      const match = said.exec(this.#output);
      if (match !== null) return match[1] ?? match[0];
      ended = await Promise.race([over, sleep(50).then(() => false)]);
    }
    return undefined;
  }

  /** Sends a signal to it and to what it started. */
  signal(name: "SIGINT" | "SIGKILL"): void {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, name);
    } catch {
      // It has ended.
    }
  }

  /** Ends it. */
  async stop(): Promise<void> {
    this.signal("SIGKILL");
    await this.ended;
  }
}
