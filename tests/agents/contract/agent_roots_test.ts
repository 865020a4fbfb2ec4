import assert from "node:assert/strict";
import { join } from "node:path";
import { likelyFirst, loadLocator } from "../../../lib/library/machine/locators.ts";
import { descriptorOf, OTHER_AGENTS } from "../../../lib/library/machine/registry.ts";
import type { RootCandidates } from "../../../lib/agents/contract/agent_descriptor.ts";
import type { AgentEnvironment } from "../../../lib/agents/contract/agent_environment.ts";
import {
  agentPlaces,
  hasTraces,
  rootVariables,
  watchedFolders,
} from "../../../lib/agents/contract/agent_roots.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";

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

Deno.test("an agent's sessions lie below its watched folders", async () => {
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
      const roots = watchedFolders(descriptorOf(agent), environment);
      assert.ok(
        roots.some((root) => path.startsWith(root + "/") || path.startsWith(root + "\\")),
        name,
      );
    });
  }
  const watching = OTHER_AGENTS.filter((agent) => descriptorOf(agent).watched !== undefined);
  // The histories of Aider lie in projects: they are looked at now and then.
  assert.deepEqual(OTHER_AGENTS.filter((agent) => !watching.includes(agent)), ["aider", "crush"]);
});

/** A machine with some variables. */
function machine(variables: Record<string, string> = {}, os = "linux"): AgentEnvironment {
  return { home: "/home/me", os, variable: (name) => variables[name] };
}

function foldersOf(roots: readonly RootCandidates[], environment: AgentEnvironment): string[] {
  return agentPlaces({ name: "claude", roots }, environment).map(({ folder }) => folder);
}

Deno.test("a root is the first of its candidates that is set", () => {
  const roots: RootCandidates[] = [
    ["$ONE", { path: "$TWO/data", absolute: true }, { path: "~/Three", os: "windows" }, "~/.four"],
    ["$FIVE/.five"],
  ];
  assert.deepEqual(foldersOf(roots, machine()), [join("/home/me/.four")]);
  assert.deepEqual(foldersOf(roots, machine({}, "windows")), [join("/home/me/Three")]);
  assert.deepEqual(foldersOf(roots, machine({ TWO: "two", ONE: "" })), [join("/home/me/.four")]);
  assert.deepEqual(foldersOf(roots, machine({ TWO: "/two", FIVE: "~" })), [
    join("/two/data"),
    join("/home/me/.five"),
  ]);
  assert.deepEqual(foldersOf(roots, machine({ ONE: "~/one", TWO: "/two" })), [
    join("/home/me/one"),
  ]);
});

inDirectory.test("a variable names several roots with commas, unless a folder has that name", (home) => {
  const roots = [["$ROOT", "~/.agent"]];
  const given = (value: string): string[] => foldersOf(roots, machine({ ROOT: value }));
  const [one, two, both] = ["one", "two", "one,two"].map((name) => join(home, name));
  assert.ok(one !== undefined && two !== undefined && both !== undefined);
  assert.deepEqual(given(`${one}, ${two},`), [one, two]);
  Deno.mkdirSync(both);
  assert.deepEqual(given(both), [both]);
  Deno.mkdirSync(one);
  Deno.symlinkSync(one, two);
  assert.deepEqual(given(`${one},${two},${join(home, "three")}`), [one, join(home, "three")]);
});

inDirectory.test("an agent has traces where a root is there, or a variable of its own is set", (home) => {
  const descriptor = { ...descriptorOf("opencode"), roots: [["$ROOT", "~/.agent"]] };
  const has = (variables: Record<string, string>): boolean =>
    hasTraces(descriptor, { ...machine(variables), home });
  assert.ok(!has({}));
  assert.ok(!has({ ROOT: join(home, "none") }));
  assert.ok(has({ ROOT: home }));
  assert.ok(has({ OPENCODE_DB: "/x.db" }));
  Deno.mkdirSync(join(home, ".agent"));
  assert.ok(has({}));
  assert.ok(!has({ ROOT: join(home, "none") }));
  assert.deepEqual(rootVariables(descriptor), ["ROOT", "OPENCODE_DB"]);
});

Deno.test("roots that the user added follow the agent's own, and are watched too", () => {
  const environment = { ...machine(), added_roots: { claude: ["~/.work", "/mnt/d/.claude"] } };
  const folders = ["/home/me/.claude", "/home/me/.work", "/mnt/d/.claude"].map((path) =>
    join(path)
  );
  const claude = descriptorOf("claude");
  assert.deepEqual(agentPlaces(claude, environment).map(({ folder }) => folder), folders);
  assert.deepEqual(
    watchedFolders(claude, environment),
    folders.map((folder) => join(folder, "projects")),
  );
  assert.equal(agentPlaces(descriptorOf("pi"), environment).length, 1);
});

Deno.test("a file below an agent's root is tried with that agent first", () => {
  const path = join("/home/me/.qwen/projects/w/chats/1.jsonl");
  assert.deepEqual(likelyFirst(machine(), ["claude", "pi", "qwen"], path), [
    "qwen",
    "claude",
    "pi",
  ]);
  assert.deepEqual(likelyFirst(machine(), ["claude", "pi"], path), ["claude", "pi"]);
});
