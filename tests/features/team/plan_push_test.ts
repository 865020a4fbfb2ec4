import assert from "node:assert/strict";
import {
  type BranchEnds,
  commonParts,
  type HashedSegment,
  type LocalBytes,
  nextHead,
  NO_HEAD,
  segmentsOfBranch,
  sha256,
} from "../../../lib/features/team/branch_segments.ts";
import {
  type CopyHere,
  planPush,
  type PushPlan,
  type SessionToPush,
} from "../../../lib/features/team/push/plan_push.ts";

const encoder = new TextEncoder();

/** A store's branches in small: each text is a segment. */
class Branches {
  readonly branches: BranchEnds[] = [];
  readonly hashes: HashedSegment[] = [];

  add(texts: readonly string[], base?: { n: number; len: number }): this {
    const n = this.branches.length + 1;
    const below = base === undefined
      ? []
      : this.#segments(base.n).filter(({ off, len }) => off + len <= base.len);
    let off = base?.len ?? 0;
    let head = below.at(-1)?.head ?? NO_HEAD;
    for (const text of texts) {
      const bytes = encoder.encode(text);
      const sha = sha256(bytes);
      head = nextHead(head, sha);
      this.hashes.push({ n, off, len: bytes.length, sha, head });
      off += bytes.length;
    }
    this.branches.push({ n, len: off, head, ...(base === undefined ? {} : { base }) });
    return this;
  }

  plan(text: string): PushPlan {
    const local = localBytes(text);
    const parts = commonParts(this.branches, this.hashes, local);
    return planPush({ kind: "log", size: local.size, parts }, this.there());
  }

  /** The branches, all of one device. */
  there(): SessionToPush {
    const device = { id: "laptop", label: "laptop" };
    return { branches: this.branches.map((branch) => ({ ...branch, device })) };
  }

  #segments(n: number): HashedSegment[] {
    const branch = this.branches.find((one) => one.n === n);
    assert.ok(branch);
    return segmentsOfBranch(branch, this.branches, this.hashes);
  }
}

function localBytes(text: string): LocalBytes {
  const bytes = encoder.encode(text);
  return {
    size: bytes.length,
    read: (off, len) => bytes.subarray(off, off + len),
  };
}

Deno.test("a session that goes on behind its branch is appended there", () => {
  const store = new Branches().add(["a\n", "b\n"]);
  const plan = store.plan("a\nb\nc\n");
  assert.deepEqual(plan, { kind: "append", n: 1, len: 4, head: store.branches[0]?.head });
});

Deno.test("a session that is not shared yet is appended to its empty branch", () => {
  const plan = new Branches().add([]).plan("a\n");
  assert.deepEqual(plan, { kind: "append", n: 1, len: 0, head: NO_HEAD });
});

Deno.test("a session that ends at a segment's end of a longer branch is behind", () => {
  assert.deepEqual(new Branches().add(["a\n", "b\n"]).plan("a\n"), { kind: "behind", n: 1 });
});

Deno.test("a session that is equal to one branch and behind another has nothing to push", () => {
  const store = new Branches().add(["a\n", "b\n"]).add(["c\n"], { n: 1, len: 4 });
  const plan = store.plan("a\nb\n");
  assert.deepEqual(plan, { kind: "append", n: 1, len: 4, head: store.branches[0]?.head });
});

Deno.test("if both went on, a branch begins behind the last common segment", () => {
  const store = new Branches().add(["a\n", "b\n", "c\n"]);
  const plan = store.plan("a\nb\nx\n");
  const head = store.hashes[1]?.head;
  assert.deepEqual(plan, { kind: "branch", base: { n: 1, len: 4 }, head });
});

Deno.test("a branch begins on the one that holds the last common segment", () => {
  const store = new Branches().add(["a\n", "b\n"]).add(["x\n", "y\n"], { n: 1, len: 2 });
  const onFirst = store.plan("a\nq\n");
  assert.deepEqual(onFirst.kind === "branch" && onFirst.base, { n: 1, len: 2 });
  const onSecond = store.plan("a\nx\nq\n");
  assert.deepEqual(onSecond.kind === "branch" && onSecond.base, { n: 2, len: 4 });
});

