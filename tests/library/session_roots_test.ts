import assert from "node:assert/strict";
import { join } from "node:path";
import { loadLocator } from "../../lib/library/locators.ts";
import { OTHER_AGENTS } from "../../lib/library/registry.ts";
import { sessionRoots } from "../../lib/library/session_roots.ts";
import { withDirectory } from "../_support/temp_directory.ts";

/** A session of each agent whose name alone tells it, below what a variable names or the home. */
const SESSIONS = [
  ["claude", ".claude/projects/-w/s.jsonl", {}],
  ["claude", "else/projects/-w/s.jsonl", { CLAUDE_CONFIG_DIR: "else" }],
  [
    "codex",
    ".codex/sessions/2026/11/21/rollout-2026-11-21T20-00-00-01a10000-0000-7000-8000-000000000001.jsonl",
    {},
  ],
  ["gemini", ".gemini/tmp/p/chats/session-2026-11-21T20-00-1111aaaa.jsonl", {}],
  ["pi", ".pi/agent/sessions/--w--/2026-11-21T20-00-00-000Z_1111aaaa.jsonl", {}],
  ["pi", "else/sessions/--w--/2026-11-21T20-00-00-000Z_1111aaaa.jsonl", {
    PI_CODING_AGENT_DIR: "else",
  }],
  ["qwen", ".qwen/projects/w/chats/01a10000-0000-4000-8000-000000000002.jsonl", {}],
  ["goose", ".local/share/goose/sessions/20261121_1.jsonl", {}],
  ["copilot", ".copilot/session-state/01a10000-0000-4000-8000-000000000003/events.jsonl", {}],
] as const;

Deno.test("what an agent's locator finds lies below the folders that are watched", async () => {
  for (const [agent, name, variables] of SESSIONS) {
    await withDirectory(async (home) => {
      const path = join(home, name);
      Deno.mkdirSync(join(path, ".."), { recursive: true });
      Deno.writeTextFileSync(path, "{}\n");
      const environment = {
        ...{ home, os: "linux" },
        variable: (wanted: string): string | undefined => {
          const value = (variables as Record<string, string>)[wanted];
          return value === undefined ? undefined : join(home, value);
        },
      };
      const found: string[] = [];
      for await (const session of (await loadLocator(agent)).locate(environment)) {
        found.push(session.path);
      }
      assert.deepEqual(found, [path], name);
      const roots = sessionRoots(agent, environment);
      assert.ok(
        roots.some((root) => path.startsWith(root + "/") || path.startsWith(root + "\\")),
        name,
      );
    });
  }
  assert.ok(
    OTHER_AGENTS.every((agent) =>
      Array.isArray(sessionRoots(agent, { home: "/h", os: "linux", variable: () => undefined }))
    ),
  );
});
