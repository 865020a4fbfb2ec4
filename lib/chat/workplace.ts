/** The workplace of a chat: a directory, its instructions, and the state of its work tree. */
import { type ContextSource, gitBranch } from "../pipeline/mod.ts";
import type { NewEvent } from "../../mod.ts";
import { operatingSystem } from "../platform/runtime.ts";
import { loadInstructions } from "./instructions.ts";

/** What a snapshot says beside the work tree. */
export interface SnapshotParts {
  /** Absent where it stands behind no turn. */
  turn_id?: string | undefined;
  /** Files that were changed. */
  touched: ReadonlySet<string>;
  context_used: number;
  context_limit: number;
}

/** A directory to work in, as it is now. */
export class Workplace {
  /** What the model is told before everything else. */
  readonly system: string;
  readonly #cwd: string;
  #sources: ContextSource[];
  #git_branch: string | undefined;

  /** @param system Instructions instead of those that belong there. */
  constructor(cwd: string, system?: string) {
    this.#cwd = cwd;
    this.#git_branch = gitBranch(cwd);
    const found = system === undefined
      ? loadInstructions(cwd, operatingSystem)
      : { system, sources: [] };
    this.system = found.system;
    this.#sources = found.sources;
  }

  /** Branch of the work tree when it was last looked at. */
  get git_branch(): string | undefined {
    return this.#git_branch;
  }

  /** What to tell where the work tree is on another branch than it was; undefined where it is not. */
  branchChange(before: string | undefined): string | undefined {
    const now = this.#git_branch;
    if (before === undefined || before === now) return undefined;
    return `The work tree was on branch ${before}, and is on ${now ?? "none"} now`;
  }

  /** Says which files the instructions came from: once, and only where there are any. */
  tellSources(): NewEvent[] {
    const sources = this.#sources;
    this.#sources = [];
    return sources.length === 0 ? [] : [{ kind: "context_loaded", payload: { sources } }];
  }

  /** Looks at the work tree, and says how it stands. */
  snapshot({ turn_id, touched, ...context }: SnapshotParts): NewEvent {
    const git_branch = this.#git_branch = gitBranch(this.#cwd);
    const branch = git_branch === undefined ? {} : { git_branch };
    const files = touched.size === 0 ? {} : { files: [...touched] };
    const turn = turn_id === undefined ? {} : { turn_id };
    const payload = { root: this.#cwd, ...branch, ...files, ...context };
    return { kind: "workspace_snapshot", ...turn, payload };
  }
}
