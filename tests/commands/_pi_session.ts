/** A session of another agent: pi's, for its format is the plainest. */
import { join } from "node:path";
import type { CliHome } from "../_support/cli_home.ts";

/** Puts a session where pi keeps its own. */
export function keepPiSession(
  home: CliHome,
  id = "1111aaaa",
  ...prompts: string[]
): { ref: string; path: string } {
  const name = home.work.replace(/^[/\\]/, "").replace(/[/\\:]/g, "-");
  const folder = join(home.path, ".pi", "agent", "sessions", `--${name}--`);
  Deno.mkdirSync(folder, { recursive: true });
  const path = join(folder, `2026-11-21T20-00-00-000Z_${id}.jsonl`);
  const timestamp = "2026-11-21T20:00:00.000Z";
  const records = (prompts.length === 0 ? ["Asked of pi"] : prompts).map((text, at) => ({
    ...{ type: "message", id: `a${at + 1}`, parentId: at === 0 ? null : `a${at}` },
    timestamp: timestamp.replace(":00.", `:0${at}.`),
    message: { role: "user", content: [{ type: "text", text }] },
  }));
  const lines = [{ type: "session", version: 3, id, timestamp, cwd: home.work }, ...records];
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return { ref: `pi:${id}`, path };
}

/** Adds an answer that took some tokens. */
export function answerInPi(path: string, input: number): void {
  const timestamp = "2026-11-21T20:01:00.000Z";
  const content = [{ type: "text", text: "Answered by pi" }];
  const usage = { input, output: 1, cacheRead: 0, cacheWrite: 0 };
  const message = { role: "assistant", content, model: "m-pi", usage, stopReason: "stop" };
  const record = { type: "message", id: "b1", parentId: "a1", timestamp, message };
  Deno.writeTextFileSync(path, JSON.stringify(record) + "\n", { append: true });
}
