/** A repository with a session that changes its files, in a home of its own. */
import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { blameFile, type BlameOptions, type FileBlame } from "../../../lib/features/blame/mod.ts";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { isThere } from "../../../lib/core/file/presence.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { CliHome, sessionId } from "../../_support/cli_home.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { user } from "../../_support/log_bytes.ts";
import { GIT_ENVIRONMENT } from "../../_support/trapped_repository.ts";

/** An edit that a session records: its texts, or the whole file. */
export interface MadeEdit {
  /** Arguments of the call. */
  [argument: string]: unknown;
  /** ISO 8601. */
  time: string;
  /** @default {"ok"} */
  status?: "ok" | "error";
}

/** Runs git in a directory, at a time. */
export function git(cwd: string, time: string, ...args: string[]): void {
  const env = { ...GIT_ENVIRONMENT, GIT_AUTHOR_DATE: time, GIT_COMMITTER_DATE: time };
  const { success, stderr } = new Deno.Command("git", { args, cwd, env }).outputSync();
  assert.ok(success, new TextDecoder().decode(stderr));
}

/** The repositories after their first commit: many tests begin with the same one. */
const BEGUN = new Map<string, [name: string, bytes: Uint8Array][]>();
/** No process that tidies up behind a commit. */
const QUICK = ["-c", "maintenance.auto=false"];

/** A home, its repository in `work`, and the library of its sessions. */
export class BlamedHome extends CliHome {
  /** Makes a commit of all files. */
  commit(time: string, files: Record<string, string>): void {
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    const is_first = !isThere(join(this.work, ".git"));
    const key = JSON.stringify([time, files]);
    const known = is_first ? BEGUN.get(key) : undefined;
    if (known !== undefined) {
      // Folders of git that may be empty.
      for (const name of ["info", "objects/info"]) {
        Deno.mkdirSync(join(this.work, ".git", name), { recursive: true });
      }
      for (const [name, bytes] of known) {
        Deno.mkdirSync(dirname(join(this.work, name)), { recursive: true });
        Deno.writeFileSync(join(this.work, name), bytes);
      }
      return;
    }
    if (is_first) git(this.work, time, "init", "--quiet", "-b", "main");
    git(this.work, time, "add", "--all");
    git(this.work, time, ...QUICK, "commit", "--quiet", "--message", `at ${time}`);
    if (!is_first) return;
    const made = filesBelow(join(this.work, ".git")).filter((path) => !path.endsWith(".sample"));
    BEGUN.set(key, made.map((path) => [relative(this.work, path), Deno.readFileSync(path)]));
  }

  write(name: string, text: string): void {
    const path = join(this.work, name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeTextFileSync(path, text);
  }

  /** Keeps a session that makes edits, one prompt each. */
  edits(prefix: string, edits: readonly MadeEdit[], cwd = this.work): void {
    const events = edits.flatMap(({ time, status = "ok", ...input }, index): NewEvent[] => [
      { ...user(`Change ${index}`), time },
      {
        kind: "assistant_message",
        time,
        payload: {
          content: [{ type: "tool_call", call_id: `c${index}`, name: "edit", input }],
          model: "m-1",
        },
      },
      {
        kind: "tool_end",
        time,
        payload: { call_id: `c${index}`, name: "edit", status, output: "Done" },
      },
    ]);
    this.keep(sessionId(prefix), events, { cwd });
  }

  /** Blames a file of the repository. */
  async blame(name: string, options: Partial<BlameOptions> = {}): Promise<FileBlame> {
    const variable = (one: string): string | undefined =>
      one === "HOME" ? this.path : one === "PATH" ? Deno.env.get("PATH") : undefined;
    const library = openLibrary({ variable, root: this.store });
    return await blameFile(library, join(this.work, name), {
      ...{ variable, now: Date.parse("2026-12-01T00:00:00Z") },
      ...options,
    });
  }

  /** Returns each line's grade, and the first characters of its session. */
  async grades(name: string): Promise<string[]> {
    const { lines } = await this.blame(name);
    return lines.map(({ grade, edit, doubt }) =>
      [grade, edit?.session.id.slice(0, 4), doubt].filter((one) => one !== undefined).join(" ")
    );
  }
}
