import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { Catalogue } from "../../../lib/library/catalogue/catalogue.ts";
import { forgetSessions } from "../../../lib/library/catalogue/forget_sessions.ts";
import { factsPath } from "../../../lib/library/catalogue/facts_file.ts";
import { isFresh } from "../../../lib/library/catalogue/read_part.ts";
import { lookAtSession } from "../../../lib/library/catalogue/session_state.ts";
import {
  keepAll,
  knownRows,
  knownTitles,
  LATER,
  makeSession,
  summaryOf,
} from "../../_support/catalogued.ts";
import { nextSecond } from "../../_support/settle.ts";
import { snapshot } from "../../_support/store_snapshot.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { ORDINARY_USER, whileUnwritable } from "../../_support/unwritable.ts";
import { needing } from "../../_support/needing.ts";
import { onUnix, testsIn } from "../../_support/tests_in.ts";

/** A folder with a store, and a folder of sessions. */
async function withStoreFolder(
  test: (root: string, directory: string) => Promise<void> | void,
): Promise<void> {
  await withDirectory((directory) => {
    const root = join(directory, "store");
    Deno.mkdirSync(root, { mode: 0o700 });
    return test(root, directory);
  });
}

const inStoreFolder = testsIn<{ root: string; directory: string }>((test) =>
  withStoreFolder((root, directory) => test({ root, directory }))
);

inStoreFolder.test("a row keeps the counts that another program kept since it was read", ({ root, directory }) => {
  const session = makeSession(directory, "a");
  const seen = lookAtSession(session);
  const { changed: _, ...state } = seen;
  const read = { files: [session.path], state };
  const [first, other, last] = [1, 2, 3].map(() => new Catalogue({ folder: root, now: LATER }));
  first?.put(session, seen, summaryOf(session));
  last?.putRead(session, seen, summaryOf(session), { ...read, counts: { turn_count: 3 } });
  other?.putRead(session, seen, summaryOf(session), { ...read, counts: { cost_usd: 2 } });
  for (const one of [other, first, last]) {
    one?.save();
    one?.[Symbol.dispose]();
  }
  const [row] = knownRows({ folder: root }, [session]);
  assert.deepEqual(row?.read?.counts, { cost_usd: 2, turn_count: 3 });
});

inStoreFolder.test("Catalogue gives the rows that were saved, in any order of asking", ({ root, directory }) => {
  const ids = ["b", "a", "日本", "cc", "d\ud800", "e"];
  const sessions = ids.map((id) => makeSession(directory, id));
  keepAll({ folder: root }, sessions);
  const titles = ids.map((id) => `Session ${id}`);
  assert.deepEqual(knownTitles({ folder: root }, sessions), titles);
  assert.deepEqual(knownTitles({ folder: root }, sessions.toReversed()), titles.toReversed());
  assert.deepEqual(knownRows({ folder: root }, sessions).map((row) => row?.summary), [
    ...sessions.map((session) => summaryOf(session)),
  ]);
});

// Slow: rows are written 8,192 at a time.
inStoreFolder.test("Catalogue writes the rows of many sessions before it is saved", ({ root, directory }) => {
  const { agent, path } = makeSession(directory, "many");
  const session = { agent, id: "0", path };
  const seen = lookAtSession(session);
  using catalogue = new Catalogue({ folder: root, now: LATER });
  const sessions = Array.from({ length: 8192 }, (_, index) => ({ ...session, id: `${index}` }));
  for (const one of sessions.slice(1)) catalogue.put(one, seen, summaryOf(one));
  const asked = [session, ...sessions.slice(-1)];
  assert.deepEqual(knownTitles({ folder: root }, asked), [undefined, undefined]);
  catalogue.put(session, seen, summaryOf(session));
  assert.deepEqual(knownTitles({ folder: root }, asked), ["Session 0", "Session 8191"]);
  assert.equal(catalogue.find(session, seen)?.row()?.summary?.title, "Session 0");
  assert.equal(catalogue.lastRow(session)?.summary?.title, "Session 0");
});

inStoreFolder.test("Catalogue tells update, directory and archive without the row", ({ root, directory }) => {
  const session = makeSession(directory, "abc");
  keepAll({ folder: root }, [session]);
  const catalogue = new Catalogue({ folder: root });
  const entry = catalogue.find(session, lookAtSession(session));
  assert.equal(entry?.updated, Date.parse("2026-11-21T10:00:03.000Z"));
  assert.deepEqual([entry?.cwd, entry?.archived], ["/home/ada/a", false]);
  const known = [...catalogue.entries([session.agent])].map((entry) => entry.row()?.session);
  assert.deepEqual(known, [session]);
  catalogue[Symbol.dispose]();
});

