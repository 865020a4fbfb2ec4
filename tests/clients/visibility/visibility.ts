/**
 * Clients list and resume what `doctor agents --fix` wrote: `deno task test:clients`. Each makes a
 * session against a scripted model on loopback. The session is hidden, and is not in the client's own
 * list. Then it is fixed, taken back, fixed again, listed, and resumed.
 *
 * `REPRISE_VISIBILITY=pi,codex` takes only these clients.
 */
import assert from "node:assert/strict";
import { jsonLines } from "../../_support/cli.ts";
import { listed } from "../../_support/listed.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ask, ClientHome, clientOf } from "../handover/client_home.ts";
import { runReprise } from "../handover/handed_over.ts";
import { chosen } from "../quick.ts";
import { type Command, installClient } from "../resume/npm_client.ts";
import { libraryOf, sessionIds, type Stage } from "../resume/resumed_session.ts";
import { type Hiding, HIDINGS } from "./hidings.ts";
import { OWN_LISTS } from "./own_list.ts";

const CHOSEN = Deno.env.get("REPRISE_VISIBILITY")?.split(",");

const commands = new Map<string, Command>();
for (const agent of Object.keys(OWN_LISTS)) {
  if (CHOSEN?.includes(agent) === false) continue;
  const command = await installClient(clientOf(agent));
  if (command !== undefined) commands.set(agent, command);
}

for (const hiding of HIDINGS) {
  if (!chosen(HIDINGS.filter(({ name }) => name === hiding.name), 1).includes(hiding)) continue;
  Deno.test({
    name: `${hiding.agent} lists and resumes what was hidden: ${hiding.name}`,
    ignore: !commands.has(hiding.agent),
    fn: () => withDirectory((directory) => fixHidden(hiding, directory)),
  });
}

/** The ids of the sessions that `doctor agents` calls hidden, with its reasons. */
async function hidden(home: ClientHome, agent: string): Promise<Map<string, string>> {
  const [found] = jsonLines(await runReprise(home, ["doctor", "agents", agent, "--json"]));
  const sessions = found?.hidden as { ref: string; reason: string }[];
  return new Map(sessions.map(({ ref, reason }) => [ref.slice(agent.length + 1), reason]));
}

async function fixHidden(
  { agent, before, hide, show, reason, listed: is_listed = true, still_listed = false }: Hiding,
  directory: string,
): Promise<void> {
  await using home = new ClientHome(directory, commands);
  const usual = home.stage(clientOf(agent)) as Stage;
  const made = { ...usual, place: { ...usual.place, cwd: before?.(home.cwd) ?? home.cwd } };
  await ask(made, "first-words,step:parallel");
  const [row] = await listed(libraryOf(made.place), { agents: [agent] });
  assert.ok(row !== undefined, `${agent} kept no session`);
  const id = row.session_id;
  const lists = async (stage: Stage, one: string): Promise<boolean> =>
    (await OWN_LISTS[agent]?.(stage))?.includes(one) ?? false;
  const session = { place: made.place, id, path: row.path };
  show?.(session);
  assert.equal(await lists(made, id), is_listed, "its own list, before");

  const cwd = await hide(session) ?? made.place.cwd;
  await using there = new ClientHome(directory, commands, false, cwd);
  const stage: Stage = { ...made, place: { ...made.place, cwd } };
  assert.equal(await lists(stage, id), still_listed, "its own list, hidden");
  if (still_listed) await assert.rejects(ask(stage, "lost-words,step:plain", id));
  assert.match((await hidden(there, agent)).get(id) ?? "", reason);

  const fix = ["doctor", "agents", "--fix", `${agent}:${id}`, "--cwd", cwd];
  await runReprise(there, fix);
  assert.equal((await sessionIds(stage)).length, 1, "a dry run writes nothing");
  const fixed = async (): Promise<string> => {
    await runReprise(there, [...fix, "--write"]);
    const copies = (await sessionIds(stage)).filter((one) => one !== id);
    assert.equal(copies.length, 1);
    return copies[0] ?? "";
  };
  // Gemini CLI adds a summary to what it lists, and what was changed is not taken back.
  await runReprise(there, ["doctor", "agents", "--undo", await fixed()]);
  assert.deepEqual(await sessionIds(stage), [id]);
  assert.match((await hidden(there, agent)).get(id) ?? "", reason);

  const copy = await fixed();
  assert.ok(await lists(stage, copy), "its own list, fixed");
  assert.deepEqual([...await hidden(there, agent)], []);
  const sent = await ask(stage, "later-words,step:plain", copy);
  assert.ok(sent.some(({ text }) => text.includes("first-words")), "it goes on with what was said");
  assert.ok(sent.some(({ kind }) => kind === "result"));
  assert.deepEqual([...await hidden(there, agent)], [], "the original is still not called hidden");
}
