/**
 * Sessions go on in other agents with all that was said and done: `deno task test:clients`. Six
 * clients come from npm and run against a scripted model on loopback. Each makes a session, which
 * `reprise handover` gives to each of them and to our own chat. The client resumes it twice, and each
 * request must carry every text, call, input and output once and in order. Then the way back.
 *
 * Three more clients only take a session of ours.
 *
 * `REPRISE_HANDOVER=claude:codex,pi:` takes only some cells, and then looks at no page.
 */
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { withDirectory } from "../../_support/temp_directory.ts";
import { chosen, QUICK, tell } from "../quick.ts";
import { reprise } from "../resume/client/reprise.ts";
import type { Command, NpmClient } from "../resume/npm_client.ts";
import { ALL_CLIENTS, ClientHome, installAll, TAKERS } from "./client_home.ts";
import { playCell } from "./cell.ts";
import { edgeSource, type SourceSession, unusualSources, usualSources } from "./source_sessions.ts";
import { type Cell, tableOfCells } from "./table_of_cells.ts";

const PAGE = new URL("../../../.github/SUPPORTED_AGENTS.md", import.meta.url);
const CHOSEN = Deno.env.get("REPRISE_HANDOVER")?.split(",").map((cell) => cell.split(":"));

function isChosen(source: string, target: string): boolean {
  return CHOSEN === undefined ||
    CHOSEN.some(([from = "", to = ""]) => source.startsWith(from) && target.startsWith(to));
}

/** All sessions in all agents, agent by agent. */
async function playAll(
  commands: ReadonlyMap<string, Command>,
  sources: readonly SourceSession[],
  targets: readonly NpmClient[] = ALL_CLIENTS,
): Promise<Cell[]> {
  const cells: Cell[] = [];
  await withDirectory(async (directory) => {
    await using home = new ClientHome(directory, commands, true);
    for (const { agent, home: made } of sources) {
      // A database cannot be given by its path.
      const store = join(".local", "share", "opencode");
      if (agent === "opencode") {
        cpSync(join(made, store), join(directory, store), { recursive: true });
      }
    }
    for (const client of targets) {
      for (const [row, source] of sources.entries()) {
        if (!isChosen(source.name, client.agent) || !commands.has(client.agent)) continue;
        if (!chosen(targets, row).includes(client)) continue;
        const cell = await playCell(home, source, client);
        const { messages, calls } = cell.count;
        const said = cell.lost.length === 0 ? `${messages} + ${calls}` : cell.lost.join("\n    ");
        tell(`${source.name} to ${client.agent}: ${said}`);
        cells.push(cell);
      }
    }
  });
  return cells;
}

function assertNothingLost(cells: readonly Cell[]): void {
  assert.ok(cells.length > 0, "no cell was chosen");
  const lost = cells.filter((cell) => cell.lost.length > 0);
  const said = lost.map((cell) => `${cell.source} to ${cell.target}: ${cell.lost.join("; ")}`);
  assert.equal(said.join("\n"), "");
}

Deno.test("sessions of each agent go on in each with all that was said and done", async () => {
  const commands = await installAll();
  const sources = await usualSources(commands);
  const cells = await playAll(commands, sources);
  const table = tableOfCells(cells, ALL_CLIENTS.map(({ agent }) => agent));
  tell(table);
  assertNothingLost(cells);
  if (QUICK || CHOSEN !== undefined || commands.size < ALL_CLIENTS.length) return;
  assert.ok(
    (await Deno.readTextFile(PAGE)).includes(table),
    `the page has another table:\n${table}`,
  );
});

Deno.test("compacted, stopped and odd sessions go on in each agent", async () => {
  const commands = await installAll();
  assertNothingLost(await playAll(commands, await unusualSources(commands)));
});

Deno.test("an odd session goes on in agents that only take sessions here", async () => {
  const commands = await installAll([...TAKERS, reprise]);
  for (const taker of TAKERS) {
    assertNothingLost(await playAll(commands, [await edgeSource()], [taker]));
  }
});
