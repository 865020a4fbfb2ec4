/**
 * Writes the plugin for Claude Code and Codex, and the lists from which both install it: the skill,
 * the MCP server and the hooks, as `reprise setup` installs them. `deno task reference`.
 *
 * The fields are those of code.claude.com/docs/en/plugins-reference and of
 * developers.openai.com/codex/plugins/build.
 */
import { dirname } from "node:path";
import configuration from "../deno.json" with { type: "json" };
import { SKILL } from "../commands/setup/skill.ts";
import { descriptorOf } from "../lib/library/machine/registry.ts";

const FOLDER = "plugins/reprise";
const HOMEPAGE = "https://github.com/reprise/reprise";
const DESCRIPTION = "Lets your agent look up earlier sessions of all coding agents.";

/** The manifest's fields that both agents know. */
const ABOUT = {
  name: "reprise",
  version: configuration.version,
  description: DESCRIPTION,
  author: { name: "Reprise", url: HOMEPAGE },
  homepage: HOMEPAGE,
  repository: HOMEPAGE,
  license: configuration.license,
  keywords: ["sessions", "history", "search", "handover"],
};

/** Returns the hooks of an agent, as its settings hold them. */
export function hooksOf(agent: "claude" | "codex"): Record<string, unknown[]> {
  const { start, compact } = descriptorOf(agent).setup?.hooks ?? {};
  const hooks: Record<string, unknown[]> = {};
  for (const [moment, place] of Object.entries({ start, compact })) {
    if (place === undefined || "text" in place) continue;
    (hooks[place.keys.at(-1) ?? ""] ??= []).push(place.entry(`reprise hook ${moment}`));
  }
  return hooks;
}

/** Returns the text of each file, by its path. */
export function pluginFiles(): ReadonlyMap<string, string> {
  const entry = { name: ABOUT.name, description: DESCRIPTION };
  const objects = {
    ".claude-plugin/marketplace.json": {
      ...{ name: "reprise", description: DESCRIPTION, owner: ABOUT.author },
      plugins: [{ ...entry, source: `./${FOLDER}` }],
    },
    ".agents/plugins/marketplace.json": {
      ...{ name: "reprise", interface: { displayName: "Reprise" } },
      plugins: [{
        name: ABOUT.name,
        source: { source: "local", path: `./${FOLDER}` },
        policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
        category: "Productivity",
      }],
    },
    // Claude Code finds the skill, the hooks and the server by the names of their files.
    [`${FOLDER}/.claude-plugin/plugin.json`]: ABOUT,
    [`${FOLDER}/.codex-plugin/plugin.json`]: {
      ...ABOUT,
      ...{ skills: "./skills/", hooks: "./hooks/hooks.json", mcpServers: "./.mcp.json" },
      interface: {
        displayName: "Reprise",
        shortDescription: DESCRIPTION,
        category: "Productivity",
      },
    },
    [`${FOLDER}/.mcp.json`]: { mcpServers: { reprise: { command: "reprise", args: ["mcp"] } } },
    [`${FOLDER}/hooks/hooks.json`]: { hooks: hooksOf("claude") },
  };
  return new Map([
    ...Object.entries(objects).map(([path, value]) =>
      [path, `${JSON.stringify(value, undefined, 2)}\n`] as const
    ),
    [`${FOLDER}/skills/past-sessions/SKILL.md`, SKILL],
  ]);
}

/** Writes the files into the repository. */
export function writePlugin(root: URL): void {
  for (const [path, text] of pluginFiles()) {
    Deno.mkdirSync(new URL(`${dirname(path)}/`, root), { recursive: true });
    Deno.writeTextFileSync(new URL(path, root), text);
  }
}
