/** Ways in which a session comes to be on the disk and not in its client's list. */
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { AgentName } from "../../../lib/core/event/agent_name.ts";
import type { Place } from "../resume/npm_client.ts";

/** A session as its client made it. */
export interface MadeSession {
  place: Place;
  id: string;
  /** Its file, or its client's database. */
  path: string;
}

/** A way to hide a session of a client. */
export interface Hiding {
  agent: AgentName;
  name: string;
  /** What `doctor agents` says of it. */
  reason: RegExp;
  /** False where the client does not list it from the first. */
  listed?: boolean;
  /** Makes the directory in which the session is made; the usual one by default. */
  before?(cwd: string): string;
  /** What makes the client list it. */
  show?(made: MadeSession): void;
  /** True where the client lists it still, and only fails to open it. */
  still_listed?: boolean;
  /** Hides it; returns the directory in which the user is then, if it is another one. */
  hide(made: MadeSession): string | undefined | Promise<string | undefined>;
}

/** The ways. */
export const HIDINGS: readonly Hiding[] = [
  ...(["pi", "claude", "opencode", "gemini"] as const).map((agent): Hiding => ({
    agent,
    name: "its directory moved",
    reason: /^the session's directory is gone: /,
    hide: moveDirectory,
  })),
  ...(["pi", "claude"] as const).map((agent): Hiding => ({
    agent,
    name: "the session's file is in another directory's folder",
    reason: /^the session's file is in another project's folder: /,
    hide: ({ path }): undefined => {
      const folder = join(path, "..");
      const other = join(folder, "..", "-elsewhere-");
      renameSync(folder, other);
    },
  })),
  {
    agent: "claude",
    name: "the session's first record belongs to a subagent",
    reason: /^the session's first record belongs to a subagent$/,
    hide: ({ path, id, place }): undefined => {
      const first = { type: "user", isSidechain: true, sessionId: id, cwd: place.cwd };
      const record = { ...first, uuid: crypto.randomUUID(), parentUuid: null, ...warmUp() };
      writeFileSync(path, `${JSON.stringify(record)}\n${readFileSync(path, "utf8")}`);
    },
  },
  {
    agent: "codex",
    name: "exec started it",
    reason: /^the list hides sessions started by exec$/,
    listed: false,
    hide: (): undefined => {},
  },
  {
    agent: "codex",
    name: "it is of another provider",
    reason:
      /^the session used provider mock; the agent's list shows only sessions of provider other$/,
    show: asInteractive,
    hide: ({ place }): undefined => {
      const path = join(place.home, ".codex", "config.toml");
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(/\bmock\b/g, "other"));
    },
  },
  {
    agent: "opencode",
    name: "its repository was made anew",
    reason:
      /^the session is recorded under project \w+, but the session's directory is now in project \w+$/,
    before: repository,
    hide: async ({ place }): Promise<undefined> => {
      await Deno.remove(join(place.cwd, ".git"), { recursive: true });
      repository(place.cwd, "another first");
    },
  },
  {
    agent: "opencode",
    name: "its work tree was removed",
    reason: /^the session's directory is gone: /,
    still_listed: true,
    before: (cwd): string => {
      git(repository(cwd), ["worktree", "add", "-q", join(cwd, "..", "tree")]);
      return join(cwd, "..", "tree");
    },
    hide: ({ place: { cwd } }): string => {
      const work = join(cwd, "..", "work");
      git(work, ["worktree", "remove", "--force", cwd]);
      return work;
    },
  },
  {
    agent: "gemini",
    name: "the session lacks the projectHash of its directory",
    reason: /^the session lacks the projectHash of its directory$/,
    hide: ({ path }): undefined => {
      const text = readFileSync(path, "utf8");
      writeFileSync(path, text.replaceAll(/"projectHash":\s*"[^"]*"/g, '"projectHash":""'));
    },
  },
];

/** Without a screen, threads are of `exec`, which no list shows. */
export function asInteractive(made: MadeSession): void {
  const text = readFileSync(made.path, "utf8");
  writeFileSync(made.path, text.replace('"source":"exec"', '"source":"cli"'));
  const folder = join(made.place.home, ".codex");
  const name = readdirSync(folder).find((one) => /^state_\d+\.sqlite$/.test(one)) ?? "";
  const database = new DatabaseSync(join(folder, name));
  database.prepare("UPDATE threads SET source = 'cli' WHERE id = ?").run(made.id);
  database.close();
}

function moveDirectory({ place: { cwd } }: MadeSession): string {
  renameSync(cwd, `${cwd}-moved`);
  return `${cwd}-moved`;
}

function warmUp(): object {
  const timestamp = "2026-01-01T00:00:00.000Z";
  return { timestamp, message: { role: "user", content: "Warmup" } };
}

/** Makes a directory a repository with a commit. */
function repository(cwd: string, message = "first"): string {
  git(cwd, ["init", "-q"]);
  git(cwd, ["commit", "-q", "--allow-empty", "-m", message]);
  return cwd;
}

function git(cwd: string, words: readonly string[]): void {
  const args = ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words];
  const { success } = new Deno.Command("git", { args, cwd }).outputSync();
  if (!success) throw new Error(`git ${words.join(" ")}`);
}