Deno.test("the branch that has all of the session's beginning is gone on with", () => {
  const store = new Branches().add(["a\n", "b\n"]).add(["x\n"], { n: 1, len: 2 });
  const plan = store.plan("a\nx\ny\n");
  assert.deepEqual(plan, { kind: "append", n: 2, len: 4, head: store.branches[1]?.head });
});

Deno.test("a session that ends within a segment asks for its bytes", () => {
  const plan = new Branches().add(["a\n", "b\nc\n"]).plan("a\nb\n");
  assert.equal(plan.kind, "within");
  assert.ok(plan.kind === "within");
  assert.equal(plan.segment.off, 2);
  assert.equal(plan.else.kind, "branch");
});

Deno.test("a branch whose segments have a gap, or lie about the chain, is damaged", () => {
  const gap = new Branches().add(["a\n", "b\n", "c\n"]);
  gap.hashes.splice(1, 1);
  assert.throws(() => gap.plan("a\nb\n"), { code: "damaged" });
  const lie = new Branches().add(["a\n", "b\n"]);
  lie.hashes[1] = { ...lie.hashes[1] as HashedSegment, head: "00" };
  assert.throws(() => lie.plan("a\nb\n"), { code: "damaged" });
  const circle = new Branches().add(["a\n"]);
  circle.branches[0] = { ...circle.branches[0] as BranchEnds, base: { n: 1, len: 2 } };
  assert.throws(() => circle.plan("a\nb\n"), { code: "damaged" });
});

Deno.test("segments that came after the branch was asked for are left out", () => {
  const store = new Branches().add(["a\n", "b\n"]);
  const head = store.hashes[0]?.head ?? "";
  const branches = [{ n: 1, len: 2, head }];
  const parts = commonParts(branches, store.hashes, localBytes("a\nb\n"));
  assert.deepEqual(parts.map(({ len }) => len), [2]);
});

Deno.test("goes on where the last push ended, and begins the first branch of a new session", () => {
  const known = { n: 2, len: 4, head: "00" };
  const there = new Branches().add(["a\n"]).there();
  const here = { kind: "log", size: 9, parts: [] } as const;
  assert.deepEqual(planPush({ ...here, known }, there), { kind: "append", ...known });
  const first = { kind: "append", n: 1, len: 0, head: NO_HEAD };
  assert.deepEqual(planPush(here, { branches: [] }), first);
});

/** A copy that has the first line of a branch. */
function copyAt(store: Branches, device: string, is_prefix: boolean): CopyHere {
  const head = store.hashes[0]?.head ?? "";
  return { kind: "copy", device, n: 1, common: { len: 2, head, held_by: 1 }, is_prefix };
}

Deno.test("a copy is cut back by its own device, where no other branch begins behind that", () => {
  const store = new Branches().add(["a\n", "b\n"]);
  const [head, end] = store.hashes.map((segment) => segment.head);
  const own = planPush(copyAt(store, "laptop", false), store.there());
  assert.deepEqual(own, { kind: "rewind", n: 1, end, len: 2, head });
  store.add(["c\n"], { n: 1, len: 4 });
  const based = planPush(copyAt(store, "laptop", false), store.there());
  assert.deepEqual(based, { kind: "branch", base: { n: 1, len: 2 }, head });
});

Deno.test("a copy of another device is behind, or begins a branch", () => {
  const store = new Branches().add(["a\n", "b\n"]);
  const behind = planPush(copyAt(store, "desktop", true), store.there());
  assert.deepEqual(behind, { kind: "behind", n: 1 });
  const other = planPush(copyAt(store, "desktop", false), store.there());
  assert.equal(other.kind, "branch");
});

Deno.test("a copy goes on where its branch ends, or begins the first branch", () => {
  const store = new Branches().add(["a\n"]);
  const here = copyAt(store, "desktop", false);
  const { common: { len, head } } = here;
  assert.deepEqual(planPush(here, store.there()), { kind: "append", n: 1, len, head });
  const none = { ...here, n: undefined, common: { len: 0, head: NO_HEAD, held_by: 1 } };
  const first = { kind: "append", n: 1, len: 0, head: NO_HEAD };
  assert.deepEqual(planPush(none, { branches: [] }), first);
});
