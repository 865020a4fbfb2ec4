/**
 * A session that one machine began goes on in the same client on another one, and back: by hand,
 * `deno test -A tests/clients/machines/machines.ts`. Claude Code, Codex and pi come from npm and run
 * against a scripted model on loopback, each in two homes. `reprise sync watch` runs on both while they
 * write, and `reprise resume` puts the session in place; its request must hold all that was said.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ask, ClientHome } from "../handover/client_home.ts";
import { eventually } from "../../_support/eventually.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { repriseCommand, runReprise } from "../handover/handed_over.ts";
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

/** Follows a home's sessions until it is disposed of. */
function follow(home: ClientHome): AsyncDisposable {
  const child = repriseCommand(home, ["sync", "watch", "--every", "1"]).spawn();
  const ended = child.output();
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      child.kill("SIGTERM");
      const { success, stderr } = await ended;
      assert.ok(success, new TextDecoder().decode(stderr));
    },
  };
}

/** Waits until a file of the client in a home has a text. */
async function arrived({ home }: ClientHome, id: string, text: string): Promise<void> {
  await eventually(
    () =>
      filesBelow(home).some((path) =>
        path.includes(id) && !path.startsWith(join(home, "reprise")) &&
        Deno.readTextFileSync(path).includes(text)
      ),
    () => `"${text}" in a file of ${id} below ${home}`,
  );
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

        await runReprise(a, ["sync", ...pair, "--yes", "--once"]);
        await runReprise(b, ["sync", ...pair, "--yes", "--once"]);
        await using _a = follow(a);
        await using _b = follow(b);
        await ask(here, FIRST);
        const [id = ""] = await sessionIds(here);
        const ref = `${client.agent}:${id}`;
        await eventually(async () =>
          (await runReprise(b, ["list", "--all", "--json"])).includes(id)
        );
        const line = await runReprise(b, ["resume", ref]);
        assert.ok(line.includes(id), line);
        assertSaid(await ask(there, OTHER, id), [FIRST, OTHER]);
        assert.deepEqual(await sessionIds(there), [id]);

        await arrived(a, id, OTHER);
        assertSaid(await ask(here, BACK, id), [FIRST, OTHER, BACK]);
        assert.deepEqual(await sessionIds(here), [id]);
        await arrived(b, id, BACK);
        const last = "step:plain Once more at the desktop";
        assertSaid(await ask(there, last, id), [FIRST, OTHER, BACK, last]);
        tell(`${client.agent} ${client.version}: one session ${id} on both machines`);
      }),
  });
}
