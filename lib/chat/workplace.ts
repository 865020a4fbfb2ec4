/**
 * Where a chat works: a directory, what is told to the model there, and how its work tree stands.
 */
import type { ContextSource, NewEvent } from "../../mod.ts";
import { loadInstructions } from "./instructions.ts";
import { readWorkTree, type WorkTree } from "./work_tree.ts";

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
  #tree: WorkTree;

  private constructor(cwd: string, tree: WorkTree, system: string | undefined) {
    this.#cwd = cwd;
    this.#tree = tree;
    const found = system === undefined
      ? loadInstructions(cwd, Deno.build.os)
      : { system, sources: [] };
    this.system = found.system;
    this.#sources = found.sources;
  }

  /** @param system Instructions instead of those that belong there. */
  static async open(cwd: string, system?: string): Promise<Workplace> {
    return new Workplace(cwd, await readWorkTree(cwd), system);
  }

  /** Branch of the work tree when it was last looked at. */
  get git_branch(): string | undefined {
    return this.#tree.git_branch;
  }

  /** Says which files the instructions came from: once, and only where there are any. */
  tellSources(): NewEvent[] {
    const sources = this.#sources;
    this.#sources = [];
    return sources.length === 0 ? [] : [{ kind: "context_loaded", payload: { sources } }];
  }

  /** Looks at the work tree, and says how it stands. */
  async snapshot({ turn_id, touched, ...context }: SnapshotParts): Promise<NewEvent> {
    this.#tree = await readWorkTree(this.#cwd);
    const files = touched.size === 0 ? {} : { files: [...touched] };
    const turn = turn_id === undefined ? {} : { turn_id };
    const payload = { root: this.#cwd, ...this.#tree, ...files, ...context };
    return { kind: "workspace_snapshot", ...turn, payload };
  }
}
