/**
 * A session that was sent goes on for its receiver as it would for its sender: `deno task
 * test:clients`. Six clients come from npm and run against a scripted model on loopback. Each makes a
 * session in a work tree with changes, which `reprise send` and `reprise take` bring to another home
 * and another clone. There the printed command continues it. Its request must equal the one that the
 * original sends in the first home, but for paths, ids and dates. OpenCode gets it into its database
 * while a server of it runs.
 */
import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ClientHome } from "../handover/client_home.ts";
import { runReprise } from "../handover/handed_over.ts";
import { QUICK, tell } from "../quick.ts";
import { CLIENTS } from "../resume/clients.ts";
import { installClient, RunningClient } from "../resume/npm_client.ts";
import { sessionIds, type Stage } from "../resume/resumed_session.ts";
import { change, cloned, committed, newWorkTree, workTreeOfBranch } from "./clones.ts";
import { differences, type MoveNotes, type Named, sentRequest } from "./sent_request.ts";

/** What happens before the session is sent. */
const BEFORE = ["parallel", "edited", "failing", "thought"] as const;
const NEXT = "step:plain Go on where we stopped.";

/** Claude Code and Codex tell their models of another directory, and of skills of another home. */
const NOTES: Readonly<Record<string, MoveNotes>> = {
  claude: {
    note:
      /\n*<system-reminder>\n# Environment update\n - Primary working directory: <tree> \(was <tree>\)\n<\/system-reminder>/,
  },
  codex: {
    repeats: /^<(environment_context|skills_instructions)>[^]*<\/\1>$/,
    // Git's answers are in it if they came in time.
    measured: "x-codex-turn-metadata",
  },
};

for (const client of QUICK ? CLIENTS.slice(0, 1) : CLIENTS) {
  const command = await installClient(client);
  Deno.test({
    name: `${client.agent} continues a taken session with the request of the original`,
    ignore: command === undefined,
    fn: () =>
      withDirectory(async (directory) => {
        assert.ok(command !== undefined);
        const commands = new Map([[client.agent, command]]);
        const home = join(directory, "sender");
        const origin = committed(join(directory, "origin"));
        const repository = cloned(origin, join(home, "code", "project"));
        await using sender = new ClientHome(home, commands, false, workTreeOfBranch(repository));
        const other_home = join(directory, "receiver");
        const clone = cloned(origin, join(other_home, "elsewhere", "clone"));
        await using receiver = new ClientHome(other_home, commands, false, clone);
        const stage = sender.stage(client) as Stage;
        const id = await played(stage);
        change(sender.cwd);
        const there = receiver.stage(client) as Stage;
        await using _server = await servedDatabase(there);
        const taken = printedResume(await sendAndTake(sender, receiver, `${client.agent}:${id}`));
        const tree = taken.cwd ?? newWorkTree(clone);
        const moved = { ...there, place: { ...there.place, cwd: tree } };
        const named: Named = [
          ...namedPaths(repository, "repository"),
          ...namedPaths(clone, "repository"),
          ...namedPaths(sender.cwd, "tree"),
          ...namedPaths(tree, "tree"),
          [`.gemini/tmp/${basename(sender.cwd)}`, "folder of chats"],
          [`.gemini/tmp/${basename(tree)}`, "folder of chats"],
          ...namedPaths(home, "home"),
          ...namedPaths(other_home, "home"),
        ];
        const original = await resumed(stage, id, named);
        const copy = await resumed(moved, taken.id, named);
        assert.match(original, /All seen\./, "the request holds the conversation");
        const { lines, notes } = differences(original, copy, NOTES[client.agent]);
        const equal = `equal, with ${notes} notes of the new directory`;
        tell(
          `${client.agent} ${client.version}: ${lines.length === 0 ? equal : lines.join("\n  ")}`,
        );
        assert.deepEqual(lines, []);
      }),
  });
}

/** Plays a session, and returns its id. */
async function played(stage: Stage): Promise<string> {
  let id: string | undefined;
  for (const step of BEFORE) {
    if (step === "edited" && stage.client.files === undefined) continue;
    await run(stage, `step:${step}`, id);
    id ??= (await sessionIds(stage))[0];
  }
  assert.ok(id !== undefined, `${stage.client.agent} kept no session`);
  return id;
}

/** Starts a server of OpenCode, whose first client makes the database; nothing for other clients. */
async function servedDatabase(stage: Stage): Promise<AsyncDisposable | undefined> {
  const { client, command, place } = stage;
  if (client.agent !== "opencode") return undefined;
  await run(stage, "step:plain");
  const args = ["serve", "--port", "0", "--hostname", "127.0.0.1"];
  const server = new RunningClient(client, command, place, args);
  await server.until(/listening on http/);
  return { [Symbol.asyncDispose]: () => server.stop() };
}

/** Names a path, and what clients make of it for the names of folders. */
function namedPaths(path: string, name: string): Named {
  return [[path, name], [path.replaceAll(/[^A-Za-z0-9]/g, "-"), `${name} folder`]];
}

/** Says one thing, in a session or a new one. */
async function run({ client, command, place }: Stage, prompt: string, id?: string): Promise<void> {
  const args = client.args({ prompt, ...(id === undefined ? {} : { id }) }) ?? [];
  const { code, output } = await new RunningClient(client, command, place, args).ended;
  assert.equal(code, 0, output);
}

/** Sends a session to the key of the other home, and takes it there; returns the printed command. */
async function sendAndTake(from: ClientHome, to: ClientHome, ref: string): Promise<string> {
  const identity = join(to.home, "key.txt");
  await runReprise(to, ["key", "new", "--out", identity]);
  const recipient = (await runReprise(to, ["key", "show", identity])).trim();
  const file = join(to.home, "talk.reprise");
  await runReprise(from, ["send", ref, "--to", recipient, "--out", file, "--yes"]);
  return await runReprise(to, ["take", file, "--identity", identity, "--yes"]);
}

/** A printed command line: where it runs, and what it continues. */
function printedResume(line: string): { cwd?: string; id: string } {
  const [, cwd, id = ""] = /^(?:cd (\S+) && )?\S+.* (\S+)\n$/.exec(line) ?? [];
  assert.notEqual(id, "", line);
  return cwd === undefined ? { id } : { cwd, id };
}

/** Continues a session, and returns what the client sent. */
async function resumed(stage: Stage, id: string, named: Named): Promise<string> {
  const from = stage.server.asked.length;
  await run(stage, NEXT, id);
  return sentRequest(stage.server.asked.slice(from), NEXT, named);
}
