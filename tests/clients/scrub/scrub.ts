/**
 * Scrubbed sessions go on in their own agents: `deno task test:clients`. Each of six clients from npm
 * makes a session against a scripted model on loopback, with secrets in prompts and in the output of a
 * tool. `reprise secrets REF --scrub --write` takes them out, `--undo` brings every byte back, and after
 * a second scrub the client resumes the session twice. Its requests have all items, ids and their order,
 * and placeholders in the place of the secrets. OpenCode's database is refused, and named.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { stateOf } from "../../_support/crash_states.ts";
import { formsOf, leaksIn, type Planted } from "../../_support/planted_secrets.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ask, ClientHome, clientOf, installAll } from "../handover/client_home.ts";
import { runReprise } from "../handover/handed_over.ts";
import { chosen, tell } from "../quick.ts";
import type { Command, NpmClient } from "../resume/npm_client.ts";
import { requestItems } from "../resume/request_items.ts";
import { libraryOf, sessionIds, type Stage } from "../resume/resumed_session.ts";

const AGENTS = ["claude", "codex", "pi", "gemini", "qwen", "opencode"];

const PROMPT: Planted = {
  kind: "github-token",
  secret: `ghp_${"aB3dE5fG7hJ9kL1m".repeat(3).slice(0, 36)}`,
};
const OUTPUT: Planted = {
  kind: "npm-token",
  secret: `npm_${"Qw3rT5yU7iO9pA1s".repeat(3).slice(0, 36)}`,
};
/** Known by its name alone, with characters that are escaped in JSON. */
const NAMED: Planted = { kind: "password", secret: `p"7f3k9d2/+\\Zq48213` };
const PLANTED = [PROMPT, OUTPUT, NAMED];

/** One request of a client, as far as its session is in it. */
interface Sent {
  /** Kind and text of each item, without ids. */
  items: string[];
  /** Ids of calls, in their order. */
  ids: string[];
  text: string;
}

/** Says one thing in a session; gives what the client sends. */
async function sentFor(stage: Stage, prompt: string, id?: string): Promise<Sent> {
  const from = stage.server.asked.length;
  await ask(stage, prompt, id);
  const { client, server } = stage;
  const asked = server.asked.slice(from).find(({ body }) =>
    (body.tools ?? []).length > 0 && JSON.stringify(body).includes(prompt.slice(0, 8))
  );
  assert.ok(asked !== undefined);
  const items = requestItems(asked.api, asked.body)
    .filter(({ kind, text }) =>
      kind !== "reminder" && !client.injects.some((start) => start.test(text))
    );
  const { messages, input, contents } = asked.body;
  const text = JSON.stringify(messages ?? input ?? contents);
  const ids = [...text.matchAll(/"(?:tool_use_id|tool_call_id|call_id|id)":"([^"]+)"/g)];
  return {
    items: items.map(({ kind, text }) => `${kind} ${text}`),
    ids: ids.map(([, found = ""]) => found),
    text,
  };
}

/** Returns the kinds of the secrets in a text, as they are or in JSON. */
function secretsIn(text: string): string[] {
  return PLANTED.filter(({ secret }) => formsOf(secret).some((form) => text.includes(form)))
    .map(({ kind }) => kind);
}

/** Replaces secrets as a scrub does, and the digits of placeholders by stars. */
function scrubbed(text: string): string {
  return PLANTED.reduce((all, { kind, secret }) => {
    const escaped = JSON.stringify(secret).slice(1, -1);
    const twice = JSON.stringify(escaped).slice(1, -1);
    return [twice, escaped, secret]
      .reduce((one, form) => one.replaceAll(form, `[scrubbed:${kind}:****]`), all);
  }, text).replaceAll(/(\[scrubbed:[a-z-]+:)[0-9a-f]{4}\]/g, "$1****]");
}

/** Lets files look as if no client had them open. */
function age(folder: string): void {
  const hour_ago = Date.now() / 1000 - 3600;
  for (const { name, isDirectory, isFile } of Deno.readDirSync(folder)) {
    const path = join(folder, name);
    if (isDirectory) age(path);
    else if (isFile) Deno.utimeSync(path, hour_ago, hour_ago);
  }
}

