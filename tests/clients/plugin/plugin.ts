/**
 * Whether the real Claude Code and Codex accept the plugin, and install it from this repository.
 * `deno test -A tests/clients/plugin/plugin.ts`.
 */
import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CliHome } from "../../_support/cli_home.ts";
import { ROOT } from "../../_support/source_code.ts";
import { claude } from "../resume/client/claude.ts";
import { codex } from "../resume/client/codex.ts";
import { installClient, type NpmClient, type Ran, RunningClient } from "../resume/npm_client.ts";

const REPOSITORY = fileURLToPath(ROOT);

/** The command lines of each client; the last one lists what is installed. */
const LINES: readonly (readonly [client: NpmClient, ...lines: string[][]])[] = [
  [
    claude,
    ["plugin", "validate", "--strict", REPOSITORY],
    ["plugin", "validate", "--strict", join(REPOSITORY, "plugins", "reprise")],
    ["plugin", "marketplace", "add", REPOSITORY],
    ["plugin", "install", "reprise@reprise"],
    ["plugin", "list"],
  ],
  [
    codex,
    ["plugin", "marketplace", "add", REPOSITORY],
    ["plugin", "add", "reprise@reprise"],
    ["plugin", "list"],
  ],
];

for (const [client, ...lines] of LINES) {
  Deno.test(`${client.agent} ${client.version} accepts the plugin, and installs it`, async () => {
    const command = await installClient(client);
    if (command === undefined) return;
    await using home = new CliHome();
    const place = { home: home.path, cwd: home.work, url: "http://127.0.0.1:9" };
    mkdirSync(join(home.path, ".codex"));
    let listed = "";
    for (const line of lines) {
      const ran: Ran = await new RunningClient(client, command, place, line).ended;
      assert.equal(ran.code, 0, `${line.join(" ")}: ${ran.output}`);
      listed = ran.output;
    }
    assert.match(listed, /reprise@reprise[^]*enabled/);
  });
}
