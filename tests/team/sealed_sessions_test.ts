import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { makeIdentity, recipientOf } from "../../lib/seal/mod.ts";
import { compress } from "../../lib/team/segment_codec.ts";
import { SessionKey } from "../../lib/team/sealed/session_key.ts";
import { syncStatus } from "../../lib/team/sync_status.ts";
import { Machine } from "../_support/machine.ts";
import { MemoryTeam } from "../_support/memory_team_store.ts";
import { withDirectory } from "../_support/temp_directory.ts";
import { testsIn } from "../_support/tests_in.ts";

const inPeople = testsIn(withPeople);

const place = { store: "s", owner: "ada", session: "x" };
const bytes = new TextEncoder().encode("a line\n");

interface People {
  team: MemoryTeam;
  laptop: Machine;
  desktop: Machine;
  /** The identities of two recipients. */
  ours: [string, string];
}

async function withPeople(test: (people: People) => Promise<void>): Promise<void> {
  const ours: [string, string] = [await makeIdentity(), await makeIdentity()];
  const recipients = await Promise.all(ours.map(recipientOf));
  await withDirectory(async (folder) => {
    const form = "sealed" as const;
    const [laptop, desktop] = ["laptop", "desktop"].map((label) =>
      new Machine({ folder: join(folder, label), label, form, recipients: [...recipients] })
    );
    assert.ok(laptop && desktop);
    await test({ team: new MemoryTeam(), laptop, desktop, ours });
  });
}

Deno.test("sealed bytes open at their own place alone", () => {
  const key = SessionKey.make(place);
  const sealed = key.sealSegment(bytes, 1, 0);
  assert.deepEqual(new Uint8Array(key.openSegment({ bytes: sealed, off: 0 }, 1)), bytes);
  const moved = [{ off: 1, n: 1 }, { off: 0, n: 2 }];
  for (const { off, n } of moved) {
    assert.throws(() => key.openSegment({ bytes: sealed, off }, n), { code: "damaged" });
  }
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice();
    changed[at] = (changed[at] ?? 0) ^ 1;
    assert.throws(() => key.openSegment({ bytes: changed, off: 0 }, 1), { code: "damaged" });
  }
  for (const length of [0, 12, 27]) {
    const short = { bytes: sealed.subarray(0, length), off: 0 };
    assert.throws(() => key.openSegment(short, 1), { code: "damaged" });
  }
  assert.throws(() => SessionKey.make(place).openSegment({ bytes: sealed, off: 0 }, 1), {
    code: "damaged",
  });
});

Deno.test("a sealed row opens again, and only as a row", () => {
  const key = SessionKey.make(place);
  const row = { title: "Amounts \u00e9", last_seq: 7 };
  assert.deepEqual(key.openRow(key.sealRow(row)), row);
  const sealed = Buffer.from(key.sealSegment(compress(bytes), 1, 0)).toString("base64");
  for (const other of [{ sealed }, {}, { sealed: "x" }]) {
    assert.throws(() => key.openRow(other), { code: "damaged" });
  }
});

inPeople.test("the store sees no text of a sealed session, and both recipients get all of it", async ({ team, laptop, desktop, ours }) => {
  const id = await laptop.write(["zebraterm in a prompt"]);
  await laptop.push(team.connect());
  const kept = JSON.stringify(
    [...team.sessions.values()].map(({ branches }) =>
      branches.map(({ segments, summary }) => [
        segments.map((one) => new TextDecoder("latin1").decode(one.bytes)),
        summary,
      ])
    ),
  );
  assert.doesNotMatch(kept, /zebraterm/);
  for (const identity of ours) {
    const pulled = await desktop.pull(team.connect(), { identities: [identity] });
    assert.deepEqual([pulled.adopted, pulled.sealed], [[id], []]);
    assert.equal(desktop.log(id), laptop.log(id));
    Deno.removeSync(desktop.root, { recursive: true });
  }
});

