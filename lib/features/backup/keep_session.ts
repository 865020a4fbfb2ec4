/**
 * Keeps one session: brings the copies of its files up to date. New bytes are added to a copy. A
 * file that shrank or was rewritten begins a new generation beside the older one.
 */
import { join } from "node:path";
import { present } from "../../core/event/present.ts";
import type { GenerationEnd, KeptFile, KeptManifest } from "../../library/machine/kept/manifest.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { addGrowth } from "./copy_file.ts";
import { evidenceFor, type Growth, growthOf } from "./growth_rule.ts";
import { KeptGenerations } from "./kept_generations.ts";
import {
  checksumOf,
  lookAtSource,
  markBefore,
  openSource,
  type SeenSource,
} from "./source_file.ts";

export interface KeepPlan {
  session: AgentSession;
  /** Absolute path of the folder for the session's copies. */
  folder: string;
  /** Absolute paths of the session's files, its own file first. */
  files: readonly string[];
  now: Date;
  /** True to compare all kept bytes with the source. @default {false} */
  thorough?: boolean;
  /** True if the process that wrote the copies may have been killed. @default {false} */
  mend?: boolean;
  /**
   * True to sync added bytes. If false, a power cut may lose them, but a killed process loses none.
   * @default {true}
   */
  sync?: boolean;
  /** Maximum number of bytes to add. Later calls add the rest. @default {32 MiB} */
  most_bytes?: number;
}

export interface Keeping {
  /** The present manifest; undefined if the session's own file was gone before its first copy. */
  manifest: KeptManifest | undefined;
  added: number;
  /** Why a new generation began; absent if none did. */
  began?: "first" | GenerationEnd;
  more: boolean;
  /** True if the session's own file does not exist. */
  gone: boolean;
  /** True if the manifest was written. */
  changed: boolean;
}

/** Default maximum bytes that one call adds, so that other sessions need not wait long. */
const MOST_BYTES = 32 * 1024 * 1024;

export async function keepSession(plan: KeepPlan): Promise<Keeping> {
  try {
    return await new SessionKeeper(plan).keep();
  } catch (error) {
    throw toSessionError(error, "back up session", plan.session.path);
  }
}

/** `unsettled` if a program may still be rewriting the file. */
interface Verdict {
  path: string;
  file: KeptFile | undefined;
  source: SeenSource;
  growth: Growth | "unsettled";
}

/** Milliseconds after a source file shrank in which a program may still be rewriting the file. */
const SETTLED_MS = 500;
/** Milliseconds after a file's change in which another change may get the same timestamp. */
const FRESH_MS = 50;

class SessionKeeper {
  readonly #plan: KeepPlan;
  readonly #kept: KeptGenerations;

  constructor(plan: KeepPlan) {
    this.#plan = plan;
    this.#kept = new KeptGenerations(plan.folder, plan.session, plan.now, plan.sync);
  }

  async keep(): Promise<Keeping> {
    await this.#kept.unpackLatest();
    if (this.#plan.mend) await this.#kept.mend();
    const seen = this.#look();
    const gone = seen[0]?.source === undefined;
    if (this.#kept.manifest === undefined && gone) return this.#result(0, false, true);
    const verdicts = seen.flatMap(({ path, file, source }): Verdict[] =>
      source === undefined ? [] : [{ path, file, source, growth: this.#judge(path, file, source) }]
    );
    await this.#begin(
      verdicts.filter(({ growth }) => growth === "shrank" || growth === "rewritten"),
    );
    let [added, more] = [0, false];
    for (const { path, growth, source } of verdicts) {
      if (growth === "unsettled") {
        more = true;
        continue;
      }
      if (growth === "same") {
        this.#noteSeen(path, source);
        continue;
      }
      const left = (this.#plan.most_bytes ?? MOST_BYTES) - added;
      const addition = await this.#add(path, source, Math.max(0, left));
      added += addition.added;
      more ||= addition.more;
    }
    if (this.#plan.thorough) await this.#kept.syncCopies();
    if (this.#kept.changed) await this.#kept.save();
    return this.#result(added, more, gone);
  }

  #result(added: number, more: boolean, gone: boolean): Keeping {
    const { manifest, began, changed } = this.#kept;
    return present({ manifest, added, began, more, gone, changed });
  }

  #look(): { path: string; file: KeptFile | undefined; source: SeenSource | undefined }[] {
    return this.#plan.files.map((path) => ({
      path,
      file: this.#kept.fileOf(path),
      source: lookAtSource(path),
    }));
  }

  #judge(path: string, file: KeptFile | undefined, source: SeenSource): Verdict["growth"] {
    if (file === undefined) return "grown";
    const evidence = evidenceFor(
      file,
      source,
      this.#plan.thorough || (this.#plan.mend && "changed"),
    );
    if (evidence === "none") {
      const growth = growthOf(file, source, evidence, undefined);
      // Many programs empty a file and write it anew: soon it may have its old bytes, and more.
      return growth === "shrank" && Date.now() - source.mtime < SETTLED_MS ? "unsettled" : growth;
    }
    const { file: opened } = openSource(path);
    try {
      const found = evidence === "mark"
        ? markBefore(opened, file.bytes)
        : checksumOf(opened, 0, file.bytes);
      return growthOf(file, source, evidence, found);
    } finally {
      opened.close();
    }
  }

  async #begin(rewritten: readonly Verdict[]): Promise<void> {
    const names: string[] = [];
    let reason: GenerationEnd = "shrank";
    for (const { file, growth } of rewritten) {
      if (file === undefined) continue;
      if (this.#kept.isReplaceable(file)) {
        this.#kept.replace(file);
        continue;
      }
      names.push(file.name);
      if (growth === "rewritten") reason = "rewritten";
    }
    if (names.length > 0) await this.#kept.begin(names, reason);
  }

  async #add(
    path: string,
    source: SeenSource,
    most_bytes: number,
  ): Promise<{ added: number; more: boolean }> {
    const file = this.#kept.fileOf(path) ?? this.#kept.newFile(path, source);
    const copy = join(this.#plan.folder, file.copy);
    const { sync = true } = this.#plan;
    const options = { most_bytes, now: Date.now(), sync };
    const { file: next, added, more } = await addGrowth({ ...file, path }, copy, options);
    if (added > 0 || next.seen !== file.seen) this.#kept.put(next, { added });
    return { added, more };
  }

  /** Records the times of an unchanged source, so that the source is not compared again. */
  #noteSeen(path: string, { mode, mtime, ctime, ino }: SeenSource): void {
    const file = this.#kept.fileOf(path);
    if (file === undefined) return;
    const same = file.mtime === mtime && file.ctime === ctime && file.ino === ino &&
      file.mode === mode && file.path === path;
    const fresh = Math.max(mtime, ctime) < file.seen - FRESH_MS;
    if (same && fresh) return;
    this.#kept.put({ ...file, path, mode, mtime, ctime, ino, seen: Date.now() }, { added: 0 });
  }
}
