/**
 * Codex lists, reads, forks and resumes rollouts that were packed: `deno task test:clients`. The
 * window is the largest that it reads.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { codexPacking } from "../../../lib/agents/codex/packing.ts";
import { heldPieces, writeZstd } from "../../../lib/features/backup/zstd_file.ts";
import { packSessions } from "../../../lib/features/backup/pack_sessions.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { chosen } from "../quick.ts";
import { codex } from "../resume/client/codex.ts";
import { installClient, type Place, RunningClient } from "../resume/npm_client.ts";
import { requestItems } from "../resume/request_items.ts";
import { libraryOf } from "../resume/resumed_session.ts";
import { ScriptedServer } from "../resume/scripted_server.ts";

const command = await installClient(codex);
const LARGEST = codexPacking.window_log;

/** Packs the only rollout of a home with a window. */
async function packWith(path: string, window_log: number): Promise<void> {
  const info = Deno.statSync(path);
  using file = Deno.openSync(path);
  await writeZstd(`${path}.zst`, heldPieces(file, 0, info.size), { window_log });
  Deno.utimeSync(`${path}.zst`, info.mtime ?? 0, info.mtime ?? 0);
  Deno.removeSync(path);
}

/** Packs as `reprise pack` does. */
async function packAll(place: Place): Promise<number> {
  const { environment } = libraryOf(place).place;
  const root = join(place.home, "reprise");
  const options = { environment, root, before: new Date(Date.now() + 1000), dry: false };
  return (await Array.fromAsync(packSessions("codex", options))).length;
}

function rollouts(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) => {
    const path = join(folder, name);
    if (isDirectory) return rollouts(path);
    return /^rollout-.*\.jsonl(?:\.zst)?$/.test(name) ? [path] : [];
  });
}

for (const window_log of [...chosen([23, 25, LARGEST]), LARGEST + 1]) {
  const reads = window_log <= LARGEST;
  Deno.test({
    name: `Codex ${reads ? "resumes" : "refuses"} a rollout with a window of ${
      2 ** (window_log - 20)
    } MB`,
    ignore: command === undefined,
    fn: () =>
      withDirectory(async (directory) => {
        assert.ok(command !== undefined);
        await using server = new ScriptedServer({ shell: codex.shell, cwd: directory });
        const place = { home: join(directory, "home"), cwd: directory, url: server.url };
        codex.setUp(place);
        const run = (args: string[] = []) => new RunningClient(codex, command, place, args).ended;
        const first = await run(codex.args({ prompt: "step:parallel" }));
        assert.equal(first.code, 0, first.output);
        const [path = ""] = rollouts(place.home);
        const said = requestItems("responses", server.asked.at(-1)?.body);
        if (window_log === LARGEST) assert.equal(await packAll(place), 1);
        else await packWith(path, window_log);
        assert.deepEqual(rollouts(place.home), [`${path}.zst`]);
        const id = /[0-9a-f-]{36}(?=\.jsonl)/.exec(path)?.[0] ?? "";
        if (reads) await listAndFork(place, id);
        if (window_log === LARGEST) {
          // Without its database, Codex finds threads by their files.
          for (const { name } of [...Deno.readDirSync(join(place.home, ".codex"))]) {
            if (/^state.*\.sqlite/.test(name)) Deno.removeSync(join(place.home, ".codex", name));
          }
          const fork = await listAndFork(place, id);
          const forked = await run(codex.args({ prompt: "step:plain", id: fork }));
          assert.equal(forked.code, 0, forked.output);
          const sent = requestItems("responses", server.asked.at(-1)?.body);
          assert.deepEqual(sent.slice(0, said.length), said, "a fork goes on from a packed one");
          // A fork, whose parent is packed after it.
          assert.ok(await packAll(place) >= 2);
          const later = await run(codex.args({ prompt: "step:plain", id: fork }));
          assert.equal(later.code, 0, later.output);
          const parts = requestItems("responses", server.asked.at(-1)?.body);
          assert.deepEqual(parts.slice(0, said.length), said);
        }
        const again = await run(codex.args({ prompt: "step:plain", id }));
        assert.equal(again.code === 0, reads, again.output);
        if (!reads) return;
        const resumed = requestItems("responses", server.asked.at(-1)?.body);
        assert.deepEqual(resumed.slice(0, said.length), said);
        assert.ok(rollouts(place.home).includes(path), "a resume makes it plain");
      }),
  });
}

/** Lists threads from the files and the database, reads the packed one and forks it; gives the fork. */
async function listAndFork(place: Place, id: string): Promise<string> {
  assert.ok(command !== undefined);
  const app = new RunningClient(codex, command, place, ["app-server"], true);
  let number = 0;
  const ask = async (method: string, params: unknown): Promise<string> => {
    app.tell({ id: ++number, method, params });
    return await app.until(new RegExp(`("id":${number}\\b.*)\\n|"error".*"id":${number}\\b`)) ?? "";
  };
  await ask("initialize", { clientInfo: { name: "pack-test", version: "1.0.0" } });
  app.tell({ method: "initialized" });
  const sourceKinds = ["exec"];
  for (const useStateDbOnly of [false, true]) {
    const listed = await ask("thread/list", { sourceKinds, useStateDbOnly });
    assert.ok(listed.includes(id), listed);
  }
  const read = await ask("thread/read", { threadId: id, includeTurns: true });
  assert.match(read, /All seen\./);
  const forked = await ask("thread/fork", { threadId: id });
  assert.match(forked, /"forkedFromId":"/);
  await app.stop();
  return /"thread":\{"id":"([0-9a-f-]{36})"/.exec(forked)?.[1] ?? "";
}
