import assert from "node:assert/strict";
import {
  type CopyPart,
  currentParts,
  parsePart,
  partName,
  sumOfNames,
} from "../../../../lib/features/team/objects/copy_parts.ts";
import {
  fitsKey,
  hashedName,
  headKey,
  parseCopyKey,
  parseHeadKey,
  sessionCopy,
} from "../../../../lib/features/team/objects/object_keys.ts";

const DEVICE = "11111111-1111-4111-8111-111111111111";

function part(edition: number, off: number, len: number, at = 1): CopyPart {
  const facts = { edition, off, len, sha: "a".repeat(32), at, size: 9, codec: "zst" } as const;
  return { ...facts, name: partName(facts) };
}

function ends(parts: readonly CopyPart[]): [parts: string[], is_whole: boolean] {
  const { parts: current, is_whole } = currentParts(parts);
  return [current.map(({ edition, off, len }) => `${edition}:${off}+${len}`), is_whole];
}

Deno.test("a part's name gives the part again, and other names give none", () => {
  const one = part(2, 10, 5);
  assert.deepEqual(parsePart(one.name), one);
  for (const name of ["", "x", `${one.name}.sync-conflict`, one.name.replace("zst", "sealed")]) {
    assert.equal(parsePart(name), undefined);
  }
});

Deno.test("parts of a later edition replace those from their offset on, in any order", () => {
  const all = [part(1, 0, 10), part(1, 10, 5), part(1, 15, 5), part(2, 10, 7), part(2, 17, 1)];
  for (const order of [all, all.toReversed(), [...all.slice(2), ...all.slice(0, 2)]]) {
    assert.deepEqual(ends(order), [["1:0+10", "2:10+7", "2:17+1"], true]);
  }
  // An empty part ends a copy that became shorter.
  assert.deepEqual(ends([part(1, 0, 10), part(1, 10, 5), part(2, 10, 0)]), [
    ["1:0+10", "2:10+0"],
    true,
  ]);
});

Deno.test("the part that was sent later counts, of two at one place", () => {
  assert.deepEqual(ends([part(1, 0, 10, 5), part(1, 0, 20, 4)]), [["1:0+10"], true]);
  assert.deepEqual(ends([part(1, 0, 10, 4), part(1, 0, 20, 4)]), [["1:0+20"], true]);
});

Deno.test("a copy with a gap is not whole", () => {
  assert.deepEqual(ends([part(1, 0, 10), part(1, 15, 5)])[1], false);
  assert.deepEqual(ends([part(1, 5, 10)])[1], false);
  assert.deepEqual(ends([]), [[], true]);
});

Deno.test("the sum of names is the same in any order, and differs if one is missing", () => {
  const names = ["a", "b", "c"];
  assert.deepEqual(sumOfNames(names), sumOfNames(names.toReversed()));
  assert.notEqual(sumOfNames(names).sum, sumOfNames(["a", "b", "d"]).sum);
});

Deno.test("a session's name in a key is a safe file name, and gives the session again", () => {
  const place = { owner: "Béa/x", device: DEVICE, project: "example.org/app" };
  const prefix = `v1/copies/`;
  for (const session of ["claude:3F6a_b.c-1", "3f6a2b91-0000-4000-8000-000000000001"]) {
    const key = `${sessionCopy(place, session)}${part(1, 0, 1).name}`;
    assert.match(key, /^[a-z0-9/._-]+$/);
    const below = key.slice(key.indexOf(DEVICE) + DEVICE.length + 1);
    assert.equal(parseCopyKey(below)?.session, session);
    assert.equal(parseCopyKey(below)?.project, hashedName("example.org/app"));
    assert.ok(key.startsWith(prefix));
  }
  for (const odd of ["../x", "u-a_2f_b", `u-${"a".repeat(201)}`]) {
    assert.equal(parseCopyKey(`p-${"a".repeat(32)}/${odd}/x`), undefined);
  }
  assert.equal(fitsKey("claude:3f6a"), true);
  assert.equal(fitsKey("X".repeat(60)), false);
});

Deno.test("the key of a head names its machine and project, and those of others none", () => {
  const key = headKey({ owner: "ann", device: DEVICE, project: "p" });
  assert.deepEqual(parseHeadKey(key), { device: DEVICE, project: hashedName("p") });
  for (const other of [`${key}.tmp`, key.replace("p-", "m-"), "v1/heads/store.json"]) {
    assert.equal(parseHeadKey(other), undefined);
  }
});
