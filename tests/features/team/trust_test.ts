/** What a store may put into the sessions of a machine: what a trusted machine signed, and no more. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { DeviceKey } from "../../../lib/features/team/branch_signature.ts";
import { nextHead, sha256 } from "../../../lib/features/team/branch_segments.ts";
import { readMarks } from "../../../lib/core/store/marks.ts";
import { syncStatus } from "../../../lib/features/team/sync_status.ts";
import type { TeamStore } from "../../../lib/features/team/team_store.ts";
import type { BranchSignature } from "../../../lib/features/team/team_store.ts";
import { deviceKey } from "../../../lib/features/team/state/device_key_file.ts";
import { Machine } from "../../_support/machine.ts";
import { MemoryTeam } from "../../_support/memory_team_store.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { testsIn } from "../../_support/tests_in.ts";

const inScene = testsIn(withScene);

interface Scene {
  laptop: Machine;
  desktop: Machine;
  team: MemoryTeam;
  /** A session of the laptop that both machines have. */
  id: string;
}

function withScene(test: (scene: Scene) => Promise<void>): Promise<void> {
  return withDirectory(async (folder) => {
    const laptop = new Machine({ folder: join(folder, "laptop") });
    const desktop = new Machine({ folder: join(folder, "desktop"), label: "desktop" });
    const team = new MemoryTeam();
    const id = await laptop.write(["one"]);
    await laptop.push(team.connect());
    await desktop.pull(team.connect());
    await test({ laptop, desktop, team, id });
  });
}

const FORGED = '{"v":1,"seq":99,"kind":"user_message","payload":{"content":"FORGED"}}\n';

type Forge = (end: { len: number; head: string }) => BranchSignature | undefined;

/** Appends to a branch as the store's owner can: past all functions. */
function forge({ team, id }: Scene, sign: Forge = () => undefined, text = FORGED): void {
  const branch = team.sessions.get(`ada\n${id}`)?.branches.at(-1);
  assert.ok(branch);
  const bytes = new TextEncoder().encode(text);
  const [sha, len] = [sha256(bytes), bytes.length];
  const head = nextHead(branch.head, sha);
  branch.segments.push({ off: branch.len, len, sha, head, codec: "plain", bytes });
  Object.assign(branch, { head, len: branch.len + len, changed_at: team.now() });
  delete branch.signed;
  const signed = sign(branch);
  if (signed !== undefined) branch.signed = signed;
}

/** What an owner of the store can put there as a signature; the laptop's own ones are all known to it. */
function forgeries(scene: Scene): Record<string, Forge> {
  const { laptop, team, id } = scene;
  const mine = team.sessions.get(`ada\n${id}`)?.branches[0]?.signed;
  assert.ok(mine);
  const other = new DeviceKey(randomBytes(32));
  const place = { store: team.id, owner: "ada", session: id, project: "example.org/app" };
  const key = deviceKey(laptop.root);
  return {
    "no signature": () => undefined,
    "the signature of an earlier end": () => mine,
    "the signature of another machine": (end) => other.sign({ ...place, ...end }),
    "another machine's signature under this one's key": (end) => ({
      ...other.sign({ ...place, ...end }),
      by: mine.by,
    }),
    "this machine's signature for another session": (end) =>
      key.sign({ ...place, ...end, session: crypto.randomUUID() }),
    "this machine's signature for another store": (end) =>
      key.sign({ ...place, ...end, store: crypto.randomUUID() }),
    "this machine's signature for another member": (end) =>
      key.sign({ ...place, ...end, owner: "mallory" }),
    "this machine's signature for another project": (end) =>
      key.sign({ ...place, ...end, project: "example.org/other" }),
    "this machine's signature of another length": ({ len, head }) =>
      key.sign({ ...place, head, len: len + 1 }),
    "a signature that is cut off": () => ({ ...mine, signature: mine.signature.slice(0, 20) }),
    "what is no signature": () => ({ ...mine, signature: "zz" }),
    "the weakest of all keys": () => ({ by: "01".padEnd(64, "0"), signature: "00".repeat(64) }),
    "what is no key": () => ({ by: "../../key", signature: mine.signature }),
  };
}

inScene.test("a store that appends to a log changes no log that is here", async (scene) => {
  const { laptop, team, id } = scene;
  const before = laptop.log(id);
  const honest = structuredClone(team.sessions.get(`ada\n${id}`));
  assert.ok(honest);
  for (const [name, sign] of Object.entries(forgeries(scene))) {
    team.sessions.set(`ada\n${id}`, structuredClone(honest));
    forge(scene, sign, FORGED.replace("FORGED", `FORGED with ${name}`));
    const pulled = await laptop.pull(team.connect());
    assert.equal(laptop.log(id), before, name);
    assert.deepEqual([pulled.untrusted, pulled.extended], [[`team:${id}`], []], name);
    assert.ok(laptop.mirror().get(id)?.includes(`FORGED with ${name}`));
  }
});

inScene.test("a session that the store made under the user's name is not among the sessions", async ({ laptop, team, id }) => {
  const made = crypto.randomUUID();
  const [known] = team.sessions.values();
  assert.ok(known);
  const copy = structuredClone(known);
  Object.assign(copy, { id: made });
  // With the signature of the session that it was copied from.
  for (const branch of copy.branches) branch.session = made;
  team.sessions.set(`ada\n${made}`, copy);
  const pulled = await laptop.pull(team.connect());
  assert.deepEqual([pulled.adopted, pulled.untrusted], [[], [`team:${made}`]]);
  assert.deepEqual([...laptop.logs().keys()], [id]);
});

