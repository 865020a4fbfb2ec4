/** A machine of the day's test: a home with sessions of Reprise and of Claude Code, and its commands. */
import { basename, join } from "node:path";
import { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import { openLibrary } from "../../lib/library/library.ts";
import { readMarks } from "../../lib/core/store/marks.ts";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import type { CliResult } from "./cli.ts";
import { pathReplacer } from "../../lib/features/team/push/shared_paths.ts";
import { CliHome } from "./cli_home.ts";
import { copied } from "./copied.ts";
import { logsOf, mirrorOf, said } from "./machine.ts";
import type { RunningCli } from "./running_cli.ts";

/** Projects by name, with their options of `sync add`. Claude Code's sessions in `app` leave as copies. */
export const DAY_PROJECTS = {
  app: ["--exact", "--agent", "all"],
  notes: ["--sealed"],
} as const;

export class DayMachine implements AsyncDisposable {
  readonly label: string;
  readonly env: Record<string, string> = { USER: "ann" };
  readonly home = new CliHome();
  /** The log of each session as it was last written or settled here. Later ones begin with it. */
  readonly kept = new Map<string, string>();
  /** The lines of each session of Claude Code, by its id. */
  readonly #claude = new Map<string, string[]>();

  constructor(label: string) {
    this.label = label;
    for (const project of Object.keys(DAY_PROJECTS)) Deno.mkdirSync(this.directory(project));
  }

  get root(): string {
    return this.home.store;
  }

  directory(project: string): string {
    return join(this.home.work, project);
  }

  run(args: readonly string[], cwd = this.home.work): Promise<CliResult> {
    return this.home.run(args, { cwd, env: this.env });
  }

  start(args: readonly string[]): RunningCli {
    return this.home.start(args, { env: this.env });
  }

  logs(): Map<string, string> {
    return logsOf(this.root);
  }

  mirror(): Map<string, string> {
    return mirrorOf(this.root);
  }

  /** Begins or continues a session. @returns Its id. */
  async write(prompts: readonly string[], to: { cwd: string } | { id: string }): Promise<string> {
    const store = openLocalStore({ root: this.root });
    const session = "id" in to ? await store.resume(to.id) : store.create(to);
    for (const prompt of prompts) await session.append(said(prompt));
    await session.finish();
    this.kept.set(session.id, this.logs().get(session.id) ?? "");
    return session.id;
  }

  /** The ids of its sessions of Claude Code. */
  get claude(): string[] {
    return [...this.#claude.keys()];
  }

  /**
   * Writes a prompt and its answer as Claude Code does, into a new session or one that is there.
   *
   * @param after The line to continue from, counted from 0: the conversation leaves out those behind
   * it. @default {the last one}
   */
  writeClaude(prompt: string, id: string = crypto.randomUUID(), after?: number): void {
    const cwd = this.directory("app");
    const records = this.#claude.get(id) ?? [];
    this.#claude.set(id, records);
    const common = { isSidechain: false, cwd, sessionId: id, version: "2.1.29" };
    const answer = {
      ...{ id: `m${records.length}`, type: "message", role: "assistant", model: "m" },
      usage: { input_tokens: 3, output_tokens: 5 },
      content: [{ type: "text", text: `On ${prompt.slice(0, 20)}` }],
    };
    let parent = after ?? records.length - 1;
    for (const message of [{ role: "user", content: prompt }, answer]) {
      const at = records.length;
      const timestamp = new Date(Date.UTC(2026, 10, 27, 8) + 1000 * at).toISOString();
      const parentUuid = parent < 0 ? null : `${id.slice(0, 8)}-${parent}`;
      const uuid = `${id.slice(0, 8)}-${at}`;
      const record = { ...common, type: message.role, uuid, parentUuid, timestamp, message };
      records.push(JSON.stringify(record));
      parent = at;
    }
    const folder = join(this.home.path, ".claude/projects", cwd.replaceAll(/[^a-zA-Z0-9]/g, "-"));
    Deno.mkdirSync(folder, { recursive: true });
    Deno.writeTextFileSync(join(folder, `${id}.jsonl`), `${records.join("\n")}\n`);
  }

  /** Makes the copies of its sessions of Claude Code, by their references. */
  async copies(): Promise<Map<string, string>> {
    const library = openLibrary({
      root: this.root,
      variable: (name) => name === "HOME" ? this.home.path : undefined,
    });
    const { entries } = await library.query({ archived: "any", agents: ["claude"] });
    const found = new Map<string, string>();
    for (const entry of entries) {
      const handle = await entry.open();
      const project = basename(entry.cwd ?? "");
      const shared = { project, directory: this.directory(project) };
      const rewrite = pathReplacer(shared, this.home.path);
      if (handle instanceof SessionHandle) found.set(entry.ref, await copied(handle, rewrite));
    }
    return found;
  }

  /** Returns the values of the marks of some sessions, without their times. */
  marks(isWanted: (ref: string) => boolean): Record<string, unknown> {
    const found = [...readMarks(this.root)].filter(([ref]) => isWanted(ref)).sort()
      .map(([ref, { title, archived, tags, pinned, note }]) => [
        ref,
        [title, archived, tags, pinned, note].map((mark) => mark?.value),
      ]);
    return Object.fromEntries(found);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.home[Symbol.asyncDispose]();
  }
}
