/** Files on a server of their own, as a program finds them that is loaded from a URL. */
import { join } from "node:path";
import { cliEnvironment } from "./cli.ts";
import type { CliHome } from "./cli_home.ts";

const TYPES: Record<string, string> = {
  ts: "application/typescript",
  js: "text/javascript",
  json: "application/json",
};

/** Serves files of a folder, and tells which were asked for. */
export class ServedFiles implements AsyncDisposable {
  readonly url: string;
  readonly asked: string[] = [];
  readonly #folder: string;
  readonly #served: RegExp;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  /** @param served Which paths there are. */
  constructor(folder: string, served: RegExp) {
    this.#folder = folder;
    this.#served = served;
    const options = { port: 0, hostname: "127.0.0.1", onListen: (): void => {} };
    this.#server = Deno.serve(options, (request) => this.#answer(new URL(request.url).pathname));
    this.url = `http://127.0.0.1:${this.#server.addr.port}`;
  }

  /** Host and port, to allow imports from. */
  get host(): string {
    return new URL(this.url).host;
  }

  async #answer(path: string): Promise<Response> {
    this.asked.push(path);
    const type = TYPES[path.slice(path.lastIndexOf(".") + 1)];
    if (type === undefined || !this.#served.test(path)) {
      return new Response(undefined, { status: 404 });
    }
    const body = await Deno.readFile(join(this.#folder, path));
    return new Response(body, { headers: { "content-type": type } });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

/** How a run of Deno ended. */
export interface DenoRun {
  success: boolean;
  stdout: string;
  stderr: string;
}

/** Runs Deno in a home with a cache of its own, which is empty unless somebody filled it. */
export async function runDeno(
  home: CliHome,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<DenoRun> {
  const known = cliEnvironment({ home: home.path });
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: home.work,
    env: { ...known, DENO_DIR: join(home.path, "cache"), NO_COLOR: "1", ...env },
    clearEnv: true,
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { success, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
