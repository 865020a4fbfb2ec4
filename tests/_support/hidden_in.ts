/** What `doctor agents` says of one agent's hidden sessions. */
import assert from "node:assert/strict";
import { jsonLines } from "./cli.ts";
import type { CliHome } from "./cli_home.ts";

/** Returns `[id, reason, commands]` of an agent's hidden sessions, by id, and the number of all. */
export async function hiddenIn(
  home: CliHome,
  agent: string,
): Promise<{ sessions: unknown; hidden: string[][] }> {
  const { status, stdout } = await home.run(["doctor", "agents", agent, "--json"]);
  assert.equal(status, 0);
  const [found] = jsonLines(stdout);
  assert.ok(found);
  const hidden = found.hidden as {
    ref: string;
    reason: string;
    commands: { argv: string[]; directory?: string }[];
  }[];
  const rows = hidden.map(({ ref, reason, commands }) => [
    ref.slice(ref.indexOf(":") + 1),
    reason,
    ...commands.map(({ argv, directory }) =>
      `${directory === undefined ? "" : `cd ${directory} && `}${argv.join(" ")}`
    ),
  ]);
  rows.sort(([one = ""], [other = ""]) => one < other ? -1 : 1);
  return { sessions: found.sessions, hidden: rows };
}