inStoreFolder.test("Catalogue knows that there is no session in a file", ({ root, directory }) => {
  const session = makeSession(directory, "empty");
  const catalogue = new Catalogue({ folder: root, now: LATER });
  catalogue.put(session, lookAtSession(session), undefined);
  catalogue.save();
  catalogue[Symbol.dispose]();
  assert.deepEqual(knownRows({ folder: root }, [session]), [{ session, summary: null }]);
});

// Slow: the times of files tell whole seconds.
inStoreFolder.test("Catalogue does not know a session whose file changed, nor one of another file", async ({ root, directory }) => {
  const sessions = ["a", "b", "c", "d"].map((id) => makeSession(directory, id, `${id} text\n`));
  const [grown, replaced, touched, same] = sessions;
  assert.ok(grown && replaced && touched && same);
  const times = new Date("2026-11-01T10:00:00Z");
  for (const { path } of sessions) Deno.utimeSync(path, times, times);
  keepAll({ folder: root }, sessions);
  await nextSecond();
  Deno.writeTextFileSync(grown.path, "more\n", { append: true });
  Deno.writeTextFileSync(`${replaced.path}.new`, "B text\n");
  Deno.utimeSync(`${replaced.path}.new`, times, times);
  Deno.renameSync(`${replaced.path}.new`, replaced.path);
  Deno.writeTextFileSync(touched.path, "C text\n");
  Deno.utimeSync(touched.path, times, times);
  const moved = { ...same, path: `${same.path}.moved` };
  assert.deepEqual(
    knownTitles({ folder: root }, [...sessions, moved, { ...same, id: "other" }]),
    [
      undefined,
      undefined,
      undefined,
      "Session d",
      undefined,
      undefined,
    ],
  );
});

inStoreFolder.test("Catalogue notices a change of any file that a session is read from", ({ root, directory }) => {
  const session = makeSession(directory, "main");
  const beside = ["one", "two"].map((name) => join(directory, name));
  const [one = "", two = ""] = beside;
  Deno.writeTextFileSync(one, "1");
  const files = [session.path, one, two];
  const isKnown = (now: typeof session): boolean => {
    const catalogue = new Catalogue({ folder: root });
    const entry = catalogue.find(now, lookAtSession(now, files));
    catalogue[Symbol.dispose]();
    return entry !== undefined;
  };
  const keep = (): void => {
    const catalogue = new Catalogue({ folder: root, now: LATER });
    catalogue.put(session, lookAtSession(session, files), summaryOf(session));
    catalogue.save();
    catalogue[Symbol.dispose]();
  };
  keep();
  assert.equal(isKnown(session), true);
  assert.equal(isKnown({ ...session, cwd: "/elsewhere" }), false);
  Deno.writeTextFileSync(two, "is there now");
  assert.equal(isKnown(session), false);
  keep();
  assert.equal(isKnown(session), true);
  Deno.writeTextFileSync(one, "22");
  assert.equal(isKnown(session), false);
});

inStoreFolder.test("Catalogue does not trust a file that was changed just now, nor keep one that is written", ({ root, directory }) => {
  const [young, active] = [makeSession(directory, "young"), makeSession(directory, "active")];
  const { changed } = lookAtSession(young);
  const catalogue = new Catalogue({ folder: root, now: () => changed + 10 });
  catalogue.put(young, lookAtSession(young), summaryOf(young));
  catalogue.save();
  catalogue[Symbol.dispose]();
  const other = new Catalogue({ folder: root, now: LATER });
  other.put(active, lookAtSession(active), { ...summaryOf(active), status: "running" });
  other.save();
  other[Symbol.dispose]();
  assert.deepEqual(knownTitles({ folder: root }, [young, active]), [undefined, undefined]);
});

