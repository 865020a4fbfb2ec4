/** pi, without a terminal or a network. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { NpmClient } from "../npm_client.ts";
import { writeFile } from "./home_files.ts";

/** How it is run. */
export const pi: NpmClient = {
  agent: "pi",
  package: "@earendil-works/pi-coding-agent",
  version: "0.87.1",
  program: ".bin/pi",
  shell: (command) => ({ name: "bash", input: { command } }),
  files: {
    write: (path, content) => ({ name: "write", input: { path, content } }),
    read: (path) => ({ name: "read", input: { path } }),
    edit: (path, old_text, new_text) => ({
      name: "edit",
      input: { path, edits: [{ oldText: old_text, newText: new_text }] },
    }),
  },
  setUp({ home, url }): void {
    const model = { id: "mock-1", reasoning: true, input: ["text", "image"] };
    const models = [{ ...model, contextWindow: 4e6, maxTokens: 4096 }];
    const mock = { baseUrl: `${url}/v1`, api: "openai-completions", apiKey: "dummy", models };
    const folder = join(home, ".pi", "agent");
    writeFile(join(folder, "models.json"), { providers: { mock } });
    // Else it finds nothing to compact in a short session.
    writeFile(join(folder, "settings.json"), { compaction: { keepRecentTokens: 50 } });
  },
  env: () => ({ PI_OFFLINE: "1" }),
  args: ({ prompt, id }) =>
    prompt === undefined ? undefined : [
      ...["--provider", "mock", "--model", "mock-1"],
      ...(id === undefined ? [] : ["--session", id]),
      "-p",
      prompt,
    ],
  fork: (id, prompt) => [
    ...["--provider", "mock", "--model", "mock-1", "--fork", id],
    ...["-p", prompt],
  ],
  injects: [],
  async compact(_place, id, start): Promise<void> {
    const pi = start(["--provider", "mock", "--model", "mock-1", "--mode", "rpc", "--session", id]);
    pi.tell({ id: "1", type: "compact" });
    await pi.until(/"type":"response".*"command":"compact"/);
    await pi.stop();
  },
  adopt({ home, cwd }, path): string | undefined {
    const text = readFileSync(path, "utf8");
    const id = /"id":"([^"]+)"/.exec(text)?.[1];
    const folder = `--${cwd.slice(1).replaceAll(/[/\\:]/g, "-")}--`;
    const name = `2026-01-01T00-00-00-000Z_${id}.jsonl`;
    // It resumes nothing in a directory that is not there.
    const moved = text.replace(/"cwd":"[^"]*"/, `"cwd":${JSON.stringify(cwd)}`);
    writeFile(join(home, ".pi", "agent", "sessions", folder, name), moved);
    return id;
  },
};
