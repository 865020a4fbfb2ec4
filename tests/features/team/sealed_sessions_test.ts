import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { makeIdentity, recipientOf } from "../../../lib/text/seal/mod.ts";
import { nextHead, NO_HEAD, sha256 } from "../../../lib/features/team/branch_segments.ts";
import { compress } from "../../../lib/features/team/segment_codec.ts";
import { DeviceKey } from "../../../lib/features/team/branch_signature.ts";
import {
  type KeyPlace,
  type KeySignature,
  signKey,
} from "../../../lib/features/team/sealed/key_signature.ts";
import { countedKey, type NotedKey } from "../../../lib/features/team/sealed/key_trust.ts";
import { SessionKey } from "../../../lib/features/team/sealed/session_key.ts";
import { syncStatus } from "../../../lib/features/team/sync_status.ts";
import { textBelow } from "../../_support/files_below.ts";
import { FolderTeam } from "../../_support/folder_team.ts";
import { Machine } from "../../_support/machine.ts";
import { MemoryTeam } from "../../_support/memory_team_store.ts";
import { inDirectory, withDirectory } from "../../_support/temp_directory.ts";
import { testsIn } from "../../_support/tests_in.ts";

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

Deno.test("hashes of a sealed session need its keys, and former keys keep theirs", () => {
  const key = SessionKey.make(place);
  const [name, ...more] = key.hashes(bytes);
  assert.match(name ?? "", /^[0-9a-f]{64}$/);
  assert.deepEqual(more, []);
  assert.notEqual(name, sha256(bytes));
  assert.notDeepEqual(SessionKey.make(place).hashes(bytes), [name]);
  const [latest, former] = key.next().hashes(bytes);
  assert.notEqual(latest, name);
  assert.equal(former, name);
});

Deno.test("lengths of sealed bytes are few", () => {
  const key = SessionKey.make(place);
  const lengths = new Set<number>();
  for (let length = 0; length < 2000; length += 7) {
    const plain = new Uint8Array(length).fill(length);
    const sealed = key.sealSegment(plain, 1, 0);
    lengths.add(sealed.length);
    assert.deepEqual(new Uint8Array(key.openSegment({ bytes: sealed, off: 0 }, 1)), plain);
    assert.ok(sealed.length <= 40 + 1.25 * length, `${length}: ${sealed.length}`);
  }
  assert.ok(lengths.size <= 28, `${lengths.size}`);
});

