/** A machine of one user: a home with Claude Code's folder, and a project with a session. */
import { join } from "node:path";
import type { CliOptions } from "../../_support/cli.ts";
import { CliHome } from "../../_support/cli_home.ts";
import { ID, turn } from "../../features/backup/machines/_paired_machine.ts";

export class PairedHome extends CliHome {
  /** It lies elsewhere on each machine. */
  readonly project: string;
  readonly #place: string;
  readonly #options: Partial<CliOptions>;

  constructor(folder: string, name: string, options: Partial<CliOptions> = {}) {
    super();
    this.#place = join(folder, "place");
    this.project = join(this.path, name, "app");
    this.#options = { cwd: this.project, ...options };
    Deno.mkdirSync(this.project, { recursive: true });
    Deno.mkdirSync(join(this.path, ".claude", "projects"), { recursive: true });
  }

  get session(): string {
    const slug = this.project.replaceAll(/[^A-Za-z0-9]/g, "-");
    return join(this.path, ".claude", "projects", slug, `${ID}.jsonl`);
  }

  say(number: number, text: string): void {
    Deno.mkdirSync(join(this.session, ".."), { recursive: true });
    Deno.writeTextFileSync(this.session, turn(this.project, number, text), { append: true });
  }

  /** Runs a command in the project's directory; gives what it printed. */
  async at(...args: string[]): Promise<string> {
    const { stdout, stderr } = await this.succeed(args, this.#options);
    return stdout + stderr;
  }

  async pair(words: string): Promise<string> {
    return await this.at("sync", this.#place, "--words", words, "--yes", "--once");
  }
}
