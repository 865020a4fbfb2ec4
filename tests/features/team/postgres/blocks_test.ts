/** Small segments become one block in the store: shorter, and the same bytes to whoever reads. */
import assert from "node:assert/strict";
import { joinBytes } from "../../../../lib/core/event/bytes.ts";
import { nextHead, NO_HEAD, sha256 } from "../../../../lib/features/team/branch_segments.ts";
import { openTeamStore } from "../../../../lib/features/team/postgres/postgres_store.ts";
import { compareStream } from "../../../../lib/features/team/push/compare_log.ts";
import { foldSegments } from "../../../../lib/features/team/push/fold_segments.ts";
import { SessionKey } from "../../../../lib/features/team/sealed/session_key.ts";
import { checkedBytes, compress, packBytes } from "../../../../lib/features/team/segment_codec.ts";
import type {
  SegmentToAppend,
  SharedForm,
  TeamStore,
} from "../../../../lib/features/team/team_store.ts";
import { Machine } from "../../../_support/machine.ts";
import { needing } from "../../../_support/needing.ts";
import { onPostgres, POSTGRES } from "../../../_support/postgres.ts";
import { makeStore, withTeamHomes } from "../../../_support/team_homes.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

const DEVICE = { id: "11111111-1111-4111-8111-111111111111", label: "laptop" };
const SIZE = 12 * 1024;
const COUNT = 100;

/** A line as a session has it: most of it stands in other lines too. */
function line(index: number): Uint8Array {
  const words = Array.from({ length: SIZE / 8 }, (_, at) => `word${(index * 7 + at * 13) % 997}`);
  return new TextEncoder().encode(`${JSON.stringify({ index, text: words.join(" ") })}\n`);
}

/** Pushes lines, each as a segment. */
async function pushLines(
  store: TeamStore,
  session: string,
  form: SharedForm,
  key?: SessionKey,
): Promise<Uint8Array> {
  const terms = { project: "p", form, visible: "team" } as const;
  await store.claim([{ id: session, ...terms, ...key && { keys: new Uint8Array(1) } }], DEVICE.id);
  let [off, prev] = [0, NO_HEAD];
  const lines = Array.from({ length: COUNT }, (_, index) => line(index));
  const segments = lines.map((bytes): SegmentToAppend => {
    const sha = sha256(bytes);
    const packed = key === undefined
      ? packBytes(bytes)
      : { codec: "sealed" as const, bytes: key.sealSegment(compress(bytes), 1, off) };
    const segment = { session, n: 1, off, prev, len: bytes.length, sha, ...terms, ...packed };
    off += bytes.length;
    prev = nextHead(prev, sha);
    return segment;
  });
  const told = await store.append(segments);
  assert.ok(told.every(({ status }) => status === "appended"));
  return joinBytes(lines);
}

/** Reads a branch from an offset on. */
async function readFrom(
  store: TeamStore,
  session: string,
  from: number,
  head: string,
  key?: SessionKey,
): Promise<{ plain: Uint8Array; stored: number }> {
  const plain: Uint8Array[] = [];
  const stored = new Set<Uint8Array>();
  for await (const window of store.segments([{ owner: "ann", session, n: 1, from }])) {
    for (const segment of window) {
      plain.push(checkedBytes(segment, head, key && ((one, n) => key.openSegment(one, n))).slice());
      stored.add(segment.bytes);
      ({ head } = segment);
    }
  }
  const sum = [...stored].reduce((bytes, one) => bytes + one.length, 0);
  return { plain: joinBytes(plain), stored: sum };
}

