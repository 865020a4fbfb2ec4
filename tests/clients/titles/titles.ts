/**
 * Clients show the titles that `rename --native` gives, and go on with the session:
 * `deno task test:clients`. Each makes a session against a scripted model on loopback.
 */
import assert from "node:assert/strict";
import {
  renameNatively,
  type RunTitleCommand,
  undoNativeTitle,
} from "../../../lib/features/handover/native_title.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import type { SessionHandle } from "../../../lib/library/handle/session_handle.ts";
import { listed } from "../../_support/listed.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ask, ClientHome, clientOf } from "../handover/client_home.ts";
import { type Command, installClient, RunningClient } from "../resume/npm_client.ts";
import { libraryOf, type Stage } from "../resume/resumed_session.ts";
import { asInteractive } from "../visibility/hidings.ts";
import { OWN_LISTS } from "../visibility/own_list.ts";

const commands = new Map<string, Command>();
for (const agent of ["pi", "claude", "codex"]) {
  const command = await installClient(clientOf(agent));
  if (command !== undefined) commands.set(agent, command);
}

for (const agent of ["pi", "claude", "codex"]) {
  Deno.test({
    name: `${agent} lists a session by the title that Reprise gave, and goes on with it`,
    ignore: !commands.has(agent),
    fn: () => withDirectory((directory) => rename(agent, directory)),
  });
}

async function rename(agent: string, directory: string): Promise<void> {
  await using home = new ClientHome(directory, commands);
  const stage = home.stage(clientOf(agent)) as Stage;
  await ask(stage, "first-words,step:parallel");
  const row = async (): Promise<{ session_id: string; path: string; title: string }> => {
    const [found] = await listed(libraryOf(stage.place), { agents: [agent as "pi"] });
    assert.ok(found !== undefined, `${agent} kept no session`);
    return found;
  };
  const { session_id: id, path } = await row();
  // Without a screen, threads are of `exec`, which no list shows.
  if (agent === "codex") asInteractive({ place: stage.place, id, path });
  const before = Deno.readFileSync(path);
  const list = async (): Promise<string> => await OWN_LISTS[agent]?.(stage) ?? "";
  assert.ok((await list()).includes(id));
  // A client that ended a moment ago may still run.
  const library = openLibrary({
    ...{ root: `${stage.place.home}/reprise`, now: () => new Date(Date.now() + 120_000) },
    variable: (name) => name === "HOME" ? stage.place.home : undefined,
  });
  const run: RunTitleCommand = async ({ input, ends, done }) => {
    const { client, command, place } = stage;
    const server = new RunningClient(client, command, place, ["app-server"], true);
    for (const line of input.trim().split("\n")) server.tell(JSON.parse(line));
    const answer = await server.until(new RegExp(`(${ends.source})`, "m"));
    await server.stop();
    return done.test(answer ?? "") ? undefined : `refused: ${answer}`;
  };
  const handle = async (): Promise<SessionHandle> => await library.open(`${agent}:${id}`);
  await renameNatively(library, await handle(), "Seven red boats", run);
  assert.match(await list(), /Seven red boats/);
  await undoNativeTitle(library, await handle(), run);
  assert.deepEqual(Deno.readFileSync(path), before);
  assert.doesNotMatch(await list(), /Seven red boats/);
  await renameNatively(library, await handle(), "Eight red boats", run);
  const sent = await ask(stage, "later-words,step:plain", id);
  assert.ok(sent.some(({ text }) => text.includes("first-words")), "it goes on with what was said");
  assert.equal((await row()).title, "Eight red boats");
  assert.match(await list(), /Eight red boats/);
}
