/** A machine that shares sessions: a data root, a project's directory, and the settings of sync. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { type Library, openLibrary } from "../../lib/library/library.ts";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import { sessionFolders } from "../../lib/core/store/session_folder.ts";
import type { LocalStore } from "../../lib/core/store/local_store.ts";
import { pull, type PullOptions } from "../../lib/features/team/pull/pull.ts";
import type { PullReport, PushReport } from "../../lib/features/team/sync_report.ts";
import { push, type PushOptions } from "../../lib/features/team/push/push.ts";
import { deviceKey } from "../../lib/features/team/state/device_key_file.ts";
import type { SharedProject, SyncSettings } from "../../lib/features/team/shared_project.ts";
import type { TeamStore } from "../../lib/features/team/team_store.ts";
import { filesBelow } from "./files_below.ts";

/** What a machine is made of. */
export interface MachineOptions extends Partial<SharedProject> {
  /** Below it all of the machine lies. */
  folder: string;
  label?: string;
  /** A home with other agents' sessions. */
  home?: string;
}

/** Machines of these tests trust each other, unless a test says otherwise. */
const keys: string[] = [];

export class Machine {
  readonly root: string;
  /** The project's directory. */
  readonly directory: string;
  readonly sessions: LocalStore;
  readonly library: Library;
  readonly settings: SyncSettings;

  constructor({ folder, label = "laptop", home, ...project }: MachineOptions) {
    this.root = join(folder, "root");
    this.directory = project.directory ?? join(folder, "project");
    Deno.mkdirSync(this.directory, { recursive: true });
    this.sessions = openLocalStore({ root: this.root });
    this.library = openLibrary({
      root: this.root,
      variable: (name) => name === "HOME" ? home : undefined,
      cache: { version: "test" },
    });
    const shared: SharedProject = {
      ...{ project: "example.org/app", form: "log", visible: "team" },
      ...project,
      directory: this.directory,
    };
    keys.push(deviceKey(this.root).id);
    const device = { id: crypto.randomUUID(), label };
    this.settings = {
      version: 1,
      url: "postgresql://nobody@nowhere/x",
      trusted: keys,
      device,
      projects: [shared],
    };
  }

  /** Writes a session of some prompts; gives its id. */
  async write(prompts: readonly string[], cwd = this.directory): Promise<string> {
    const session = this.sessions.create({ cwd });
    for (const prompt of prompts) await session.append(said(prompt));
    await session.finish();
    return session.id;
  }

  /** Continues a session. */
  async continue(id: string, prompts: readonly string[]): Promise<void> {
    const session = await this.sessions.resume(id);
    for (const prompt of prompts) await session.append(said(prompt));
    await session.finish();
  }

  async push(store: TeamStore, options: PushOptions = {}): Promise<PushReport> {
    return await push(this.library, store, this.settings, options);
  }

  async pull(store: TeamStore, options: PullOptions = {}): Promise<PullReport> {
    return await pull(this.library, store, this.settings, options);
  }

  /** The bytes of its sessions, by id. */
  logs(): Map<string, string> {
    return logsOf(this.root);
  }

  log(id: string): string {
    return this.logs().get(id) ?? "";
  }

  /** The bytes of its mirror, by path below the store's folder. */
  mirror(): Map<string, string> {
    return mirrorOf(this.root);
  }

  /** Deletes what is only remembered. */
  forget(): void {
    try {
      Deno.removeSync(join(this.root, "sync"), { recursive: true });
    } catch {
      // Nothing is remembered yet.
    }
  }
}

/** The bytes of a data root's sessions, by id. */
export function logsOf(root: string): Map<string, string> {
  return new Map(
    sessionFolders(root).map(({ session_id, path }) => [session_id, Deno.readTextFileSync(path)]),
  );
}

/** The bytes of a data root's mirror, by path below the store's folder. */
export function mirrorOf(root: string): Map<string, string> {
  const folder = join(root, "remote");
  const files = existsSync(folder) ? filesBelow(folder) : [];
  return new Map(
    files.filter((path) => path.endsWith(".jsonl")).map((path) => [
      relative(folder, path).split("/").slice(1, -1).join("/"),
      Deno.readTextFileSync(path),
    ]),
  );
}

export function said(content: string): NewEvent {
  return { kind: "user_message", payload: { content } };
}
