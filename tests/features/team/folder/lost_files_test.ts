/** A folder that loses files: the machine that sent them sends them again. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeIdentity, recipientOf } from "../../../../lib/text/seal/mod.ts";
import { filesBelow } from "../../../_support/files_below.ts";
import { FolderTeam } from "../../../_support/folder_team.ts";
import { Machine, type MachineOptions } from "../../../_support/machine.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { testsIn } from "../../../_support/tests_in.ts";

interface Pair {
  laptop: Machine;
  desktop: Machine;
  team: FolderTeam;
}

function withPair(
  test: (pair: Pair) => Promise<void>,
  options: Partial<MachineOptions> = {},
): Promise<void> {
  return withDirectory(async (folder) => {
    const team = new FolderTeam(join(folder, "team"));
    await team.init();
    const machine = (label: string): Machine =>
      new Machine({ folder: join(folder, label), label, ...options });
    await test({ laptop: machine("laptop"), desktop: machine("desktop"), team });
  });
}

const inPair = testsIn(withPair);

/** The stored segments, in the order of their offsets. */
function segments({ folder }: FolderTeam): string[] {
  return filesBelow(join(folder, "v1", "segments"))
    .sort((one, other) => offOf(one) - offOf(other));
}

function offOf(path: string): number {
  return Number(/(\d+)-[^/]+$/.exec(path)?.[1]);
}

/** Pushes a session of three segments. */
async function pushThree({ laptop, team }: Pair): Promise<string> {
  const id = await laptop.write(["one"]);
  await laptop.push(team.connect());
  for (const prompt of ["two", "three"]) {
    await laptop.continue(id, [prompt]);
    await laptop.push(team.connect());
  }
  assert.equal(segments(team).length, 3);
  return id;
}

inPair.test("a check sends a lost file again under its name", async (pair) => {
  const { laptop, desktop, team } = pair;
  const id = await pushThree(pair);
  const [, second = ""] = segments(team);
  const bytes = Deno.readFileSync(second);
  Deno.removeSync(second);
  assert.deepEqual((await desktop.pull(team.connect())).incomplete, [`team:${id}`]);
  const { check } = await laptop.push(team.connect(), { check: true });
  assert.deepEqual(check, { sessions: 1, restored: 1, cut: [], lost: [] });
  assert.deepEqual(Deno.readFileSync(second), bytes);
  assert.deepEqual((await desktop.pull(team.connect())).adopted, [id]);
  assert.deepEqual(desktop.logs(), laptop.logs());
});

/** Changes one bit in the middle of a file. */
function flip(path: string): void {
  const bytes = Deno.readFileSync(path);
  const at = bytes.length >> 1;
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  Deno.writeFileSync(path, bytes);
}

inPair.test("a check sends each file again whose bytes changed, also at its end", async (pair) => {
  const { laptop, desktop, team } = pair;
  const id = await pushThree(pair);
  for (const path of segments(team).slice(1)) flip(path);
  const { check } = await laptop.push(team.connect(), { check: true });
  assert.deepEqual(check, { sessions: 1, restored: 2, cut: [], lost: [] });
  assert.deepEqual((await desktop.pull(team.connect())).adopted, [id]);
  assert.deepEqual(desktop.logs(), laptop.logs());
});

inPair.test("a check cuts a branch back if several files in a row are lost, and sends the rest", async (pair) => {
  const { laptop, desktop, team } = pair;
  const id = await pushThree(pair);
  for (const path of segments(team).slice(1)) Deno.removeSync(path);
  const { check } = await laptop.push(team.connect(), { check: true });
  assert.deepEqual(check, { sessions: 1, restored: 0, cut: [id], lost: [] });
  await desktop.pull(team.connect());
  assert.deepEqual(desktop.logs(), laptop.logs());
});

inPair.test("the first push of a day compares, and the later ones do not", async (pair) => {
  const { laptop, team } = pair;
  await pushThree(pair);
  const [first = ""] = segments(team);
  Deno.removeSync(first);
  const same_day = await laptop.push(team.connect());
  assert.equal(same_day.check, undefined);
  const now = (): Date => new Date(Date.now() + 24 * 60 * 60 * 1000);
  assert.equal((await laptop.push(team.connect(), { now })).check?.restored, 1);
  assert.equal((await laptop.push(team.connect(), { now })).check, undefined);
});

inPair.test("a machine that forgot what it sent sends lost files again", async (pair) => {
  const { laptop, team } = pair;
  await pushThree(pair);
  for (const path of segments(team)) Deno.removeSync(path);
  laptop.forget();
  const { check, failed } = await laptop.push(team.connect());
  assert.deepEqual([check?.cut.length, check?.lost, failed], [1, [], []]);
  assert.deepEqual((await laptop.push(team.connect(), { check: true })).check?.lost, []);
});

inPair.test("a pull that misses a file makes the next push compare", async (pair) => {
  const { laptop, team } = pair;
  const id = await pushThree(pair);
  const log = laptop.log(id);
  const [, , last = ""] = segments(team);
  Deno.removeSync(last);
  const found = await laptop.library.open(id);
  Deno.removeSync(join(found.path, ".."), { recursive: true });
  laptop.forget();
  assert.equal((await laptop.pull(team.connect())).failed.length, 1);
  const { check } = await laptop.push(team.connect());
  assert.equal(check?.lost.length, 1, log);
});

inPair.test("a check says what this machine cannot send again", async (pair) => {
  const { laptop, team } = pair;
  const id = await pushThree(pair);
  const [first = ""] = segments(team);
  Deno.removeSync(first);
  laptop.settings.projects = [];
  const { check } = await laptop.push(team.connect(), { check: true });
  assert.deepEqual([check?.restored, check?.lost[0]?.session], [0, id]);
  assert.match(
    check?.lost[0]?.message ?? "",
    /^the store lost bytes 0 to \d+ of this session\. This machine cannot/,
  );
});

Deno.test("a check sends a lost or changed file of a sealed session again", async () => {
  const identity = await makeIdentity();
  const options = { form: "sealed" as const, recipients: [await recipientOf(identity)] };
  await withPair(async (pair) => {
    const { laptop, desktop, team } = pair;
    const identities = [identity];
    const id = await laptop.write(["one"]);
    await laptop.push(team.connect(), { identities });
    await laptop.continue(id, ["two"]);
    await laptop.push(team.connect(), { identities });
    const [first = ""] = segments(team);
    Deno.removeSync(first);
    const { check } = await laptop.push(team.connect(), { identities, check: true });
    assert.deepEqual([check?.restored, check?.lost], [1, []]);
    flip(first);
    const { check: again } = await laptop.push(team.connect(), { identities, check: true });
    assert.deepEqual([again?.restored, again?.lost], [1, []]);
    await desktop.pull(team.connect(), { identities });
    assert.deepEqual(desktop.logs(), laptop.logs());
  }, options);
});

inPair.test("a check sends nothing that is new", async (pair) => {
  const { laptop, team } = pair;
  await pushThree(pair);
  await laptop.write(["new"]);
  const report = await laptop.push(team.connect(), { check: true });
  assert.deepEqual([report.pushed, report.check?.sessions], [0, 1]);
});