inDirectory.test("a guess of sealed content is confirmed by no name and no head of the store", async (folder) => {
  const team = await new FolderTeam(join(folder, "share")).init();
  const identity = await makeIdentity();
  const recipients = [await recipientOf(identity)];
  const laptop = new Machine({ folder, form: "sealed", recipients });
  const id = await laptop.write(["the pin is 4711"]);
  await laptop.push(team.connect(), { identities: [identity] });
  const all = textBelow(team.folder);
  const log = laptop.log(id);
  let head = NO_HEAD;
  for (const end of [...log.matchAll(/\n/g)].map(({ index }) => index + 1)) {
    head = nextHead(NO_HEAD, sha256(new TextEncoder().encode(log.slice(0, end))));
    assert.ok(!all.includes(head.slice(0, 8)));
    assert.ok(!all.includes(sha256(new TextEncoder().encode(log.slice(0, end)))));
  }
  assert.notEqual(head, NO_HEAD);
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

/** The key of a session in the store, as an identity opens it. */
async function keyThere(team: MemoryTeam, identity: string): Promise<SessionKey> {
  const [session] = [...team.sessions.values()];
  const place = { store: team.id, owner: session?.owner ?? "", session: session?.id ?? "" };
  return await SessionKey.open(session?.keys ?? new Uint8Array(), place, [identity]);
}

Deno.test("a key counts if this machine used it last, or a trusted machine made it later", () => {
  const [own, other, stranger] = [1, 2, 3].map((byte) =>
    new DeviceKey(new Uint8Array(32).fill(byte))
  );
  assert.ok(own && other && stranger);
  const at = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;
  const here: KeyPlace = { ...place, claim: "c" };
  const signed = (by: DeviceKey, day: number, there: KeyPlace = here, key = "k"): KeySignature =>
    signKey(by, there, key, at(day));
  const noted = (is: string, by?: string): NotedKey => ({ is, made_at: at(2), ...(by && { by }) });
  const cases: [
    string,
    KeySignature[],
    NotedKey | undefined,
    string[],
    string | null | undefined,
  ][] = [
    // The signatures of key k, what is noted, who is trusted beside this machine; the voucher.
    ["unsigned", [], undefined, [], null],
    ["of this machine", [signed(own, 1)], undefined, [], undefined],
    [
      "of a trusted machine",
      [signed(stranger, 1), signed(other, 1)],
      undefined,
      [other.id],
      other.id,
    ],
    ["of a stranger", [signed(stranger, 9)], undefined, [other.id], null],
    ["of another session", [signed(own, 1, { ...here, session: "y" })], undefined, [], null],
    ["of another store", [signed(own, 1, { ...here, store: "t" })], undefined, [], null],
    ["of another claim", [signed(own, 1, { ...here, claim: "d" })], undefined, [], null],
    ["of another owner", [signed(own, 1, { ...here, owner: "ben" })], undefined, [], null],
    ["of another key", [signed(own, 1, here, "l")], undefined, [], null],
    ["under another name", [{ ...signed(stranger, 1), by: own.id }], undefined, [], null],
    ["used before", [], noted("k"), [], undefined],
    ["older than the noted one", [signed(own, 1)], noted("l"), [], null],
    ["later than the noted one", [signed(other, 3)], noted("l"), [other.id], other.id],
    [
      "of a machine that is trusted no longer",
      [signed(other, 1), signed(own, 1)],
      noted("k", other.id),
      [],
      null,
    ],
    [
      "of one that is, beside it",
      [signed(other, 1), signed(stranger, 1)],
      noted("k", stranger.id),
      [other.id],
      other.id,
    ],
    ["accepted by the user", [], undefined, ["k"], "k"],
    ["accepted, and replaced since", [], noted("l"), ["k"], null],
  ];
  for (const [name, signatures, used, keys, by] of cases) {
    const trust = { own: own.id, trusted: new Set([own.id, ...keys]), noted: used };
    const found = countedKey({ fingerprint: "k", place: here, signatures }, trust);
    assert.deepEqual(found === undefined ? null : found.by, by, name);
  }
});

inPeople.test("no line is sealed with a key that a stranger put into the store", async ({ team, laptop, ours: [identity] }) => {
  const identities = [identity];
  const id = await laptop.write(["one"]);
  const first = await laptop.push(team.connect());
  const [session] = team.sessions.values();
  const [owner, recipient] = [first.owner, await recipientOf(identity)];
  assert.ok(session?.keys);
  const former = session.keys;
  const strangers = SessionKey.make({ store: team.id, owner, session: id });
  const given = [await strangers.wrap([recipient], []), new Uint8Array([1]), undefined];
  for (const keys of given) {
    for (const one of team.sessions.values()) {
      if (keys === undefined) delete one.keys;
      else one.keys = keys;
    }
    await laptop.continue(id, ["more"]);
    const pushed = await laptop.push(team.connect(), { identities });
    assert.deepEqual([pushed.sealed_anew, pushed.failed], [[id], []]);
    const [segment] = [...team.sessions.values()][0]?.branches[0]?.segments ?? [];
    assert.ok(segment && segment.len > 0);
    assert.throws(() => strangers.openSegment(segment, 1), { code: "damaged" });
    (await keyThere(team, identity)).openSegment(segment, 1);
  }
  // One of this machine's own, from before: a recipient who was removed may know it.
  for (const one of team.sessions.values()) one.keys = former;
  await laptop.continue(id, ["more"]);
  assert.deepEqual((await laptop.push(team.connect(), { identities })).sealed_anew, [id]);
  await laptop.continue(id, ["more"]);
  assert.deepEqual((await laptop.push(team.connect(), { identities })).sealed_anew, []);
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
    assert.match(failed?.message ?? "", /^Cannot decrypt: the file is encrypted; give --identity/);
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
