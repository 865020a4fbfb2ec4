/** The contract of a team's store, as tests that every engine passes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { SessionError } from "../../../../lib/core/event/session_error.ts";
import {
  nextHead,
  NO_HEAD,
  segmentsOfBranch,
  sha256,
} from "../../../../lib/features/team/branch_segments.ts";
import { decompress } from "../../../../lib/features/team/segment_codec.ts";
import type {
  SegmentToAppend,
  SessionClaim,
  SharedBranch,
  SharingTerms,
  TeamStore,
} from "../../../../lib/features/team/team_store.ts";
import type { Cut } from "../../../_support/cut_objects.ts";
import { Machine } from "../../../_support/machine.ts";
import { needing, type Requirement } from "../../../_support/needing.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";
import { ALL_TORTURE } from "../../../_support/torture.ts";

/** An empty store, and connections to it. */
export interface TeamPlace {
  /** Connects a member, `ada` or `ben`, until a request at which the connection ends. */
  connect(member: string, cut?: Cut): Promise<TeamStore>;
  /** Changes bytes of all segments that are stored. */
  spoil(): Promise<void>;
}

/** An engine under test. */
export interface TeamEngine {
  name: string;
  needs?: readonly Requirement[];
  /**
   * The first place at which the usual run cuts a connection, and the step to the next one. Stores of
   * objects are asked alike, so that they share the places. @default {[2, 3]}
   */
  cuts?: readonly [first: number, step: number];
  /** Runs tests, each of which makes an empty store. */
  withPlaces(test: (newPlace: () => Promise<TeamPlace>) => Promise<void>): Promise<void>;
}

/** Two devices of ada and one of ben, each with a connection. */
interface Members extends Required<Pick<TeamEngine, "cuts">> {
  place: TeamPlace;
  laptop: TeamStore;
  desktop: TeamStore;
  ben: TeamStore;
}

const DEVICES = {
  laptop: { id: "11111111-1111-4111-8111-111111111111", label: "laptop" },
  desktop: { id: "22222222-2222-4222-8222-222222222222", label: "desktop" },
  ben: { id: "33333333-3333-4333-8333-333333333333", label: "phone" },
};
const TERMS: SharingTerms = { project: "p", form: "log", visible: "team" };
const text = new TextEncoder();

function claimed(id: string, terms: Partial<SessionClaim> = {}): SessionClaim {
  return { id, ...TERMS, ...terms };
}

/** Lines behind a place of a branch. */
function lines(
  session: string,
  { n = 1, len: off = 0, head: prev = NO_HEAD }: Partial<Pick<SharedBranch, "n" | "len" | "head">>,
  plain: string,
  terms: Partial<SharingTerms> = {},
): SegmentToAppend {
  const bytes = text.encode(plain);
  const place = { session, n, off, prev, len: bytes.length, sha: sha256(bytes) };
  return { ...place, ...TERMS, ...terms, codec: "plain", bytes };
}

/** Shares a session of one segment. */
async function share(
  store: TeamStore,
  device: keyof typeof DEVICES,
  id: string,
  plain: string,
  terms: Partial<SessionClaim> = {},
): Promise<{ n: number; len: number; head: string }> {
  const told = await store.claim([claimed(id, terms)], DEVICES[device].id);
  assert.deepEqual([...told], [[id, "open"]]);
  const { keys: _keys, replace: _replace, anew: _anew, ...shared } = terms;
  const [outcome] = await store.append([lines(id, {}, plain, shared)]);
  assert.equal(outcome?.status, "appended");
  return { n: 1, len: outcome?.len ?? 0, head: outcome?.head ?? "" };
}

