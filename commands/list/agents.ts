/** Lists the agents by name: `reprise list --agents`. */
import { AGENT_NAMES, type AgentName, WRITABLE_AGENTS } from "../../lib/core/event/agent_name.ts";
import { type Context, wantsColor } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { printJsonLines } from "../_message.ts";

export async function listAgents(context: Context, json: boolean): Promise<void> {
  const library = contextLibrary(context);
  const writable: readonly AgentName[] = WRITABLE_AGENTS;
  const rows = AGENT_NAMES.map((agent) => {
    return { agent, title: library.titleOf(agent), writable: writable.includes(agent) };
  });
  if (json) return await printJsonLines(context, rows);
  const { renderTable } = await import("../../lib/text/render/table.ts");
  const { createStyle } = await import("../../lib/text/render/style.ts");
  const lines = renderTable([
    { name: "agent", cells: rows.map(({ agent }) => agent) },
    { name: "sessions", cells: rows.map((row) => row.writable ? "read, written" : "read") },
    { name: "name", cells: rows.map(({ title }) => title) },
  ], { width: Infinity, style: createStyle(wantsColor(context, context.stdout)) });
  context.stdout.write(lines.map((line) => `${line}\n`).join(""));
}