inScene.test("a store's owner can leave sessions out, change marks, and speak as another member", async (scene) => {
  const { laptop, desktop, team, id } = scene;
  const left_out = await laptop.write(["left out"]);
  await laptop.push(team.connect());
  team.sessions.delete(`ada\n${left_out}`);
  const copy = structuredClone(team.sessions.get(`ada\n${id}`));
  const made = crypto.randomUUID();
  assert.ok(copy);
  Object.assign(copy, { id: made, owner: "ben" });
  for (const branch of copy.branches) Object.assign(branch, { session: made, owner: "ben" });
  team.sessions.set(`ben\n${made}`, copy);
  const values = { title: "Forged", archived: true, tags: ["forged"], pinned: true, note: "No" };
  for (const [field, value] of Object.entries(values)) {
    const mark = { ref: id, field, value, time: team.now(), device: "other", owner: "ada" };
    team.marks.push({ ...mark, seen: team.nextSeen() } as typeof team.marks[number]);
  }
  const pulled = await desktop.pull(team.connect());
  assert.deepEqual([pulled.untrusted, pulled.adopted, pulled.marks], [[], [], 5]);
  assert.deepEqual([...desktop.logs().keys()], [id]);
  assert.equal(desktop.mirror().get(`ben/${made}`), laptop.log(id));
  const marks = readMarks(desktop.root).get(id);
  assert.deepEqual([marks?.title?.value, marks?.note?.value], ["Forged", "No"]);
});

inScene.test("a session of an unknown machine is mirrored, and taken once the machine is trusted", async ({ laptop, desktop, team, id }) => {
  laptop.settings.trusted = [];
  const other = await desktop.write(["of the desktop"]);
  await desktop.continue(id, ["two"]);
  await desktop.push(team.connect());
  const before = laptop.log(id);
  for (let round = 0; round < 2; round++) {
    const pulled = await laptop.pull(team.connect());
    const refs = [`team:${id}`, `team:${other}`].sort();
    assert.deepEqual([pulled.untrusted.sort(), pulled.adopted, pulled.extended], [refs, [], []]);
  }
  assert.deepEqual([laptop.log(id), laptop.log(other)], [before, ""]);
  const { untrusted } = await syncStatus(laptop.library, team.connect(), laptop.settings);
  assert.deepEqual(untrusted.length, 2);
  laptop.settings.trusted = [deviceKey(desktop.root).id];
  const pulled = await laptop.pull(team.connect());
  assert.deepEqual([pulled.adopted, pulled.extended, pulled.untrusted], [[other], [id], []]);
  assert.deepEqual(laptop.logs(), desktop.logs());
  // What is among the sessions now is not in the mirror, too.
  assert.equal(laptop.mirror().size, 0);
  assert.equal((await laptop.pull(team.connect())).changed, 0);
  // A machine that was lost: what it signs from now on stays outside.
  laptop.settings.trusted = [];
  await desktop.continue(id, ["three"]);
  await desktop.push(team.connect());
  assert.deepEqual((await laptop.pull(team.connect())).untrusted, [`team:${id}`]);
});

inScene.test("rows of before signatures wait, and the next signature vouches for them", async ({ laptop, desktop, team, id }) => {
  await laptop.continue(id, ["two"]);
  await laptop.push(team.connect());
  const [session] = team.sessions.values();
  delete session?.branches[0]?.signed;
  assert.deepEqual((await desktop.pull(team.connect())).untrusted, [`team:${id}`]);
  await laptop.continue(id, ["three"]);
  await laptop.push(team.connect());
  const pulled = await desktop.pull(team.connect());
  assert.deepEqual([pulled.extended, pulled.untrusted], [[id], []]);
  assert.equal(desktop.log(id), laptop.log(id));
});

inScene.test("segments that lead to another end than the signed one are not written to a log", async (scene) => {
  const { laptop, desktop, team, id } = scene;
  await laptop.continue(id, ["two"]);
  await laptop.push(team.connect());
  await laptop.continue(id, ["three"]);
  await laptop.push(team.connect());
  const before = desktop.log(id);
  const honest = team.connect();
  // Hashes and heads as they were signed, and a chain of other bytes that fits itself.
  const store = new Proxy(honest, {
    get(target, name): unknown {
      if (name !== "segments") {
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      }
      return async function* (
        ...given: Parameters<TeamStore["segments"]>
      ): ReturnType<TeamStore["segments"]> {
        for await (const window of target.segments(...given)) {
          for (const one of window) {
            const bytes = new TextEncoder().encode(FORGED.padEnd(one.len - 1) + "\n");
            const prev = team.sessions.get(`ada\n${id}`)?.branches[0]?.segments
              .find(({ off, len }) => off + len === one.off)?.head ?? "";
            const sha = sha256(bytes.subarray(0, one.len));
            yield [{
              ...{ ...one, codec: "plain" as const, bytes: bytes.subarray(0, one.len) },
              ...{ sha, head: nextHead(prev, sha) },
            }];
          }
        }
      };
    },
  });
  const pulled = await desktop.pull(store);
  assert.deepEqual(pulled.extended, []);
  assert.equal(desktop.log(id), before);
  await desktop.pull(honest);
  assert.equal(desktop.log(id), laptop.log(id));
});

inDirectory.test("a machine's key is made once, readable by its owner alone, and damage is told", (folder) => {
  const root = join(folder, "root");
  const { id } = deviceKey(root);
  assert.equal(deviceKey(root).id, id);
  const path = join(root, "sync.key");
  assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
  Deno.writeTextFileSync(path, "");
  assert.throws(() => deviceKey(root), {
    code: "invalid-key",
    message: /the file contains no key/,
  });
  Deno.removeSync(path);
  Deno.symlinkSync(join(folder, "elsewhere"), path);
  assert.throws(() => deviceKey(root), { name: "SessionError" });
  return Promise.resolve();
});