/** The text of each branch of a session, as a reader gets it. */
async function texts(store: TeamStore, owner: string, session: string): Promise<string[]> {
  const branches = await store.branches({ sessions: [session] });
  const found: string[] = [];
  for (const branch of branches.sort((one, other) => one.n - other.n)) {
    const base = branch.base === undefined
      ? ""
      : found[branch.base.n - 1]?.slice(0, branch.base.len);
    let own = "";
    for await (const window of store.segments([{ owner, session, n: branch.n, from: 0 }])) {
      for (const { codec, bytes, len } of window) {
        own += new TextDecoder().decode(codec === "zstd" ? decompress(bytes, len) : bytes);
      }
    }
    found.push(`${base}${own}`);
    assert.equal(found.at(-1)?.length, branch.len);
  }
  return found;
}

/** Work over a connection that ends: what it says, if it does not end before. */
async function untilCut<Result>(
  place: TeamPlace,
  cut: Cut,
  work: (store: TeamStore) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    await using store = await place.connect("ada", cut);
    return await work(store);
  } catch (error) {
    assert.ok(error instanceof SessionError && error.code === "unreachable", String(error));
    return undefined;
  }
}

async function withMachines(
  test: (laptop: Machine, desktop: Machine) => Promise<void>,
): Promise<void> {
  await withDirectory((folder) => {
    const machine = (label: string): Machine => new Machine({ folder: join(folder, label), label });
    return test(machine("laptop"), machine("desktop"));
  });
}

/** Sizes of logs: whole ones are too long to be compared in a message. */
function sizes(logs: ReadonlyMap<string, string>): string[] {
  return [...logs].map(([id, log]) => `${id} ${log.length}`).sort();
}

/** Cuts the pushes, pulls and withdrawals of two machines at every request. */
async function cutEverywhere({ place, cuts: [first, step] }: Members): Promise<void> {
  await withMachines(async (laptop, desktop) => {
    const id = await laptop.write(["one"]);
    await using here = await place.connect("ada");
    await using there = await place.connect("ada");
    await laptop.push(here);
    // Each request is cut before and behind it; in the usual run some are.
    const [begin, next] = ALL_TORTURE ? [2, 1] : [first, step];
    for (let round = begin, is_whole = false; !is_whole; round += next) {
      const [left, behind] = [Math.floor(round / 2), round % 2 === 1];
      await laptop.continue(id, [`cut at ${left}`]);
      const other = await laptop.write([`new, cut at ${left}`]);
      const pushed = await untilCut(place, { left, behind }, (cut) => laptop.push(cut));
      const pulled = await untilCut(place, { left, behind }, (cut) => desktop.pull(cut));
      const logs = laptop.logs();
      for (const [one, log] of desktop.logs()) {
        assert.ok(logs.get(one)?.startsWith(log), "a log has what was half written");
      }
      await desktop.pull(there);
      if (pushed !== undefined) assert.deepEqual(sizes(desktop.logs()), sizes(logs));
      const { failed, branches } = await laptop.push(here);
      assert.deepEqual([failed, branches], [[], []]);
      assert.deepEqual((await desktop.pull(there)).failed, []);
      assert.deepEqual([sizes(desktop.logs()), [...desktop.mirror().keys()]], [sizes(logs), []]);
      const told = await untilCut(place, { left, behind }, async (cut) => {
        await cut.hello(laptop.settings.device);
        return await cut.withdraw(other);
      });
      await laptop.pull(here);
      const listed = await here.branches({ sessions: [other] });
      if (told) assert.deepEqual(listed, []);
      // It is whole, or gone.
      if (listed.length > 0) assert.equal((await texts(here, "ada", other))[0], logs.get(other));
      is_whole = [pushed, pulled, told].every((one) => one !== undefined);
      assert.ok(left < 60, "it never ends");
    }
    assert.deepEqual(desktop.logs(), laptop.logs());
  });
}