inStoreFolder.test("Catalogue keeps counts of a whole read beside newer ends, with their own state", ({ root, directory }) => {
  const session = makeSession(directory, "long", "x".repeat(100) + "\n");
  const first = lookAtSession(session);
  const usage = [{ day: "2026-11-21", model: "m", messages: 2, usage: { input: 1 } }];
  const catalogue = new Catalogue({ folder: root, now: LATER });
  catalogue.putRead(session, first, summaryOf(session), {
    files: [session.path],
    state: first,
    usage,
    counts: { message_count: 4 },
  });
  catalogue.save();
  catalogue[Symbol.dispose]();
  const [whole] = knownRows({ folder: root }, [session]);
  assert.equal(whole?.read !== undefined && isFresh(session, whole.read), true);
  Deno.writeTextFileSync(session.path, "more\n", { append: true });
  keepAll({ folder: root }, [session]);
  const [row] = knownRows({ folder: root }, [session]);
  assert.equal(row?.summary?.title, "Session long");
  assert.equal(row?.read !== undefined && isFresh(session, row.read), false);
  assert.deepEqual(row?.read?.usage, usage);
  assert.equal(row?.read?.state.size, 101);
});

inStoreFolder.test("Catalogue drops sessions that their agent does not have any more, and no others", ({ root, directory }) => {
  const sessions = ["a", "b"].map((id) => makeSession(directory, id));
  const other = { ...makeSession(directory, "c"), agent: "pi" as const };
  keepAll({ folder: root }, [...sessions, other]);
  const catalogue = new Catalogue({ folder: root, now: LATER });
  for (const session of sessions.slice(1)) catalogue.find(session, lookAtSession(session));
  catalogue.sawAll("claude");
  catalogue.save();
  catalogue[Symbol.dispose]();
  assert.deepEqual(knownTitles({ folder: root }, [...sessions, other]), [
    undefined,
    "Session b",
    "Session c",
  ]);
});

inStoreFolder.test("Catalogue of another version of the program is not used, and made anew", ({ root, directory }) => {
  const session = makeSession(directory, "a");
  keepAll({ folder: root, version: "1" }, [session]);
  assert.deepEqual(knownTitles({ folder: root, version: "1" }, [session]), ["Session a"]);
  assert.deepEqual(knownTitles({ folder: root, version: "2" }, [session]), [undefined]);
  keepAll({ folder: root, version: "2" }, [session]);
  assert.deepEqual(knownTitles({ folder: root, version: "2" }, [session]), ["Session a"]);
});

inStoreFolder.test("Catalogue is one file that only its owner can read, in a folder that it makes", ({ root, directory }) => {
  const session = makeSession(directory, "a");
  keepAll({}, [session]);
  assert.deepEqual([...Deno.readDirSync(root)], []);
  Deno.removeSync(root);
  keepAll({ folder: root }, [session]);
  const files = [...Deno.readDirSync(root)].map(({ name }) => name).sort();
  assert.deepEqual(files, ["CACHEDIR.TAG", basename(factsPath({ folder: root }))]);
  if (Deno.build.os === "windows") return;
  assert.equal((Deno.statSync(root).mode ?? 0) & 0o777, 0o700);
  for (const name of files) {
    assert.equal((Deno.statSync(join(root, name)).mode ?? 0) & 0o777, 0o600);
  }
});

inStoreFolder.test("Catalogue removes what earlier versions kept in its place", ({ root, directory }) => {
  for (const name of ["catalogue", "catalogue.located-codex"]) {
    Deno.writeTextFileSync(join(root, name), "old words");
  }
  keepAll({ folder: root }, [makeSession(directory, "a")]);
  const names = [...Deno.readDirSync(root)].map(({ name }) => name).sort();
  assert.deepEqual(names, ["CACHEDIR.TAG", basename(factsPath({ folder: root }))]);
});

inStoreFolder.test("Catalogue writes nothing when everything is known, nor by looking", ({ root, directory }) => {
  const sessions = ["a", "b"].map((id) => makeSession(directory, id));
  knownTitles({ folder: root }, sessions);
  assert.deepEqual([...Deno.readDirSync(root)], []);
  keepAll({ folder: root }, sessions);
  const before = snapshot(directory);
  const catalogue = new Catalogue({ folder: root, now: LATER });
  for (const session of sessions) catalogue.find(session, lookAtSession(session))?.row();
  catalogue.sawAll("claude");
  catalogue.save();
  catalogue[Symbol.dispose]();
  assert.deepEqual(snapshot(directory), before);
});

Deno.test({
  ...needing("Catalogue gives up silently where the store cannot be written", ORDINARY_USER),
  fn: async () => {
    await withStoreFolder(async (root, directory) => {
      const session = makeSession(directory, "a");
      await whileUnwritable(root, () => {
        assert.throws(() => Deno.mkdirSync(join(root, "b")));
        keepAll({ folder: root }, [session]);
      });
      assert.deepEqual([...Deno.readDirSync(root)], []);
    });
  },
});

