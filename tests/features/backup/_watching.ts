/** A watch in this process, over a home of its own. */
import { eventually } from "../../_support/eventually.ts";
import { dirname, join } from "node:path";
import { listBackups, type WatchNews, watchSessions } from "../../../lib/features/backup/mod.ts";
import { type Library, openLibrary } from "../../../lib/library/mod.ts";
import { openLocalStore } from "../../../lib/core/store/mod.ts";

/** A home with the sessions of agents, and a store. */
export class WatchedHome implements AsyncDisposable {
  readonly path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "reprise-watch-" }));
  readonly root = join(this.path, "store");
  readonly news: WatchNews[] = [];
  readonly library: Library;
  #stop = new AbortController();
  #ended: Promise<void> = Promise.resolve();

  constructor() {
    this.library = openLibrary({ root: this.root, variable: (name) => this.variable(name) });
  }

  variable(name: string): string | undefined {
    return name === "HOME" ? this.path : undefined;
  }

  /** Writes a file below the home; the folders above it are made. */
  write(name: string, text: string, append = false): string {
    const path = join(this.path, name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeTextFileSync(path, text, { append });
    return path;
  }

  /** Begins to watch; returns once all that is there is kept. */
  async watch(): Promise<void> {
    this.#stop = new AbortController();
    this.news.length = 0;
    this.#ended = this.#run(this.#stop.signal);
    await this.until(() => this.news.some(({ status }) => status === "caught-up"));
  }

  async #run(signal: AbortSignal): Promise<void> {
    const store = openLocalStore({ root: this.root });
    const options = { signal, default_cwd: this.path };
    for await (const one of watchSessions(this.library, store, options)) this.news.push(one);
  }

  /** Ends the watch. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#ended;
  }

  /** Waits until something is true. */
  async until(is: () => boolean): Promise<void> {
    await eventually(is, () => JSON.stringify(this.news));
  }

  /** Waits until the last generation of a session is a text. */
  async untilKept(ref: string, text: string): Promise<void> {
    await this.until(() => this.texts(ref).at(-1) === text);
  }

  /** The generations of a session's own file. */
  texts(ref: string): string[] {
    const found = listBackups(this.root).find((one) => one.ref === ref);
    return (found?.generations ?? []).map(({ path }) => Deno.readTextFileSync(path));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end();
    Deno.removeSync(this.path, { recursive: true });
  }
}
