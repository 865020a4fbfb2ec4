/** The roots of all agents on Linux, macOS and Windows, as the table in `testdata/roots.md` has them. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { agentPlaces } from "../../../lib/agents/contract/agent_roots.ts";
import { descriptorOf, OTHER_AGENTS } from "../../../lib/library/machine/registry.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { markdownTable } from "../../_support/markdown_table.ts";

const TABLE = new URL("../../../testdata/roots.md", import.meta.url);
const SYSTEMS = ["linux", "darwin", "windows"] as const;
/** Folders without which no root is looked for. */
const FOLDERS = [
  ...[".config", "Library/Application Support", "AppData/Roaming"].flatMap((folder) =>
    ["Code/User/globalStorage", "Claude/local-agent-mode-sessions/a/w/local_1/.claude"].map((one) =>
      `${folder}/${one}`
    )
  ),
  ".openclaw/agents/main/sessions",
];

inDirectory.test("each root of an agent is beside its twins of other systems", (home) => {
  for (const folder of FOLDERS) Deno.mkdirSync(join(home, folder), { recursive: true });
  const variables: Record<string, string> = {
    APPDATA: join(home, "AppData/Roaming"),
    LOCALAPPDATA: join(home, "AppData/Local"),
  };
  const rootsOn = (agent: typeof OTHER_AGENTS[number], os: string): string => {
    const variable = (name: string) => os === "windows" ? variables[name] : undefined;
    const places = agentPlaces(descriptorOf(agent), { home, os, variable });
    return places.map(({ folder }) => folder.replace(home, "~").replaceAll("\\", "/")).join(", ");
  };
  const rows = OTHER_AGENTS.map((agent) => [agent, ...SYSTEMS.map((os) => rootsOn(agent, os))]);
  assert.equal(
    markdownTable([["agent", ...SYSTEMS], ...rows]) + "\n",
    Deno.readTextFileSync(TABLE),
  );
  // A trajectory of ATIF has no folder of its own.
  const lacking = rows.filter(([agent, ...roots]) => agent !== "atif" && roots.includes(""));
  assert.deepEqual(lacking, []);
});