inStoreFolder.test("Catalogue gives up silently where its place is taken by a folder", ({ root, directory }) => {
  const session = makeSession(directory, "a");
  const path = factsPath({ folder: root });
  for (const ending of ["", "-journal"]) {
    Deno.mkdirSync(join(path + ending, "of somebody"), { recursive: true });
    keepAll({ folder: root }, [session]);
    assert.deepEqual(knownTitles({ folder: root }, [session]), [undefined]);
    Deno.removeSync(path + ending, { recursive: true });
  }
  keepAll({ folder: root }, [session]);
  assert.deepEqual(knownTitles({ folder: root }, [session]), ["Session a"]);
  assert.equal([...Deno.readDirSync(root)].length, 2);
});

onUnix.test("a link or a pipe in place of the catalogue is not read, and replaced", async () => {
  await withStoreFolder((root, directory) => {
    const session = makeSession(directory, "a");
    keepAll({ folder: root }, [session]);
    const elsewhere = join(directory, "elsewhere");
    Deno.renameSync(factsPath({ folder: root }), elsewhere);
    const bytes = Deno.readFileSync(elsewhere);
    Deno.symlinkSync(elsewhere, factsPath({ folder: root }));
    assert.deepEqual(knownTitles({ folder: root }, [session]), [undefined]);
    keepAll({ folder: root }, [session]);
    assert.deepEqual(Deno.readFileSync(elsewhere), bytes);
    assert.ok(Deno.lstatSync(factsPath({ folder: root })).isFile);
    Deno.removeSync(factsPath({ folder: root }));
    new Deno.Command("mkfifo", { args: [factsPath({ folder: root })] }).outputSync();
    assert.deepEqual(knownTitles({ folder: root }, [session]), [undefined]);
    keepAll({ folder: root }, [session]);
    assert.deepEqual(knownTitles({ folder: root }, [session]), ["Session a"]);
  });
});

inStoreFolder.test("forgetSessions removes the rows of deleted sessions alone, at once", ({ root, directory }) => {
  const sessions = ["secret", "b"].map((id) => makeSession(directory, id));
  forgetSessions({ folder: root }, "claude", ["secret"]);
  assert.deepEqual([...Deno.readDirSync(root)], []);
  keepAll({ folder: root }, sessions);
  forgetSessions({ folder: root }, "pi", ["secret"]);
  assert.deepEqual(knownTitles({ folder: root }, sessions), ["Session secret", "Session b"]);
  forgetSessions({ folder: root }, "claude", ["secret"]);
  assert.deepEqual(knownTitles({ folder: root }, sessions), [undefined, "Session b"]);
  const text = new TextDecoder().decode(Deno.readFileSync(factsPath({ folder: root })));
  assert.ok(!text.includes("secret") && text.includes("Session b"));
});

inStoreFolder.test("forgetSessions removes a catalogue whole that it cannot read", ({ root, directory }) => {
  keepAll({ folder: root, version: "1" }, [makeSession(directory, "secret")]);
  forgetSessions({ folder: root, version: "2" }, "claude", ["secret"]);
  const path = factsPath({ folder: root, version: "1" });
  assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
});

inStoreFolder.test("a session that was deleted while a list ran does not come back", ({ root, directory }) => {
  const [gone, kept] = ["gone", "kept"].map((id) => makeSession(directory, id));
  assert.ok(gone && kept);
  keepAll({ folder: root }, [gone]);
  const catalogue = new Catalogue({ folder: root, now: LATER });
  for (const session of [gone, kept]) {
    catalogue.put(session, lookAtSession(session), summaryOf(session));
  }
  Deno.removeSync(gone.path);
  forgetSessions({ folder: root }, "claude", ["gone"]);
  catalogue.save();
  catalogue[Symbol.dispose]();
  const text = new TextDecoder().decode(Deno.readFileSync(factsPath({ folder: root })));
  assert.ok(!text.includes("gone") && text.includes("Session kept"));
});

inStoreFolder.test("a catalogue that is open gives no row that another process has removed", ({ root, directory }) => {
  const sessions = ["a", "b"].map((id) => makeSession(directory, id));
  const [a, b] = sessions;
  assert.ok(a && b);
  keepAll({ folder: root }, sessions);
  const catalogue = new Catalogue({ folder: root });
  const entry = catalogue.find(a, lookAtSession(a));
  forgetSessions({ folder: root }, "claude", ["a"]);
  assert.equal(entry?.row(), undefined);
  assert.equal(catalogue.find(b, lookAtSession(b))?.row()?.summary?.title, "Session b");
  catalogue[Symbol.dispose]();
});
