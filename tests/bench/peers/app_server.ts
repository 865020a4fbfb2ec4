/** Codex's app-server, asked for one thread with all of its turns. */
import { peakMemoryNow } from "../peak_memory.ts";
import type { Sample } from "./peers.ts";

/** A server on its standard streams, which takes and gives JSON-RPC, a message a line. */
export class AppServer {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #output: ReadableStreamDefaultReader<string>;
  #rest = "";

  private constructor(program: string, home: string) {
    this.#child = new Deno.Command(program, {
      args: ["app-server"],
      clearEnv: true,
      env: { HOME: home, PATH: Deno.env.get("PATH") ?? "" },
      stdin: "piped",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#output = this.#child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  }

  /** Starts a server, reads a thread once, and ends it. */
  static async readThread(program: string, home: string, threadId: string): Promise<Sample> {
    const server = new AppServer(program, home);
    try {
      await server.#ask(1, "initialize", { clientInfo: { name: "bench", version: "1" } });
      const begun = performance.now();
      const answer = await server.#ask(2, "thread/read", { threadId, includeTurns: true });
      const ms = performance.now() - begun;
      const peak_memory = peakMemoryNow(server.#child.pid);
      if (answer.includes('"error"') && answer.length < 1000) throw new Error(answer);
      return { ms, peak_memory };
    } finally {
      server.#child.kill("SIGKILL");
      await server.#child.status;
      await server.#output.cancel();
      await server.#input.close().catch(() => {/* it was killed */});
    }
  }

  /** The line that answers a request. */
  async #ask(id: number, method: string, params: unknown): Promise<string> {
    const request = `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
    await this.#input.write(new TextEncoder().encode(request));
    for (;;) {
      const line = await this.#line();
      if (new RegExp(`^\\{(?:"jsonrpc":"2.0",)?"id":${id}\\b`).test(line.slice(0, 60))) return line;
    }
  }

  async #line(): Promise<string> {
    const pieces: string[] = [];
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end >= 0) {
        pieces.push(this.#rest.slice(0, end));
        this.#rest = this.#rest.slice(end + 1);
        return pieces.join("");
      }
      pieces.push(this.#rest);
      const { value, done } = await this.#output.read();
      if (done) throw new Error("Codex's app-server ended");
      this.#rest = value;
    }
  }
}
