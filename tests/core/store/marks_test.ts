import assert from "node:assert/strict";
import { appendMark, marksPath, readMarks, withMarks } from "../../../lib/core/store/marks.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import { user } from "../../_support/log_bytes.ts";
import { childPath } from "../../_support/processes.ts";
import { readNow } from "../../_support/log_bytes.ts";
import { inDirectory, withStore } from "../../_support/temp_directory.ts";

const EARLY = "2026-11-21T20:00:00.000Z";
const LATE = "2026-11-21T21:00:00.000Z";

function row(more: Partial<Summary> = {}): Summary {
  return {
    ...{ ref: "s1", agent: "reprise", session_id: "s1", path: "/log", title: "of the log" },
    ...{ status: "completed", archived: false },
    ...more,
  };
}

inDirectory.test("marks are read back, the latest of each field", (directory) => {
  assert.deepEqual([...readMarks(directory)], []);
  appendMark(directory, { ref: "s1", title: "one", time: EARLY });
  appendMark(directory, { ref: "s1", archived: true, time: EARLY });
  appendMark(directory, { ref: "pi:x", relinked: "/there", time: EARLY });
  appendMark(directory, { ref: "s1", title: "two", time: LATE });
  assert.deepEqual(Object.fromEntries(readMarks(directory)), {
    "s1": { title: { value: "two", time: LATE }, archived: { value: true, time: EARLY } },
    "pi:x": { relinked: { value: "/there", time: EARLY } },
  });
});

inDirectory.test("lines that are no marks are passed over, and a torn one costs no other", (directory) => {
  appendMark(directory, { ref: "s1", title: "one", time: EARLY });
  const path = marksPath(directory);
  for (
    const line of [
      "noise",
      "null",
      "{}",
      '{"ref":1,"time":""}',
      '{"ref":"s1","time":"","title":7}',
      '{"ref":"s1","ti',
    ]
  ) {
    Deno.writeTextFileSync(path, line + "\n", { append: true });
  }
  Deno.truncateSync(path, Deno.statSync(path).size - 1);
  appendMark(directory, { ref: "s1", archived: true, time: LATE });
  assert.deepEqual(readMarks(directory).get("s1"), {
    title: { value: "one", time: EARLY },
    archived: { value: true, time: LATE },
  });
});

Deno.test("the later of log and mark wins, field by field", () => {
  const marks = new Map([["s1", {
    title: { value: "of the mark", time: LATE },
    archived: { value: true, time: EARLY },
    relinked: { value: "/there", time: EARLY },
  }]]);
  const marked = withMarks(row({ renamed_at: EARLY, archived_at: LATE }), marks);
  assert.deepEqual([marked.title, marked.archived, marked.cwd], ["of the mark", false, "/there"]);
  const other = withMarks(row({ renamed_at: "2026-11-21T22:00:00.000Z" }), marks);
  assert.deepEqual([other.title, other.archived], ["of the log", true]);
  assert.deepEqual(withMarks(row({ ref: "s2" }), marks), row({ ref: "s2" }));
});

Deno.test("times are compared as times, however they are written", () => {
  const marks = new Map([["s1", {
    title: { value: "of the mark", time: "2026-11-21T20:00:00.500Z" },
  }]]);
  const titleAfter = (renamed_at: string): string => withMarks(row({ renamed_at }), marks).title;
  assert.equal(titleAfter("2026-11-21T20:00:00Z"), "of the mark");
  assert.equal(titleAfter("2026-11-21T21:59:00+02:00"), "of the mark");
  assert.equal(titleAfter("2026-11-21T19:30:00-02:00"), "of the log");
  assert.equal(titleAfter("no time"), "of the mark");
});

Deno.test("a rename while the log is held is a mark, and wins until the log is renamed again", async () => {
  let second = 0;
  await withStore(async (store, directory) => {
    const session = openStore({ root: store.root, now: store.now }).create({ cwd: directory });
    await session.append(user("first words"));
    await session.append({ kind: "session_renamed", payload: { title: "in the log" } });
    assert.equal(await store.rename(session.id, "by a mark"), "mark");
    assert.equal(await store.archive(session.id), "mark");
    const [marked] = await store.list({ archived: true });
    assert.deepEqual([marked?.title, marked?.status], ["by a mark", "running"]);
    assert.deepEqual(await store.list(), []);
    await session.append({ kind: "session_renamed", payload: { title: "in the log again" } });
    await session.append({ kind: "session_archived", payload: { archived: false } });
    assert.equal((await store.list())[0]?.title, "in the log again");
    await session.finish();

    assert.equal(await store.rename(session.id, "after the close"), "log");
    assert.equal(await store.archive(session.id), "log");
    const [closed] = await store.list({ archived: true });
    assert.deepEqual([closed?.title, closed?.status], ["after the close", "completed"]);
    assert.equal(await store.archive(session.id, false), "log");
    assert.equal(await store.rename(session.id, ""), "log");
    assert.equal((await store.list())[0]?.title, "first words");
    const kinds = readNow(Deno.readFileSync(session.path)).events.map(({ kind }) => kind);
    assert.equal(kinds.at(-1), "session_closed");
  }, { now: () => new Date(Date.UTC(2026, 10, 21, 20, 0, second++)) });
});

inDirectory.test("marks of several processes at once are all kept", async (directory) => {
  const ended = ["a", "b"].map((name) =>
    new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", childPath("marks_child"), directory, name],
    }).output()
  );
  for (const { success } of await Promise.all(ended)) assert.equal(success, true);
  assert.equal(readMarks(directory).size, 100);
});

Deno.test("an empty title of a mark goes back to the agent's own, or to the first message", () => {
  const marks = new Map([["s1", { title: { value: "", time: LATE } }]]);
  const foreign = row({ agent: "pi", title: "of the agent", first_user_message: "asked" });
  assert.equal(withMarks(foreign, marks).title, "of the agent");
  const renamed = row({ title: "renamed", first_user_message: "asked" });
  assert.equal(withMarks({ ...renamed, renamed_at: EARLY }, marks).title, "asked");
  assert.equal(withMarks(row({ title: "renamed", renamed_at: EARLY }), marks).title, "");
});

inDirectory.test("marks of directories are kept apart, in their order", (directory) => {
  appendMark(directory, { ref: "cwd:/a", relinked: "/b", time: EARLY });
  appendMark(directory, { ref: "cwd:/b", relinked: "/c", time: LATE });
  const marks = readMarks(directory);
  assert.equal(marks.size, 0);
  assert.deepEqual(marks.relinks, [
    { from: "/a", to: "/b", time: EARLY },
    { from: "/b", to: "/c", time: LATE },
  ]);
  assert.equal(withMarks(row({ cwd: "/a/x" }), marks).cwd, "/c/x");
  assert.equal(withMarks(row({ cwd: "/q" }), marks).cwd, "/q");
  assert.equal(withMarks(row(), marks).cwd, undefined);
  const later = row({ cwd: "/a", created_at: "2026-11-21T20:30:00.000Z" });
  assert.equal(withMarks(later, marks).cwd, "/a");
});
