/** The requests and bytes that a store of objects takes, with heads kept on the machine. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openFolderStore } from "../../../../lib/features/team/folder/folder_store.ts";
import { cachedReads } from "../../../../lib/features/team/objects/cached_reads.ts";
import type { ObjectStore } from "../../../../lib/features/team/objects/object_store.ts";
import { openObjectTeam } from "../../../../lib/features/team/objects/object_team_store.ts";
import type { SegmentToAppend, TeamStore } from "../../../../lib/features/team/team_store.ts";
import { FolderTeam } from "../../../_support/folder_team.ts";
import { Machine } from "../../../_support/machine.ts";
import { inDirectory } from "../../../_support/temp_directory.ts";

/** A place of objects that notes its requests: of a listing each thousand keys. */
class CountedPlace {
  requests: string[] = [];
  written = 0;
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  open(): ObjectStore {
    const objects = openFolderStore(this.#folder);
    const { requests } = this;
    const note = (bytes: number): void => {
      this.written += bytes;
    };
    return {
      async *list(prefix): AsyncGenerator<{ key: string; size: number; tag: string }[]> {
        let count = 0;
        for await (const page of objects.list(prefix)) {
          count += page.length;
          yield page;
        }
        for (let at = 0; at <= count; at += 1000) requests.push(`list ${prefix}`);
      },
      get(key, limit): Promise<{ bytes: Uint8Array; tag: string } | undefined> {
        requests.push(`get ${key}`);
        return objects.get(key, limit);
      },
      put(key, bytes, if_tag): Promise<string | undefined> {
        requests.push(`put ${key}`);
        note(bytes.length);
        return objects.put(key, bytes, if_tag);
      },
      delete(key): Promise<void> {
        requests.push(`delete ${key}`);
        return objects.delete(key);
      },
      [Symbol.asyncDispose]: () => objects[Symbol.asyncDispose](),
    };
  }

  /** A connection that keeps heads in a folder. */
  connect(cache: string, owner = "ada"): TeamStore {
    return openObjectTeam(cachedReads(this.open(), { folder: cache }, ""), { owner });
  }

  /** Counts the requests and bytes of some work. */
  async count(work: () => Promise<unknown>): Promise<{ requests: string[]; written: number }> {
    this.requests.length = 0;
    this.written = 0;
    await work();
    return { requests: [...this.requests], written: this.written };
  }
}

const TERMS = { project: "p", form: "log", visible: "team" } as const;
const SEGMENT: Omit<SegmentToAppend, "session"> = {
  ...{ n: 1, off: 0, prev: "", len: 4, ...TERMS, codec: "plain" },
  sha: "2c8b08da5ce60398e1f19af0e5dccc744df274b826abe585eaba68c525434806",
  bytes: new TextEncoder().encode("one\n"),
};

inDirectory.test("nothing new takes one request, and one new event three and 4 KB", async (folder) => {
  const team = await new FolderTeam(join(folder, "team")).init();
  const place = new CountedPlace(team.folder);
  const laptop = new Machine({ folder: join(folder, "laptop") });
  const cache = join(folder, "cache");
  const ids: string[] = [];
  for (let made = 0; made < 20; made++) ids.push(await laptop.write([`session ${made}`]));
  await laptop.push(place.connect(cache));
  await laptop.push(place.connect(cache));
  const nothing = await place.count(() => laptop.push(place.connect(cache)));
  assert.deepEqual(nothing, { requests: ["list v1/heads/"], written: 0 });
  for (let event = 0; event < 2; event++) {
    await laptop.continue(ids[7] ?? "", ["one more"]);
    let told = 0;
    const { requests, written } = await place.count(async () => {
      told = (await laptop.push(place.connect(cache))).sent_bytes;
    });
    assert.equal(told, written);
    assert.deepEqual(requests.map((request) => request.replace(/\/.*/, "")), [
      "list v1",
      "put v1",
      "put v1",
    ]);
    assert.ok(written <= 4096, `${written} bytes`);
  }
});

// Slow: 40 devices push, each by its own connection.
inDirectory.test("a project of 40 devices is listed in few requests, also by a new member", async (folder) => {
  const team = await new FolderTeam(join(folder, "team")).init();
  const place = new CountedPlace(team.folder);
  const pushOne = async (number: number, cache: string, looks = false): Promise<void> => {
    const owner = `member ${number}`;
    const device = { id: crypto.randomUUID(), label: "laptop" };
    const store = place.connect(cache, owner);
    await store.hello(device);
    if (looks) await store.branches({ project: "p" });
    await store.claim([{ id: `s${number}`, ...TERMS }], device.id);
    await store.append([{ ...SEGMENT, session: `s${number}` }]);
  };
  const cache = join(folder, "cache");
  await Promise.all(Array.from({ length: 40 }, (_, number) => pushOne(number, cache)));
  // A machine that had to read all of them leaves copies.
  await pushOne(40, join(folder, "new cache"), true);
  const { requests } = await place.count(async () => {
    const store = place.connect(join(folder, "newest cache"), "new member");
    await store.hello({ id: crypto.randomUUID(), label: "new" });
    assert.equal((await store.summaries({ project: "p" })).length, 41);
  });
  assert.ok(requests.length <= 20, `${requests.length} requests: ${requests.slice(0, 30)}`);
});

inDirectory.test("two connections of one device, each with a cache of its own, lose nothing", async (folder) => {
  const team = await new FolderTeam(join(folder, "team")).init();
  const place = new CountedPlace(team.folder);
  const device = { id: crypto.randomUUID(), label: "laptop" };
  const stores = ["one", "two"].map((name) => place.connect(join(folder, name)));
  const share = async (store: TeamStore, session: string): Promise<void> => {
    await store.claim([{ id: session, ...TERMS }], device.id);
    const [outcome] = await store.append([{ ...SEGMENT, session }]);
    assert.equal(outcome?.status, "appended");
    const mark = { ref: session, field: "title", value: "t", device: device.id } as const;
    await store.putMarks([{ ...mark, time: "2026-01-01T00:00:00.000Z" }]);
  };
  for (const store of stores) await store.hello(device);
  for (const [at, store] of stores.entries()) await share(store, `first ${at}`);
  for (const store of stores) await store.hello(device);
  for (const [at, store] of stores.entries()) await share(store, `second ${at}`);
  const reader = await team.greeted();
  assert.equal((await reader.branches()).length, 4);
  assert.equal((await reader.marks(0)).marks.length, 4);
});