Deno.test("without an identity that fits nothing is written, and the next pull takes it", () =>
  withPeople(async ({ team, laptop, desktop, ours: [ours] }) => {
    const id = await laptop.write(["one"]);
    await laptop.push(team.connect());
    for (const identities of [[], [await makeIdentity()]]) {
      const pulled = await desktop.pull(team.connect(), { identities });
      assert.deepEqual([pulled.sealed, pulled.adopted], [[`team:${id}`], []]);
      assert.equal(desktop.logs().size + desktop.mirror().size, 0);
    }
    const pulled = await desktop.pull(team.connect(), { identities: [ours] });
    assert.deepEqual(pulled.adopted, [id]);
  }));

Deno.test("a sealed session goes on with its own key, from both machines", () =>
  withPeople(async ({ team, laptop, desktop, ours: [ours] }) => {
    const identities = [ours];
    const id = await laptop.write(["one"]);
    await laptop.push(team.connect());
    await laptop.continue(id, ["two"]);
    const [failed] = (await laptop.push(team.connect())).failed;
    assert.match(failed?.message ?? "", /^Cannot decrypt: it is encrypted; give --identity/);
    assert.equal((await laptop.push(team.connect(), { identities })).pushed, 1);
    await desktop.pull(team.connect(), { identities });
    await desktop.continue(id, ["three"]);
    assert.equal((await desktop.push(team.connect(), { identities })).pushed, 1);
    await laptop.pull(team.connect(), { identities });
    assert.equal(laptop.log(id), desktop.log(id));
  }));

Deno.test("after a pull of a sealed session the status has nothing to push", () =>
  withPeople(async ({ team, laptop, desktop, ours: [identity] }) => {
    const id = await laptop.write(["one"]);
    await laptop.push(team.connect());
    assert.deepEqual((await desktop.pull(team.connect(), { identities: [identity] })).adopted, [
      id,
    ]);
    const toPush = async ({ library, settings }: Machine): Promise<string[]> =>
      (await syncStatus(library, team.connect(), settings)).to_push;
    assert.deepEqual(await toPush(desktop), []);
    await desktop.continue(id, ["two"]);
    assert.deepEqual(await toPush(desktop), [id]);
  }));

Deno.test("a recipient who was removed opens no later session, a new one opens all", () =>
  withPeople(async ({ team, laptop, desktop, ours: [ours, removed] }) => {
    const before = await laptop.write(["one"]);
    await laptop.push(team.connect());
    const added = await makeIdentity();
    const [project] = laptop.settings.projects;
    assert.ok(project);
    project.recipients = [await recipientOf(ours), await recipientOf(added)];
    const after = await laptop.write(["two"]);
    const pushed = await laptop.push(team.connect(), { identities: [ours] });
    assert.deepEqual([pushed.pushed, pushed.failed], [1, []]);
    const late = await desktop.pull(team.connect(), { identities: [removed] });
    assert.deepEqual([late.adopted, late.sealed.length], [[], 2]);
    const all = await desktop.pull(team.connect(), { identities: [added] });
    assert.deepEqual(all.adopted.sort(), [before, after].sort());
  }));

inPeople.test("sessions of other agents are left out of a sealed project, and counted", async ({ team, laptop }) => {
  const [project] = laptop.settings.projects;
  assert.ok(project);
  project.agents = ["reprise", "claude"];
  const home = join(laptop.root, "..", "home");
  const folder = join(home, ".claude", "projects", "-app");
  Deno.mkdirSync(folder, { recursive: true });
  const line = { type: "user", uuid: "u1", sessionId: "8d1f", cwd: laptop.directory };
  const message = { role: "user", content: "hi" };
  const text = JSON.stringify({ ...line, message, timestamp: "2026-01-01T00:00:00Z" });
  Deno.writeTextFileSync(join(folder, "8d1f0000-0000-4000-8000-000000000001.jsonl"), text + "\n");
  const { settings, root } = laptop;
  const machine = new Machine({ folder: join(root, ".."), home, ...settings.projects[0] });
  const pushed = await machine.push(team.connect());
  assert.deepEqual([pushed.left_out, pushed.sessions], [1, 0]);
});
