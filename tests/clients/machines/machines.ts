/**
 * A session that one machine began goes on in the same client on another one, and back: by hand,
 * `deno test -A tests/clients/machines/machines.ts`. Claude Code, Codex and pi come from npm and run
 * against a scripted model on loopback, each in two homes. `reprise sync` and `reprise resume` bring
 * the session there; its request must hold all that was said on both machines.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ask, ClientHome } from "../handover/client_home.ts";
import { runReprise } from "../handover/handed_over.ts";
import { tell } from "../quick.ts";
import { CLIENTS } from "../resume/clients.ts";
import { installClient } from "../resume/npm_client.ts";
import type { Item } from "../resume/request_items.ts";
import { sessionIds, type Stage } from "../resume/resumed_session.ts";

const WANTED = ["claude", "codex", "pi"];

/** The prompts in order: on the first machine, on the other one, and on the first one again. */
const [FIRST, OTHER, BACK] = [
  "step:parallel Begin on the laptop",
  "step:thought Go on at the desktop",
  "step:plain And back on the laptop",
] as const;

function assertSaid(items: readonly Item[], prompts: readonly string[]): void {
  const said = items.filter(({ kind }) => kind === "user").map(({ text }) => text).join("\n");
  for (const prompt of prompts) assert.ok(said.includes(prompt), `${prompt} is missing: ${said}`);
}

for (const client of CLIENTS.filter(({ agent }) => WANTED.includes(agent))) {
  const command = await installClient(client);
  Deno.test({
    name: `${client.agent} continues a session of the other machine, and back`,
    ignore: command === undefined,
    fn: () =>
      withDirectory(async (directory) => {
        assert.ok(command !== undefined);
        const commands = new Map([[client.agent, command]]);
        const homes = ["laptop", "desktop"].map((name) => join(directory, name));
        const [one = "", other = ""] = homes;
        await using a = new ClientHome(one, commands, false, join(one, "src", "app"));
        await using b = new ClientHome(other, commands, false, join(other, "code", "app"));
        const [here, there] = [a.stage(client) as Stage, b.stage(client) as Stage];
        const pair = [join(directory, "place"), "--words", join(directory, "words")];
        const sync = (home: ClientHome) => runReprise(home, ["sync", "--once"]);

        await ask(here, FIRST);
        const [id = ""] = await sessionIds(here);
        await runReprise(a, ["sync", ...pair, "--yes", "--once"]);
        await runReprise(b, ["sync", ...pair, "--yes", "--once"]);
        const line = await runReprise(b, ["resume", `${client.agent}:${id}`]);
        assert.ok(line.includes(id), line);
        assertSaid(await ask(there, OTHER, id), [FIRST, OTHER]);
        assert.deepEqual(await sessionIds(there), [id]);

        await sync(b);
        await sync(a);
        assertSaid(await ask(here, BACK, id), [FIRST, OTHER, BACK]);
        assert.deepEqual(await sessionIds(here), [id]);
        await sync(a);
        await sync(b);
        const last = "step:plain Once more at the desktop";
        assertSaid(await ask(there, last, id), [FIRST, OTHER, BACK, last]);
        tell(`${client.agent} ${client.version}: one session ${id} on both machines`);
      }),
  });
}
