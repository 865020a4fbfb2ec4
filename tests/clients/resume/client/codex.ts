/** Codex, without a terminal or a network. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { NpmClient } from "../npm_client.ts";
import { UUID, writeFile } from "./home_files.ts";

/** How it is run. */
export const codex: NpmClient = {
  agent: "codex",
  package: "@openai/codex",
  version: "0.169.0",
  program: ".bin/codex",
  shell: (cmd) => ({ name: "exec_command", input: { cmd } }),
  setUp: ({ home, url }) =>
    writeFile(
      join(home, ".codex", "config.toml"),
      `model = "mock-1"
model_provider = "mock"
approval_policy = "never"
sandbox_mode = "danger-full-access"
tool_output_token_limit = 100000
[model_providers.mock]
name = "mock"
base_url = "${url}/v1"
env_key = "MOCK_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0
`,
    ),
  env: () => ({ MOCK_KEY: "dummy" }),
  args: ({ prompt, id }) =>
    prompt === undefined ? undefined : [
      "exec",
      ...(id === undefined ? [] : ["resume"]),
      "--skip-git-repo-check",
      ...(id === undefined ? [] : [id]),
      prompt,
    ],
  injects: [/^<environment_context>/],
  forks_by_reference: true,
  async compact(_place, threadId, start): Promise<void> {
    const server = start(["app-server"]);
    const clientInfo = { name: "resume-test", version: "1.0.0" };
    server.tell({ id: 1, method: "initialize", params: { clientInfo } });
    await server.until(/"id":1\b/);
    server.tell({ method: "initialized" });
    server.tell({ id: 2, method: "thread/resume", params: { threadId } });
    await server.until(/"id":2\b/);
    server.tell({ id: 3, method: "thread/compact/start", params: { threadId } });
    await server.until(/"method":"turn\/completed"/);
    await server.stop();
  },
  adopt({ home }, path): string | undefined {
    const name = basename(path).slice(basename(path).indexOf("rollout-"));
    const [, year, month, day] = /rollout-(\d+)-(\d+)-(\d+)T/.exec(name) ?? [];
    if (year === undefined || month === undefined || day === undefined) return undefined;
    // It resumes no session of another provider.
    const text = readFileSync(path, "utf8").replace(
      /"model_provider":"\w+"/,
      '"model_provider":"mock"',
    );
    writeFile(join(home, ".codex", "sessions", year, month, day, name), text);
    return UUID.exec(name)?.[0];
  },
};
