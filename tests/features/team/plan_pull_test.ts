import assert from "node:assert/strict";
import {
  commonParts,
  type HashedSegment,
  nextHead,
  NO_HEAD,
  sha256,
} from "../../../lib/features/team/branch_segments.ts";
import type { SharedBranch } from "../../../lib/features/team/team_store.ts";
import {
  planPull,
  type PullPlan,
  type SessionHere,
  type SessionToPull,
} from "../../../lib/features/team/pull/plan_pull.ts";

const encoder = new TextEncoder();

/** Branches of a session of the user: each text is a segment. */
function branchesOf(...branches: readonly (readonly string[])[]): SessionToPull {
  const hashes: HashedSegment[] = [];
  const all = branches.map((texts, index): SharedBranch => {
    const n = index + 1;
    let [off, head] = [0, NO_HEAD];
    for (const text of texts) {
      const sha = sha256(encoder.encode(text));
      head = nextHead(head, sha);
      hashes.push({ n, off, len: text.length, sha, head });
      off += text.length;
    }
    return {
      ...{ owner: "ada", session: "s", n, device: { id: "d", label: "laptop" }, len: off, head },
      ...{ project: "p", form: "log", visible: "team", changed_at: `2026-11-2${n}T00:00:00.000Z` },
    };
  });
  return { changed: all, all, hashes, is_own: true, trusted: new Set(all.map(({ n }) => n)) };
}

const NOTHING: SessionHere = { was_removed: false, mirrored: new Map() };

/** A machine that has a log. */
function withLog(text: string, { all, hashes }: SessionToPull, size = text.length): SessionHere {
  const bytes = encoder.encode(text);
  const read = (off: number, len: number): Uint8Array => bytes.subarray(off, off + len);
  return {
    ...NOTHING,
    log: { size, parts: commonParts(all, hashes, { size: text.length, read }) },
  };
}

/** The steps in short: place, branch, first byte, list of the report. */
function steps({ steps }: PullPlan): unknown[] {
  return steps.map(({ into, branch: { n }, from, told }) => [into, n, from, told]);
}

Deno.test("takes the newest trusted branch as the session, and mirrors the others", () => {
  const there = branchesOf(["a\n"], ["b\n"], ["c\n"]);
  const plan = planPull({ ...there, trusted: new Set([1, 2]) }, NOTHING);
  assert.deepEqual(steps(plan), [
    ["mirror", 3, 0, "untrusted"],
    ["session", 2, 0, undefined],
    ["mirror", 1, 0, "diverged"],
  ]);
  assert.equal(plan.steps[0]?.branch.is_untrusted, true);
});

Deno.test("mirrors sessions of others, and own ones that were deleted here", () => {
  const there = branchesOf(["a\n"], ["b\n"]);
  const mirrored = [["mirror", 1, 0, undefined], ["mirror", 2, 0, undefined]];
  assert.deepEqual(steps(planPull({ ...there, is_own: false }, NOTHING)), mirrored);
  assert.deepEqual(steps(planPull(there, { ...NOTHING, was_removed: true })), mirrored);
});

Deno.test("a mirror gets what follows, or the whole branch where that does not fit", () => {
  const there = { ...branchesOf(["a\n", "b\n"]), is_own: false };
  const head = there.hashes[0]?.head ?? "";
  const [step] = planPull(there, { ...NOTHING, mirrored: new Map([[1, { len: 2, head }]]) }).steps;
  assert.deepEqual([step?.from, step?.size, step?.head], [2, 2, head]);
  assert.deepEqual([step?.instead?.from, step?.instead?.size], [0, 0]);
  const cut_back = planPull(there, { ...NOTHING, mirrored: new Map([[1, { len: 9, head }]]) });
  assert.deepEqual(steps(cut_back), [["mirror", 1, 0, undefined]]);
});

Deno.test("extends a log by the newest branch that goes on where it ends", () => {
  const there = branchesOf(["a\n", "b\n"], ["a\n", "c\n"], ["x\n"]);
  const plan = planPull(there, withLog("a\n", there));
  assert.deepEqual(steps(plan), [
    ["mirror", 3, 0, "diverged"],
    ["mirror", 1, 0, "diverged"],
    ["log", 2, 2, undefined],
  ]);
  const heads = there.hashes.filter(({ n }) => n === 2).map(({ head }) => head);
  assert.deepEqual(plan.steps[2]?.heads, new Set(heads));
  assert.equal(plan.steps[2]?.instead?.told, "diverged");
});

Deno.test("extends a torn log from the last common segment", () => {
  const there = branchesOf(["a\n", "bb\n"]);
  const [step] = planPull(there, withLog("a\n", there, 3)).steps;
  assert.deepEqual([step?.into, step?.from, step?.size], ["log", 2, 3]);
});

Deno.test("no untrusted branch enters a log, and branches that did not change stay", () => {
  const there = branchesOf(["a\n", "b\n"], ["x\n"]);
  const changed = there.all.slice(0, 1);
  const plan = planPull({ ...there, changed, trusted: new Set() }, withLog("a\n", there));
  assert.deepEqual(steps(plan), [["mirror", 1, 0, "untrusted"]]);
});

Deno.test("a log that ends as its branch needs no step", () => {
  const there = branchesOf(["a\n", "b\n"]);
  const plan = planPull(there, withLog("a\nb\n", there));
  assert.deepEqual([plan.steps, plan.same], [[], there.all[0]]);
});
