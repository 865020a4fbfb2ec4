/** A machine of a team's member: a data root, a project's directory, and the settings of sync. */
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { NewEvent } from "../../lib/core/event/envelope.ts";
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import type { LocalStore } from "../../lib/core/store/local_store.ts";
import { openFolderStore } from "../../lib/features/team/folder/folder_store.ts";
import type { ObjectStore } from "../../lib/features/team/objects/object_store.ts";
import { makeTeamIn, type Team, teamIn } from "../../lib/features/team/open_team.ts";
import { pull, type PullOptions } from "../../lib/features/team/pull/pull.ts";
import { push, type PushOptions } from "../../lib/features/team/push/push.ts";
import type { SharedProject, SyncSettings } from "../../lib/features/team/shared_project.ts";
import type { PullReport, PushReport } from "../../lib/features/team/sync_report.ts";
import { type Library, openLibrary } from "../../lib/library/library.ts";
import { copied } from "./copied.ts";
import { filesBelow } from "./files_below.ts";

export const PROJECT = "example.org/app";

/** What a member's machine is made of. */
export interface MemberOptions extends Partial<SharedProject> {
  /** The folder that has all of the machine. */
  folder: string;
  /** A home with other agents' sessions. */
  home?: string;
}

export class TeamMember {
  readonly owner: string;
  readonly root: string;
  /** The project's directory. */
  readonly directory: string;
  readonly home: string | undefined;
  readonly sessions: LocalStore;
  readonly settings: SyncSettings;

  constructor(owner: string, { folder, home, ...project }: MemberOptions) {
    this.owner = owner;
    this.home = home;
    this.root = join(folder, "root");
    this.directory = project.directory ?? join(folder, "project");
    Deno.mkdirSync(this.directory, { recursive: true });
    this.sessions = openLocalStore({ root: this.root });
    const device = { id: crypto.randomUUID(), label: `${owner}'s laptop` };
    this.settings = {
      ...{ version: 2, url: "postgresql://nobody@nowhere/x", device },
      projects: [{ project: PROJECT, ...project, directory: this.directory }],
    };
  }

  get library(): Library {
    return openLibrary({
      root: this.root,
      variable: (name) => name === "HOME" ? this.home : undefined,
      cwd: this.directory,
      cache: { version: "test" },
    });
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

  async push(objects: ObjectStore, options: PushOptions = {}): Promise<PushReport> {
    return await push(this.library, await this.#team(objects), this.settings, options);
  }

  async pull(objects: ObjectStore, options: PullOptions = {}): Promise<PullReport> {
    return await pull(this.root, await this.#team(objects), this.settings, options);
  }

  async #team(objects: ObjectStore): Promise<Team> {
    return await teamIn(objects, this.owner);
  }

  /** The copy that this machine shares of a session. */
  async copy(ref: string): Promise<string> {
    const { directory } = this;
    const rewrite = (text: string): string => text.replaceAll(directory, PROJECT);
    return await copied(await this.library.open(ref), rewrite);
  }

  /** The texts of its mirror, by member and session. */
  mirror(): Map<string, string> {
    const folder = join(this.root, "remote");
    const files = existsSync(folder) ? filesBelow(folder) : [];
    return new Map(
      files.filter((path) => path.endsWith(".jsonl")).map((path) => [
        decodeURIComponent(relative(folder, path).split("/").slice(1, -1).join("/")),
        Deno.readTextFileSync(path),
      ]),
    );
  }

  /** Deletes what is only remembered. */
  forget(): void {
    const folder = join(this.root, "sync");
    if (existsSync(folder)) Deno.removeSync(folder, { recursive: true });
  }
}

export function said(content: string): NewEvent {
  return { kind: "user_message", payload: { content } };
}

/** A team's store in a new folder. */
export async function folderTeam(folder: string): Promise<ObjectStore> {
  const objects = openFolderStore(folder);
  await makeTeamIn(objects, "ada");
  return objects;
}

/** Returns the paths of the parts in a team's folder. */
export function partsBelow(folder: string): string[] {
  const copies = join(folder, "v1", "copies");
  return existsSync(copies) ? filesBelow(copies).sort() : [];
}