const STEPS: Record<string, (members: Members) => Promise<void>> = {
  "a session is claimed under terms that stay": async ({ laptop, desktop }) => {
    await share(laptop, "laptop", "s", "one\n");
    assert.equal((await desktop.branches({ sessions: ["s"] })).length, 1);
    for (const other of [{ form: "copy" }, { project: "q" }, { visible: "private" }] as const) {
      const told = await desktop.claim([claimed("s", other)], DEVICES.desktop.id);
      assert.deepEqual([...told], [["s", "other-terms"]]);
    }
    assert.deepEqual([...await desktop.claim([claimed("s")], DEVICES.desktop.id)], [["s", "open"]]);
    assert.deepEqual(await texts(desktop, "ada", "s"), ["one\n"]);
  },
  "lines are appended once, and nothing behind another end": async ({ laptop }) => {
    const end = await share(laptop, "laptop", "s", "one\n");
    const [again] = await laptop.append([lines("s", {}, "one\n")]);
    assert.deepEqual(again, { status: "already", len: 4, head: end.head });
    const stale = [
      lines("s", {}, "two\n"),
      // As long as what is there, but other bytes.
      lines("s", { len: 4, head: nextHead(NO_HEAD, sha256(text.encode("ONE\n"))) }, "two\n"),
      lines("s", end, "two\n", { form: "copy" }),
    ];
    for (const segment of stale) {
      assert.deepEqual(await laptop.append([segment]), [{
        status: "moved",
        len: 4,
        head: end.head,
      }]);
    }
    const two = lines("s", end, "two\n");
    const three = lines("s", { len: 8, head: nextHead(end.head, two.sha) }, "three\n");
    const summary = { len: 14, made_by: "t", row: { title: "a\0b\ud800" } };
    const told = await laptop.append([two, { ...three, summary }]);
    assert.deepEqual(told.map(({ status, len }) => [status, len]), [["appended", 8], [
      "appended",
      14,
    ]]);
    assert.deepEqual(await texts(laptop, "ada", "s"), ["one\ntwo\nthree\n"]);
    const [row] = await laptop.summaries({ sessions: ["s"] });
    assert.match(`${row?.summary?.row.title}`, /^a.b.$/s);
    await assert.rejects(laptop.append([lines("t", {}, "x\n")]), {
      code: "permission",
      message: /not your session: t/,
    });
  },
  "another device goes on, and a device that did not look finds it moved": async (members) => {
    const { laptop, desktop } = members;
    const end = await share(laptop, "laptop", "s", "one\n");
    const [branch] = await desktop.branches({ mine: true, sessions: ["s"] });
    assert.deepEqual([branch?.len, branch?.head, branch?.device.label], [4, end.head, "laptop"]);
    const signed = { by: "ab".repeat(32), signature: "cd".repeat(64) };
    const [told] = await desktop.append([{ ...lines("s", end, "desktop\n"), signed }]);
    assert.equal(told?.status, "appended");
    const [seen] = await laptop.branches({ mine: true, sessions: ["s"] });
    assert.deepEqual([seen?.n, seen?.len, seen?.head, seen?.signed], [1, 12, told?.head, signed]);
    assert.equal((await laptop.append([lines("s", end, "laptop\n")]))[0]?.status, "moved");
    assert.deepEqual(await texts(laptop, "ada", "s"), ["one\ndesktop\n"]);
  },
  "two devices at once lose nothing": async ({ laptop, desktop }) => {
    const end = await share(laptop, "laptop", "s", "one\n");
    await desktop.branches();
    const told = await Promise.all([
      laptop.append([lines("s", end, "laptop\n")]),
      desktop.append([lines("s", end, "desktop\n")]),
    ]);
    const taken = ["laptop", "desktop"].filter((_name, at) => told[at]?.[0]?.status === "appended");
    assert.ok(taken.length > 0);
    const found = await texts(laptop, "ada", "s");
    for (const name of taken) assert.ok(found.includes(`one\n${name}\n`), name);
    assert.equal(found.length, taken.length);
  },
  "a branch begins behind a segment, and its hashes lead to its end": async (
    { laptop, desktop },
  ) => {
    const one = await share(laptop, "laptop", "s", "one\n");
    const [two] = await laptop.append([lines("s", one, "two\n")]);
    await desktop.branches();
    assert.equal(await desktop.branch("s", 0, DEVICES.desktop.id, { n: 1, len: 4 }), undefined);
    const n = await desktop.branch("s", 1, DEVICES.desktop.id, { n: 1, len: 4 });
    assert.equal(n, 2);
    const [told] = await desktop.append([lines("s", { ...one, n: 2 }, "other\n")]);
    assert.equal(told?.status, "appended");
    await laptop.branches();
    assert.equal(await laptop.branch("s", 1, DEVICES.laptop.id, { n: 1, len: 4 }), undefined);
    await assert.rejects(laptop.branch("s", 2, DEVICES.laptop.id, { n: 1, len: 5 }));
    assert.equal((await laptop.append([lines("s", { n: 1, ...two }, "three\n")]))[0]?.len, 14);
    assert.deepEqual(await texts(desktop, "ada", "s"), ["one\ntwo\nthree\n", "one\nother\n"]);
    const branches = await desktop.branches({ mine: true, sessions: ["s"] });
    const hashes = await desktop.hashes(["s"]);
    for (const branch of branches) assert.ok(segmentsOfBranch(branch, branches, hashes).length > 1);
    // From the first, and the whole of the other one.
    const ranges = [
      { owner: "ada", session: "s", n: 1, from: 4, to: 8 },
      { owner: "ada", session: "s", n: 2, from: 0 },
    ];
    const offs: number[] = [];
    for await (const window of desktop.segments(ranges)) offs.push(...window.map(({ off }) => off));
    assert.deepEqual(offs, [4, 4]);
  },
  "a copy is cut back and goes on, a log never": async ({ laptop }) => {
    const copy = { form: "copy" } as const;
    const one = await share(laptop, "laptop", "s", "one\n", copy);
    const [two] = await laptop.append([lines("s", one, "two\n", copy)]);
    const [end = { head: "" }] = await laptop.append([lines("s", { n: 1, ...two }, "3\n", copy)]);
    assert.equal(await laptop.rewind("s", 1, one.head, 4), false);
    assert.equal(await laptop.rewind("s", 1, end.head, 4), true);
    assert.deepEqual(await texts(laptop, "ada", "s"), ["one\n"]);
    assert.equal((await laptop.append([lines("s", one, "TWO\n", copy)]))[0]?.status, "appended");
    assert.deepEqual(await texts(laptop, "ada", "s"), ["one\nTWO\n"]);
    assert.equal(await laptop.branch("s", 1, DEVICES.laptop.id, { n: 1, len: 4 }), 2);
    const [{ head } = { head: "" }] = (await laptop.branches({ sessions: ["s"] }))
      .filter(({ n }) => n === 1);
    assert.equal(await laptop.rewind("s", 1, head, 0), false);
    const log = await share(laptop, "laptop", "t", "one\n");
    assert.equal(await laptop.rewind("t", 1, log.head, 0), false);
  },
  "the latest mark wins, and one from the future is refused": async ({ laptop, desktop, ben }) => {
    const mark = { ref: "s", field: "title" as const, device: DEVICES.laptop.id };
    const at = (value: string, time: string) => ({ ...mark, value, time });
    const marks = [at("a", "2026-01-01T00:00:00.001Z"), at("b", "2026-01-01T00:00:00.000Z")];
    assert.deepEqual(await laptop.putMarks(marks), [true, false]);
    const told = await desktop.marks(0);
    assert.deepEqual(told.marks, [marks[0]]);
    assert.deepEqual((await desktop.marks(told.seen)).marks, []);
    const later = { ...at("c", "2026-01-01T00:00:01.000Z"), device: DEVICES.desktop.id };
    assert.deepEqual(await desktop.putMarks([later]), [true]);
    assert.deepEqual((await laptop.marks(told.seen)).marks.map(({ value }) => value), ["c"]);
    assert.deepEqual((await ben.marks(0)).marks, []);
    await assert.rejects(
      laptop.putMarks([at("d", "2999-01-01T00:00:00.000Z")]),
      /clock is ahead\. Set the clock|set this machine's clock/,
    );
  },
  "what is withdrawn is gone on every device, and is not shared again": async (members) => {
    const { laptop, desktop, ben } = members;
    const end = await share(laptop, "laptop", "s", "one\n");
    await share(laptop, "laptop", "t", "other\n");
    await desktop.branches();
    assert.equal(await desktop.withdraw("s"), true);
    assert.equal(await desktop.withdraw("nothing"), false);
    for (const store of [laptop, desktop, ben]) {
      assert.deepEqual((await store.branches()).map(({ session }) => session), ["t"]);
      const range = { owner: "ada", session: "s", n: 1, from: 0 };
      for await (const window of store.segments([range])) assert.fail(`${window.length}`);
    }
    for (const [store, device] of [[laptop, "laptop"], [desktop, "desktop"]] as const) {
      const told = await store.claim([claimed("s", { replace: true })], DEVICES[device].id);
      assert.deepEqual([...told], [["s", "withdrawn"]]);
      await assert.rejects(store.append([lines("s", end, "x\n")]), /not your session: s/);
    }
  },
  "a session is shared anew under other terms, and what was there goes": async (members) => {
    const { laptop, desktop, ben } = members;
    await share(laptop, "laptop", "s", "secret\n");
    const mark = { ref: "s", field: "title", value: "secret", device: DEVICES.laptop.id } as const;
    await laptop.putMarks([{ ...mark, time: "2026-01-01T00:00:00.000Z" }]);
    await desktop.branches();
    const terms = { form: "copy", project: "q", replace: true } as const;
    await share(desktop, "desktop", "s", "redacted\n", terms);
    assert.deepEqual(await texts(ben, "ada", "s"), ["redacted\n"]);
    assert.deepEqual((await desktop.marks(0)).marks, []);
    assert.deepEqual(await ben.branches({ project: "p" }), []);
    const [branch] = await laptop.branches({ project: "q" });
    assert.deepEqual([branch?.form, branch?.project], ["copy", "q"]);
    const told = await laptop.claim([claimed("s")], DEVICES.laptop.id);
    assert.deepEqual([...told], [["s", "other-terms"]]);
  },
  "a sealed session gets other keys, from any device": async ({ laptop, desktop }) => {
    const keys = text.encode("wrapped for one");
    await share(laptop, "laptop", "s", "sealed\n", { form: "sealed", keys });
    await share(laptop, "laptop", "t", "log\n");
    await desktop.branches();
    const others = text.encode("wrapped for two");
    assert.equal(await desktop.rekey("s", others), true);
    const [branch] = await laptop.branches({ sessions: ["s"] });
    assert.deepEqual(branch?.keys, others);
    assert.equal(await desktop.rekey("t", keys), false);
    assert.equal(await desktop.rekey("nothing", keys), false);
    for (const visible of ["team", "private"] as const) {
      const anew = text.encode(`another key, ${visible}`);
      const terms = { form: "sealed", visible, keys: anew, replace: true, anew: true } as const;
      await share(desktop, "desktop", "s", `${visible}\n`, terms);
      await share(desktop, "desktop", "s", `${visible} anew\n`, terms);
      assert.deepEqual(await texts(laptop, "ada", "s"), [`${visible} anew\n`]);
      const [branch] = await laptop.branches({ sessions: ["s"], project: "p" });
      assert.deepEqual([branch?.keys, branch?.visible], [anew, visible]);
    }
  },
  "members read what is the team's, and nobody writes for another": async ({ laptop, ben }) => {
    const end = await share(laptop, "laptop", "s", "one\n");
    await share(laptop, "laptop", "mine", "own\n", { visible: "private" });
    assert.deepEqual(await texts(ben, "ada", "s"), ["one\n"]);
    assert.deepEqual((await ben.branches()).map(({ session }) => session), ["s"]);
    assert.deepEqual(await ben.branches({ mine: true }), []);
    await assert.rejects(ben.append([lines("s", end, "x\n")]), /not your session: s/);
    assert.equal(await ben.withdraw("s"), false);
    assert.equal((await laptop.branches({ mine: true })).length, 2);
  },
  "many sessions are claimed and appended together, and the newest are listed": async (members) => {
    const { laptop, desktop } = members;
    const count = ALL_TORTURE ? 10_000 : 24;
    const ids = Array.from({ length: count }, (_, at) => `s${at}`);
    for (let at = 0; at < count; at += 1000) {
      const some = ids.slice(at, at + 1000);
      const told = await laptop.claim(some.map((id) => claimed(id)), DEVICES.laptop.id);
      assert.ok(some.every((id) => told.get(id) === "open"));
      const outcomes = await laptop.append(some.map((id) => lines(id, {}, `${id}\n`)));
      assert.ok(outcomes.every(({ status }) => status === "appended"));
    }
    assert.equal((await desktop.branches({ mine: true })).length, count);
    assert.equal((await desktop.branches({ project: "p", limit: 7 })).length, 7);
    assert.equal((await desktop.branches({ project: "q" })).length, 0);
    assert.equal((await desktop.branches({ sessions: ["s1", "s2", "none"] })).length, 2);
    const begun = await desktop.branches({ begins: ["s1", "none"], limit: 200 });
    assert.ok(begun.length >= 11 && begun.every(({ session }) => session.startsWith("s1")));
    const ranges = ids.map((session) => ({ owner: "ada", session, n: 1, from: 0 }));
    const read: string[] = [];
    for await (const window of desktop.segments(ranges)) {
      read.push(...window.map(({ bytes }) => new TextDecoder().decode(bytes)));
    }
    assert.deepEqual(read, ids.map((id) => `${id}\n`));
  },
  "a connection that is cut at any request loses nothing, and shows nothing by half": cutEverywhere,
  "wrong bytes in the store are damage, and never content": ({ place }) =>
    withMachines(async (laptop, desktop) => {
      await using store = await place.connect("ada");
      const hit = await laptop.write(["hit"]);
      await laptop.push(store);
      await place.spoil();
      const whole = await laptop.write(["whole"]);
      await laptop.push(store);
      const { adopted, failed } = await desktop.pull(store);
      assert.deepEqual([adopted, failed.map(({ session }) => session)], [[whole], [`team:${hit}`]]);
      assert.deepEqual([...desktop.logs()], [[whole, laptop.log(whole)]]);
      assert.equal(desktop.mirror().size, 0);
      // The same byte once more.
      await place.spoil();
      assert.deepEqual((await desktop.pull(store)).adopted, [hit]);
      assert.equal(desktop.log(hit), laptop.log(hit));
    }),
};

/** Tests an engine: each step has an empty store. */
export function testTeamStore({ name, needs = [], cuts = [2, 3], withPlaces }: TeamEngine): void {
  // Slow: an engine is asked some hundred times, and its connections are cut.
  Deno.test({
    ...needing(`a store in ${name} keeps the contract`, ...needs),
    fn: (test) =>
      withPlaces(async (newPlace) => {
        for (const [step, run] of Object.entries(STEPS)) {
          await test.step(step, async () => {
            const place = await newPlace();
            const { connect } = place;
            await using laptop = await connect("ada");
            await using desktop = await connect("ada");
            await using ben = await connect("ben");
            const members = { place, cuts, laptop, desktop, ben };
            for (const who of ["laptop", "desktop", "ben"] as const) {
              const { owner } = await members[who].hello(DEVICES[who]);
              assert.equal(owner, who === "ben" ? "ben" : "ada");
              // The first answer may be of the time of the greeting.
              assert.deepEqual(await members[who].branches(), []);
            }
            await run(members);
          });
        }
      }),
  });
}
