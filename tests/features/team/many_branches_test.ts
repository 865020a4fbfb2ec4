/** Sessions with more branches than machines make: they hold nobody up. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { partsOf } from "../../../lib/features/team/branch_segments.ts";
import { MAX_BRANCHES } from "../../../lib/features/team/team_store.ts";
import { syncStatus } from "../../../lib/features/team/sync_status.ts";
import { Machine } from "../../_support/machine.ts";
import { MemoryTeam } from "../../_support/memory_team_store.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

/** Puts branches behind each other, as a member's own SQL can: each leaves the one before. */
function chain(team: MemoryTeam, session: string, count: number): void {
  const branches = team.sessions.get(session)?.branches ?? [];
  const [first] = branches;
  const [segment] = first?.segments ?? [];
  assert.ok(first && segment);
  for (let n = 2; n <= count; n++) {
    const base = { n: n - 1, len: segment.len };
    const end = { n, base, len: segment.len, head: segment.head, changed_at: team.now() };
    branches.push({ ...first, ...end, segments: [] });
  }
}

async function withMany(
  count: number,
  test: (scene: { ada: Machine; ben: Machine; team: MemoryTeam; id: string }) => Promise<void>,
): Promise<void> {
  await withDirectory(async (folder) => {
    const ada = new Machine({ folder: join(folder, "ada") });
    const ben = new Machine({ folder: join(folder, "ben"), label: "ben" });
    const team = new MemoryTeam();
    const id = await ada.write(["one"]);
    await ada.push(team.connect());
    chain(team, `ada\n${id}`, count);
    await test({ ada, ben, team, id });
  });
}

// Slow: it pulls as many branches as a session may have.
Deno.test("all branches that a session may have are pulled, each whole", () =>
  withMany(MAX_BRANCHES, async ({ ada, ben, team, id }) => {
    const pulled = await ben.pull(team.connect("ben"));
    assert.deepEqual([pulled.mirrored.length, pulled.failed], [MAX_BRANCHES, []]);
    const logs = new Set(ben.mirror().values());
    assert.deepEqual([...logs], [ada.log(id)]);
  }));

Deno.test("a session with more branches than it may have is told once, and stops no other", () =>
  withMany(MAX_BRANCHES + 1, async ({ ada, ben, team, id }) => {
    const other = await ada.write(["another"]);
    // Its own machine does not go on with it either, and says so.
    await ada.continue(id, ["two"]);
    ada.forget();
    const pushed = await ada.push(team.connect());
    assert.deepEqual(pushed.failed.map(({ session }) => session), [id]);
    assert.match(
      pushed.failed[0]?.message ?? "",
      /the session has 101 branches, and the limit is 100/,
    );
    const pulled = await ben.pull(team.connect("ben"));
    assert.deepEqual(pulled.mirrored, [`team:ada/${other}`]);
    assert.equal(pulled.failed.length, 1);
    assert.match(pulled.failed[0]?.message ?? "", /^Cannot read branches: the session has 101/);
    assert.deepEqual((await ada.pull(team.connect())).failed.length, 1);
    assert.deepEqual((await syncStatus(ada.library, team.connect(), ada.settings)).diverged, []);
  }));

Deno.test("a chain of branches gives its parts from the first byte on, and no more than it may", () => {
  const branches = Array.from(
    { length: MAX_BRANCHES },
    (_, index) => index === 0 ? { n: 1 } : { n: index + 1, base: { n: index, len: index * 10 } },
  );
  const parts = partsOf(MAX_BRANCHES, branches);
  assert.deepEqual(parts.map(({ n }) => n), branches.map(({ n }) => n));
  assert.deepEqual(parts.map(({ to }) => to).slice(0, 2), [10, 20]);
  assert.equal(parts.at(-1)?.to, Infinity);
  assert.throws(() => partsOf(1, [...branches, { n: 999 }]), { code: "too-large" });
});
