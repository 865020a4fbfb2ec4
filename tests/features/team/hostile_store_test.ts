/** A store that lies: what it says is checked, and nothing is written outside. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { nextHead, NO_HEAD, sha256 } from "../../../lib/features/team/branch_segments.ts";
import { compress } from "../../../lib/features/team/segment_codec.ts";
import type {
  Segment,
  SegmentRange,
  SharedBranch,
  StoreGreeting,
  TeamStore,
} from "../../../lib/features/team/team_store.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { Machine } from "../../_support/machine.ts";
import { MemoryTeam } from "../../_support/memory_team_store.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { testsIn } from "../../_support/tests_in.ts";

const inScene = testsIn(withScene);

type Window = (Segment & SegmentRange)[];

/** What a store answers in place of the truth. */
interface Lies {
  greeting?: Partial<StoreGreeting>;
  branches?: (branches: SharedBranch[]) => SharedBranch[];
  segments?: (window: Window) => Window;
}

function lying(store: TeamStore, { greeting, branches, segments }: Lies): TeamStore {
  return new Proxy(store, {
    get(target, name): unknown {
      if (name === "hello" && greeting !== undefined) {
        return async (...given: Parameters<TeamStore["hello"]>): Promise<StoreGreeting> => ({
          ...await target.hello(...given),
          ...greeting,
        });
      }
      if (name === "branches" && branches !== undefined) {
        return async (...given: Parameters<TeamStore["branches"]>): Promise<SharedBranch[]> =>
          branches(await target.branches(...given));
      }
      if (name === "segments" && segments !== undefined) {
        return async function* (
          ...given: Parameters<TeamStore["segments"]>
        ): AsyncGenerator<Window> {
          for await (const window of target.segments(...given)) yield segments(window);
        };
      }
      const value = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

interface Scene {
  folder: string;
  laptop: Machine;
  desktop: Machine;
  team: MemoryTeam;
  id: string;
}

function withScene(
  test: (scene: Scene) => Promise<void>,
  form: "log" | "copy" = "log",
): Promise<void> {
  return withDirectory(async (folder) => {
    const laptop = new Machine({ folder: join(folder, "laptop"), form });
    const desktop = new Machine({ folder: join(folder, "desktop"), label: "desktop", form });
    const team = new MemoryTeam();
    const id = await laptop.write(["one", "two"]);
    await laptop.push(team.connect());
    await test({ folder, laptop, desktop, team, id });
  });
}

const NAMES = [
  ...["../../../evil", "/tmp/evil", "..", ".", "", "a/../../b", "..\\..\\evil", "x\0y", "C:evil"],
  "z".repeat(4000),
];

inScene.test("ids, owners and numbers that are paths lead nowhere but into the mirror", async ({ folder, desktop, team, id }) => {
  const before = new Set(filesBelow(folder));
  for (const name of NAMES) {
    for (const change of [{ session: name }, { owner: name }, { owner: name, n: -3 }]) {
      const store = lying(team.connect(), {
        branches: (all) => all.map((one) => ({ ...one, ...change })),
        segments: (window) => window.map((one) => ({ ...one, ...change })),
      });
      const asked = lying(store, {});
      const honest = new Proxy(asked, {
        get(target, member): unknown {
          if (member !== "segments") return Reflect.get(target, member);
          return async function* (ranges: SegmentRange[]): AsyncGenerator<Window> {
            const real = ranges.map((one) => ({ ...one, owner: "ada", session: id, n: 1 }));
            for await (const window of team.connect().segments(real)) {
              yield window.map((one) => ({ ...one, ...change }));
            }
          };
        },
      });
      await desktop.pull(honest);
      desktop.forget();
    }
  }
  const made = filesBelow(folder).filter((path) => !before.has(path));
  const outside = made.filter((path) =>
    !path.startsWith(join(desktop.root, "remote")) && !path.startsWith(join(desktop.root, "sync"))
  );
  // One of the user's own sessions may come whole: under a UUID, and nothing else.
  const sessions = new RegExp(`^${desktop.root}/sessions/[^/]+/[^/]+-[0-9a-f-]{36}/[^/]+$`);
  assert.deepEqual(outside.filter((path) => !sessions.test(path)), []);
});

inScene.test("a store whose id is a path is not used", async ({ desktop, team }) => {
  for (const id of ["../../evil", "/tmp/x", "", "a.json"]) {
    const store = lying(team.connect(), { greeting: { id } });
    await assert.rejects(desktop.pull(store), {
      code: "damaged",
      message: /the store's id is not a UUID/,
    });
    await assert.rejects(desktop.push(store), { code: "damaged" });
  }
});

const BOMB = compress(new Uint8Array(8 * 1024 * 1024));

const LIES: Record<string, (segment: Segment & SegmentRange) => Segment & SegmentRange> = {
  "other bytes": (one) => ({ ...one, codec: "plain", bytes: new TextEncoder().encode("evil\n") }),
  "other bytes of the same length": (one) => ({
    ...{ ...one, codec: "plain" },
    bytes: new Uint8Array(one.len).fill(0x78),
  }),
  "a longer length": (one) => ({ ...one, len: one.len + 1 }),
  "a shorter length": (one) => ({ ...one, len: one.len - 1 }),
  "a length without end": (one) => ({ ...one, len: Number.MAX_SAFE_INTEGER }),
  "no length": (one) => ({ ...one, len: 0 }),
  "a length that is no number": (one) => ({ ...one, len: NaN }),
  "another place": (one) => ({ ...one, off: one.off + 1 }),
  "a place before the first byte": (one) => ({ ...one, off: -1 }),
  "another hash": (one) => ({ ...one, sha: sha256(new Uint8Array()) }),
  "another chain": (one) => ({ ...one, head: nextHead(NO_HEAD, NO_HEAD) }),
  "bytes that become far more": (one) => ({ ...one, codec: "zstd", bytes: BOMB }),
  "bytes that are cut off": (one) => ({ ...one, bytes: one.bytes.subarray(0, 20) }),
  "another session's bytes": (one) => ({ ...one, session: crypto.randomUUID() }),
  "another member's bytes": (one) => ({ ...one, owner: "mallory" }),
  "sealed bytes of a plain session": (one) => ({ ...one, codec: "sealed" }),
};

// Slow: each kind of wrong bytes is pulled, and then the right ones.
Deno.test("bytes that are not those that were pushed are not written, and asked for again", async (test) => {
  for (const form of ["log", "copy"] as const) {
    await withScene(async ({ folder, laptop, team, id }) => {
      for (const [name, lie] of Object.entries(LIES)) {
        await test.step(`${name}, of a ${form}`, async () => {
          const desktop = new Machine({ folder: join(folder, name), label: name, form });
          const store = lying(team.connect(), { segments: (window) => window.map(lie) });
          const pulled = await desktop.pull(store);
          assert.equal(pulled.failed.length + pulled.sealed.length, 1);
          assert.equal(desktop.logs().size + desktop.mirror().size, 0);
          await desktop.pull(team.connect());
          if (form === "log") assert.equal(desktop.log(id), laptop.log(id));
          else assert.equal(desktop.mirror().size, 1);
        });
      }
    }, form);
  }
});

inScene.test("a log that is here never gets bytes that were changed on the way", async ({ laptop, desktop, team, id }) => {
  await desktop.pull(team.connect());
  await laptop.continue(id, ["three"]);
  await laptop.push(team.connect());
  const before = desktop.log(id);
  for (const lie of Object.values(LIES)) {
    const store = lying(team.connect(), { segments: (window) => window.map(lie) });
    await desktop.pull(store);
    assert.equal(desktop.log(id), before);
  }
  await desktop.pull(team.connect());
  assert.equal(desktop.log(id), laptop.log(id));
});

inScene.test("segments that are missing, repeated or in another order are told, and asked for again", async ({ laptop, desktop, team, id }) => {
  await laptop.continue(id, ["three"]);
  await laptop.push(team.connect());
  const [session] = team.sessions.values();
  assert.equal(session?.branches[0]?.segments.length, 2);
  let count = 0;
  const orders: ((window: Window) => Window)[] = [
    () => [],
    (window) => count++ === 0 ? [] : window,
    (window) => count++ === 0 ? window : [],
    (window) => [...window, ...window, ...window],
  ];
  for (const segments of orders) {
    count = 0;
    const pulled = await desktop.pull(lying(team.connect(), { segments }));
    const isWhole = pulled.failed.length === 0;
    assert.equal(desktop.logs().size, isWhole ? 1 : 0);
    if (isWhole) assert.equal(desktop.log(id), laptop.log(id));
  }
  await desktop.pull(team.connect());
  assert.equal(desktop.log(id), laptop.log(id));
});

inScene.test("branches that lead round in a circle, or nowhere, are told", async ({ desktop, team }) => {
  const bases = [{ n: 1, len: 5 }, { n: 7, len: 5 }, { n: 0, len: 5 }];
  for (const base of bases) {
    const branches = (all: SharedBranch[]): SharedBranch[] => all.map((one) => ({ ...one, base }));
    const pulled = await desktop.pull(lying(team.connect(), { branches }));
    assert.equal(pulled.failed.length, 1);
    assert.equal(desktop.logs().size + desktop.mirror().size, 0);
    desktop.forget();
  }
});