// Slow: each form needs 1.2 MB of segments for a block of the longest kind.
onPostgres.test("segments that are stored as one read as before, from each of their ends", async (test) => {
  await withTeamHomes(async (team) => {
    await makeStore(team);
    await using store = await openTeamStore(team.address("ann"));
    const { id } = await store.hello(DEVICE);
    for (const form of ["log", "copy", "sealed"] as const) {
      await test.step(form, async () => {
        const place = { store: id, owner: "ann", session: form };
        const key = form === "sealed" ? SessionKey.make(place) : undefined;
        const all = await pushLines(store, form, form, key);
        const before = await readFrom(store, form, 0, NO_HEAD, key);
        await foldSegments(store, { owner: "ann", session: form, n: 1 }, key);
        const after = await readFrom(store, form, 0, NO_HEAD, key);
        assert.equal(sha256(after.plain), sha256(all));
        assert.ok(before.stored > 2 * after.stored, `${before.stored} ${after.stored}`);
        const hashes = await store.hashes([form]);
        assert.ok(hashes.filter(({ block }) => block === 0).length > 50);
        for (const at of [1, 40, COUNT - 1]) {
          const { off, head } = { ...hashes[at], head: hashes[at - 1]?.head ?? "" };
          const { plain } = await readFrom(store, form, off ?? 0, head, key);
          assert.equal(sha256(plain), sha256(all.subarray(off)));
        }
        // Another device does the same at once, or later.
        await foldSegments(store, { owner: "ann", session: form, n: 1 }, key);
        const again = await readFrom(store, form, 0, NO_HEAD, key);
        assert.equal(sha256(again.plain), sha256(all));
        const stored =
          "select sum(stored), (select sum(octet_length(bytes)) from reprise.segment s " +
          `where s.session = b.session) from reprise.branch b where session = '${form}' group by session`;
        const [counted, is] = (await team.sql(stored)).split("|");
        assert.equal(counted, is);
      });
    }
    await test.step("a copy that differs within a block is cut before it", async () => {
      const hashes = await store.hashes(["copy"]);
      const lines = Array.from({ length: COUNT }, (_, index) => line(index));
      const changed = lines.with(40, line(4000));
      const chunks = (async function* (): AsyncGenerator<Uint8Array, void> {
        yield* changed;
      })();
      const { common, is_prefix, rest } = await compareStream(chunks, hashes);
      assert.deepEqual([common.len, common.head, is_prefix], [0, NO_HEAD, false]);
      const sent: Uint8Array[] = [];
      for await (const { bytes } of rest) sent.push(bytes.slice());
      assert.equal(sha256(joinBytes(sent)), sha256(joinBytes(changed)));
      const head = hashes.at(-1)?.head ?? "";
      await assert.rejects(store.rewind("copy", 1, head, hashes[40]?.off ?? 0), /within a block/);
      assert.equal(await store.rewind("copy", 1, head, 0), true);
    });
  });
});

Deno.test({
  ...needing("a session of 25 small pushes is stored in blocks, and pulled as it was", POSTGRES),
  fn: () =>
    withDirectory((folder) =>
      withTeamHomes(async (team) => {
        await makeStore(team);
        await using store = await openTeamStore(team.address("ann"));
        const [laptop, desktop] = ["laptop", "desktop"].map((name) =>
          new Machine({ folder: `${folder}/${name}`, label: name })
        );
        assert.ok(laptop && desktop);
        const prompt = (at: number): string =>
          Array.from({ length: 320 }, (_, word) => `word${(at * 7 + word * 13) % 997}`).join(" ");
        const id = await laptop.write([prompt(0)]);
        for (let at = 1; at <= 25; at++) {
          await laptop.continue(id, [prompt(at)]);
          await laptop.push(store);
        }
        const [rows, len, stored] = (await team.sql(
          "select count(*), sum(len), sum(octet_length(bytes)) from reprise.segment",
        )).split("|").map(Number);
        assert.ok(
          (len ?? 0) > 6 * (stored ?? 0),
          `${rows} segments, ${len} bytes, ${stored} stored`,
        );
        await desktop.pull(store);
        assert.equal(desktop.log(id), laptop.log(id));
      })
    ),
});
