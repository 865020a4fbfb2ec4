/** Tests that were left out because something is missing, counted in the output of `deno test`. */
import { stripVTControlCharacters } from "node:util";

/** `name (needs tmux: apt install tmux) ... ignored` */
const IGNORED = / \(needs ([^:]+): (.+)\) \.\.\. ignored/;

/** Counts them by what they need while the output passes. */
export class LeftOut {
  readonly #counts = new Map<string, number>();

  /** Passes the output on as it comes. */
  stream(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
    const decoder = new TextDecoder();
    let rest = "";
    return new TransformStream({
      transform: (chunk, controller) => {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) this.#read(line);
        controller.enqueue(chunk);
      },
      flush: () => this.#read(rest),
    });
  }

  /** One line for each need; empty where no test was left out. */
  summary(): string {
    const lines = [...this.#counts].sort(([, a], [, b]) => b - a)
      .map(([need, count]) => `  ${count} ${count === 1 ? "needs" : "need"} ${need}`);
    return lines.length === 0 ? "" : ["Left out:", ...lines].join("\n");
  }

  #read(line: string): void {
    const [, need, get] = IGNORED.exec(stripVTControlCharacters(line)) ?? [];
    if (need === undefined) return;
    const key = `${need} (${get})`;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }
}
