/**
 * Writes what comes from the program: the table of commands in REFERENCE.md, that of agents in
 * SUPPORTED_AGENTS.md, and the files of the plugin. `deno task reference`.
 */
import { writePlugin } from "../.ci/plugin.ts";
import type { CommandTable } from "../commands/_command.ts";
import { programTable } from "../commands/_program_table.ts";
import type { AgentDescriptor } from "../lib/agents/contract/agent_descriptor.ts";
import { descriptorOf, OTHER_AGENTS } from "../lib/library/machine/registry.ts";
import { markdownTable } from "./_support/markdown_table.ts";

/** Returns the tables of commands, one for each group of the help. */
export async function commandTables(): Promise<string> {
  const { commands = {} } = await programTable();
  const groups = Map.groupBy(
    Object.entries(commands),
    ([, { group = "" }]) => group.replace(/:$/, ""),
  );
  const parts = [...groups].map(([group, of]) => {
    const rows = of.flatMap(([name, table]) => commandRows(`reprise ${name}`, table));
    return `### ${group}\n\n${markdownTable([["command", "what it does"], ...rows])}`;
  });
  return parts.join("\n\n");
}

/** Returns the row of a command, and those of the commands below it. */
function commandRows(name: string, table: CommandTable): string[][] {
  const { commands = {}, arguments: words = [], description, summary } = table;
  const typed = [name, ...words.map(([word]) => word)].join(" ").replaceAll("|", "\\|");
  const [first = ""] = description.split(/(?<=\.)\s/);
  const about = summary ?? first.replace(/\.$/, "").replaceAll("\n", " ");
  return [
    [`\`${typed}\``, about.charAt(0).toLowerCase() + about.slice(1)],
    ...Object.entries(commands).flatMap(([below, its]) => commandRows(`${name} ${below}`, its)),
  ];
}

/** A column of the table of agents: its head, and the agents that have it. */
type Feature = readonly [head: string, has: (agent: AgentDescriptor) => boolean];

const FEATURES: readonly Feature[] = [
  ["resume", continues],
  ["hand-over to", ({ loadWriter }) => loadWriter !== undefined],
  ["live", ({ loadOpenMarks }) => loadOpenMarks !== undefined],
  ["limits", ({ loadPlanLimits }) => loadPlanLimits !== undefined],
  ["expiry", ({ loadExpiry }) => loadExpiry !== undefined],
  ["hidden", ({ loadVisibility }) => loadVisibility !== undefined],
  ["gone", ({ loadHistory }) => loadHistory !== undefined],
  ["repair", ({ loadRepair }) => loadRepair !== undefined],
  ["title", ({ loadTitles }) => loadTitles !== undefined],
  ["setup", ({ setup }) => setup !== undefined],
  ["hooks", ({ setup }) => setup?.hooks !== undefined],
];

/** Paths of sessions, one for each form whose agent has a command that continues it. */
const PATHS = [
  ...["ID.jsonl", "opencode.db", "ID.messages.json", "chats/a/ID/store.db"],
  "antigravity-cli/brain/ID/transcript.jsonl",
];

/** True if the agent has a command that continues its sessions, in one of their forms. */
function continues(agent: AgentDescriptor): boolean {
  const id = "00000000-0000-4000-8000-000000000000";
  return PATHS.some((path) => {
    const session = { agent: agent.name, id, path: `/home/ada/${path.replace("ID", id)}` };
    return agent.resumeCommand(session) !== undefined;
  });
}

/** Returns the table of agents: what Reprise can do with each, besides reading its sessions. */
export function agentTable(): string {
  const agents = OTHER_AGENTS.map(descriptorOf).filter(({ roots }) =>
    typeof roots === "function" || roots.length > 0
  );
  const rows = agents.toSorted((a, b) => a.title < b.title ? -1 : 1).map((agent) => [
    agent.title,
    ...FEATURES.map(([, has]) => has(agent) ? "yes" : ""),
  ]);
  return markdownTable([["agent", ...FEATURES.map(([head]) => head)], ...rows]);
}

/** The parts: the page, the mark before and behind the part, and its text. */
export const PARTS: readonly (readonly [page: string, mark: string, text: string])[] = [
  [".github/REFERENCE.md", "commands", await commandTables()],
  [".github/SUPPORTED_AGENTS.md", "features", agentTable()],
];

/** Returns a page with its part in place. */
export function withPart(page: string, mark: string, text: string): string {
  const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`Cannot write the part: no ${begin} … ${end}`);
  return `${page.slice(0, from)}${begin}\n\n${text}\n\n${page.slice(to)}`;
}

if (import.meta.main) {
  writePlugin(new URL("../", import.meta.url));
  for (const [name, mark, text] of PARTS) {
    const path = new URL(`../${name}`, import.meta.url);
    Deno.writeTextFileSync(path, withPart(Deno.readTextFileSync(path), mark, text));
  }
}