/** Returns a client whose model reads the file with secrets when it is asked to recall. */
function tellsSecrets(client: NpmClient): NpmClient {
  return Object.assign({ ...client }, { recall: () => [client.shell("cat settings.txt")] });
}

/** Makes a session with secrets in two prompts and in the output of a tool; gives its id. */
async function play(stage: Stage): Promise<string> {
  const { place } = stage;
  Deno.writeTextFileSync(
    join(place.cwd, "settings.txt"),
    `NPM_TOKEN=${OUTPUT.secret}\nDB_PASSWORD='${NAMED.secret}'\n`,
  );
  await ask(stage, `first-word,deploy,with,${PROMPT.secret},step:recalled`);
  const [id = ""] = await sessionIds(stage);
  await ask(stage, `second-word,again,(${PROMPT.secret}),step:parallel`, id);
  return id;
}

/** What changes between two states, without what a program of the client may write on its own. */
function differences(before: ReturnType<typeof stateOf>, folder: string): string[] {
  const after = stateOf(folder);
  return [...before].flatMap(([path, { bytes }]) => {
    if (bytes === undefined || /\/reprise\//.test(path)) return [];
    const now = after.get(path)?.bytes;
    return now !== undefined && now.length === bytes.length &&
        now.every((one, at) => one === bytes[at])
      ? []
      : [path];
  });
}

/** Returns the rows of a database; none of another file. */
function rowsOf(path: string): unknown[] {
  if (!path.endsWith(".db")) return [];
  using database = new DatabaseSync(path, { readOnly: true });
  const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1");
  return tables.all().map(({ name }) =>
    database.prepare(`SELECT * FROM "${name}" ORDER BY 1`).all()
  );
}

async function tryClient(client: NpmClient, commands: ReadonlyMap<string, Command>): Promise<void> {
  await withDirectory(async (directory) => {
    await using home = new ClientHome(directory, commands);
    const stage = home.stage(tellsSecrets(client)) as Stage;
    const id = await play(stage);
    const before = await sentFor(stage, "third-word,step:plain", id);
    assert.deepEqual(secretsIn(before.text), PLANTED.map(({ kind }) => kind), before.text);
    const { path } = await libraryOf(stage.place).open(`${client.agent}:${id}`);
    assert.equal(new Set(leaksIn(path, PLANTED).map((leak) => leak.split(" ")[1])).size, 3);
    age(directory);
    const whole = stateOf(directory);
    const rows = rowsOf(path);
    await runReprise(home, ["key", "new", "--out", join(directory, "key.txt")]);
    const key = ["--identity", join(directory, "key.txt")];
    const ref = `${client.agent}:${id}`;
    await runReprise(home, ["secrets", ref, "--scrub", "--write", ...key]);
    assert.deepEqual(leaksIn(path, PLANTED), []);
    assert.ok(differences(whole, directory).includes(path));
    await runReprise(home, ["secrets", ref, "--scrub", "--undo", ...key]);
    // A database has its cells again, in other pages.
    const others = differences(whole, directory).filter((one) => !one.startsWith(path));
    assert.deepEqual(path.endsWith(".db") ? others : differences(whole, directory), []);
    assert.deepEqual(rowsOf(path), rows);
    await runReprise(home, ["secrets", ref, "--scrub", "--write", ...key]);
    // The client reads the file again in the meantime, with other prompts.
    const first = await sentFor(stage, "fourth-word,step:plain", id);
    const second = await sentFor(stage, "fifth-word,step:plain", id);
    for (const sent of [first, second]) {
      assert.deepEqual(secretsIn(sent.text), []);
      assert.ok(PLANTED.every(({ kind }) => sent.text.includes(`[scrubbed:${kind}:`)), sent.text);
      const { length } = before.items;
      assert.deepEqual(sent.items.slice(0, length).map(scrubbed), before.items.map(scrubbed));
      assert.deepEqual(sent.ids.slice(0, before.ids.length), before.ids);
    }
    tell(`${client.agent}: ${before.items.length} items, ${before.ids.length} ids`);
  });
}

const COMMANDS = await installAll(AGENTS.map(clientOf));

for (const agent of chosen(AGENTS)) {
  Deno.test({
    name: `a scrubbed session of ${agent} goes on, with placeholders, ids and order`,
    ignore: !COMMANDS.has(agent),
    fn: () => tryClient(clientOf(agent), COMMANDS),
  });
}
