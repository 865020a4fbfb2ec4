/** What a program without types may give to a store, a session and a turn: only typed errors. */
import assert from "node:assert/strict";
import { tooOldRuntime } from "../../../lib/core/platform/runtime.ts";
import { checkRuntime } from "../../../lib/core/store/checked_arguments.ts";
import { memoryStore, openStore, SessionError, type Store } from "../../../mod.ts";
import { fromMessages, plainMessages, toMessages } from "../../../mod.ts";
import { exportDocument } from "../../../lib/features/export/mod.ts";
import { openLocalStore } from "../../../lib/core/store/mod.ts";
import { openLibrary, usageOf } from "../../../lib/library/mod.ts";
import { inDirectory } from "../../_support/temp_directory.ts";

// deno-lint-ignore no-explicit-any -- that is what such a program gives
const any = (value: unknown): any => value;

/** The codes of all that a call refuses; a call that takes a value is named. */
async function assertRefused(
  code: string,
  names: RegExp,
  values: readonly unknown[],
  call: (value: unknown) => unknown,
): Promise<void> {
  for (const value of values) {
    const says = `${call} of ${JSON.stringify(value) ?? String(value)}`;
    await assert.rejects(
      async () => await call(value),
      (error) => {
        assert.ok(error instanceof SessionError, `${says}: ${error}`);
        assert.equal(error.code, code, `${says}: ${error.message}`);
        assert.match(error.message, names, says);
        return true;
      },
      says,
    );
  }
}

const OBJECTS = [null, 5, "x"];

async function checkStore(store: Store, cwd: string): Promise<void> {
  const bad = "invalid-argument";
  for (const make of [store.create.bind(store), store.continueLast.bind(store)]) {
    await assertRefused(bad, /options/, [undefined, ...OBJECTS], (value) => make(any(value)));
    await assertRefused(
      bad,
      /options\.cwd/,
      [undefined, null, 5, "", " "],
      (value) => make(any({ cwd: value })),
    );
    await assertRefused(
      "invalid-event",
      /payload\.title/,
      [null, 5],
      (value) => make(any({ cwd, title: value })),
    );
    await assertRefused(
      "invalid-event",
      /payload\.app\.name/,
      [{}, { name: 5 }],
      (value) => make(any({ cwd, app: value })),
    );
    await assertRefused(
      "invalid-event",
      /payload\.environment/,
      [5, { depth: NaN }],
      (value) => make(any({ cwd, environment: value })),
    );
  }
  const refs = [undefined, null, 5, [], {}];
  for (const name of ["resume", "load", "remove", "events", "fork"] as const) {
    await assertRefused("invalid-ref", /reference/, refs, (value) => store[name](any(value)));
  }
  await assertRefused(bad, /options/, OBJECTS, (value) => store.list(any(value)));
  await assertRefused(bad, /options/, OBJECTS, (value) => store.last(any(value)));
  for (
    const [name, values] of Object.entries({
      cwd: [null, 5],
      title: [null, 5],
      limit: [null, -1, 1.5, NaN, "5"],
      since: [null, 5, "2026-11-21", new Date(NaN)],
      archived: [null, "yes", 1],
      exact: [null, "yes", 1],
      onError: [null, "log"],
    })
  ) {
    await assertRefused(
      bad,
      new RegExp(`options\\.${name}`),
      values,
      (value) => store.list(any({ [name]: value })),
    );
  }
  const session = store.create({ cwd });
  await session.turn().user("Hello");
  await session.release();
  await assertRefused(bad, /options/, OBJECTS, (value) => store.fork(session.id, any(value)));
  await assertRefused(
    bad,
    /options\.title/,
    [null, 5],
    (value) => store.fork(session.id, any({ title: value })),
  );
  await assertRefused(
    bad,
    /options\.seq/,
    [null, "5", NaN, {}],
    (value) => store.fork(session.id, any({ seq: value })),
  );
  await assertRefused(bad, /options/, OBJECTS, (value) => store.load(session.id, any(value)));
  await checkAnnotations(store, session.id);
  await assertRefused(
    bad,
    /options\.tools/,
    [null, "yes"],
    (value) => store.load(session.id, any({ tools: value })),
  );
}

/** A title and a flag, of a session that is closed and of one that is open. */
async function checkAnnotations(store: Store, id: string): Promise<void> {
  const bad = "invalid-argument";
  const before = await store.load(id);
  const wrong = [undefined, null, 5, {}];
  for (const open of [undefined, await store.resume(id)]) {
    await assertRefused(bad, /title/, wrong, (value) => store.rename(id, any(value)));
    await assertRefused(
      bad,
      /archived/,
      [null, 5, "yes"],
      (value) => store.archive(id, any(value)),
    );
    await open?.release();
  }
  await assertRefused("invalid-ref", /reference/, wrong, (value) => store.rename(any(value), "x"));
  await assertRefused("invalid-ref", /reference/, wrong, (value) => store.archive(any(value)));
  assert.deepEqual(await store.load(id), before);
}

async function checkSession(store: Store, cwd: string): Promise<void> {
  const bad = "invalid-event";
  await using session = store.create({ cwd });
  const turn = session.turn();
  await assertRefused(
    bad,
    /content is empty/,
    ["", [], [{ type: "text", text: "" }]],
    (value) => turn.user(any(value)),
  );
  await assertRefused(
    bad,
    /content/,
    [undefined, null, 5, {}, [{}], [null]],
    (value) => turn.user(any(value)),
  );
  await assertRefused(
    bad,
    /answer/,
    [undefined, null, 5, "x", {}, { model: "m" }],
    (value) => turn.assistant(any(value)),
  );
  const calls = [5, {}, [null], [{}], [{ name: "read" }], [{ name: 5, input: {} }]];
  await assertRefused(
    bad,
    /answer\.calls|content/,
    calls,
    (value) => turn.assistant({ calls: any(value) }),
  );
  await assertRefused(
    bad,
    /answer\.reasoning|content/,
    [5, "x", [null], [{}]],
    (value) => turn.assistant({ reasoning: any(value) }),
  );
  const usages = [null, 5, { input: -1 }, { input: NaN }, { output: "5" }, { input_tokens: 5 }];
  await assertRefused(
    bad,
    /payload\.usage/,
    usages,
    (value) => turn.assistant({ text: "x", usage: any(value) }),
  );
  for (const text of [null, 5, [], [{ type: "text", text: "x" }]]) {
    await assertRefused(
      bad,
      /answer\.text|content/,
      [text],
      (value) => turn.assistant({ text: any(value) }),
    );
  }
  const unwritten = [() => 5, Symbol("s"), { toJSON: () => undefined }];
  await assertRefused(
    bad,
    /input/,
    unwritten,
    (value) => turn.assistant({ calls: [{ name: "read", input: value }] }),
  );
  await assertRefused(
    bad,
    /payload\.(?:usage|provider_data)/,
    [...unwritten, new Map([["input", 5]]), new Set([5])],
    (value) => turn.assistant({ text: "x", provider_data: value }),
  );
  await assertRefused(
    bad,
    /payload\.usage/,
    [new Date(), new Map([["input", 5]])],
    (value) => turn.assistant({ text: "x", usage: any(value) }),
  );
  await assertRefused(
    bad,
    /payload\.cost_usd/,
    [null, -1, NaN, "1"],
    (value) => turn.assistant({ text: "x", cost_usd: any(value) }),
  );
  await turn.user("Go on");
  await turn.assistant({ calls: [{ id: "c1", name: "read", input: {} }] });
  await assertRefused(bad, /call_id/, [undefined, null, 5, {}], (value) => turn.start(any(value)));
  await assertRefused(bad, /call_id/, [undefined, null, 5, {}], (value) => turn.result(any(value)));
  await assertRefused(bad, /result/, [null, 5, "x"], (value) => turn.result("c1", any(value)));
  await assertRefused(
    bad,
    /status/,
    [null, 5, "done"],
    (value) => turn.result("c1", { status: any(value) }),
  );
  await assertRefused(bad, /value/, unwritten, (value) => turn.result("c1", { json: value }));
  await assertRefused(
    bad,
    /duration_ms/,
    [null, -1, NaN, "5"],
    (value) => turn.result("c1", { duration_ms: any(value) }),
  );
  await assertRefused(
    bad,
    /event/,
    [undefined, null, 5, "x", {}, { kind: "no" }],
    (value) => session.append(any(value)),
  );
  await assertRefused(
    bad,
    /time/,
    [5, null, "today", "2026-99-01", new Date()],
    (value) =>
      session.append({ kind: "user_message", time: any(value), payload: { content: "x" } }),
  );
  await assertRefused("invalid-argument", /id/, [null, 5, {}], (value) => session.turn(any(value)));
  await assertRefused(
    "invalid-argument",
    /shape.*anthropic/,
    [undefined, null, "no"],
    (value) => session.request(any(value)),
  );
  await assertRefused(
    "invalid-argument",
    /options/,
    OBJECTS,
    (value) => session.conversation(any(value)),
  );
  await assertRefused(
    bad,
    /payload/,
    [null, 5, {}, { status: "ended" }],
    (value) => session.finish(any(value)),
  );
}

inDirectory.test("wrong arguments of a store, a session and a turn are typed errors that name the field", async (root) => {
  for (const store of [memoryStore(), openStore({ root })]) {
    await checkStore(store, root);
    await checkSession(store, root);
  }
});

inDirectory.test("wrong options of a store are typed errors, and nothing is kept elsewhere", async (root) => {
  const bad = "invalid-argument";
  const given = { root: [null, 5, "", " "], durability: [null, 5, "", "events", "always"] };
  await assertRefused(bad, /options/, OBJECTS, (value) => openStore(any(value)));
  await assertRefused(bad, /options/, OBJECTS, (value) => memoryStore(any(value)));
  for (const [name, values] of Object.entries(given)) {
    const field = new RegExp(`options\\.${name}`);
    await assertRefused(bad, field, values, (value) => openStore(any({ root, [name]: value })));
  }
  for (const name of ["now", "newId"]) {
    const field = new RegExp(`options\\.${name}`);
    const values = [null, 5, "x", new Date()];
    await assertRefused(bad, field, values, (value) => openStore(any({ root, [name]: value })));
    await assertRefused(bad, field, values, (value) => memoryStore(any({ [name]: value })));
  }
  const named = openStore({ root, newId: () => "talk/1" });
  await assertRefused(
    bad,
    /the id "talk\/1" is not safe/,
    [root],
    (cwd) => named.create({ cwd: any(cwd) }),
  );
  for (const now of [() => 5, () => new Date(NaN)]) {
    for (const make of [memoryStore, (given: object) => openStore({ root, ...given })]) {
      await assertRefused(
        bad,
        /now/,
        [now],
        (value) => make({ now: any(value) }).create({ cwd: root }),
      );
    }
  }
});

inDirectory.test("a clock that fails later is a typed error of a fork, too", async (root) => {
  for (const make of [memoryStore, (given: object) => openStore({ root, ...given })]) {
    let time = new Date("2026-11-21T20:21:50.004Z");
    const store = make({ now: () => time });
    const session = store.create({ cwd: root });
    await session.append({ kind: "user_message", payload: { content: "hi" } });
    await session.release();
    time = new Date(NaN);
    await assertRefused("invalid-argument", /now/, [session.id], (id) => store.fork(any(id)));
  }
});

/** Calls of a store and its sessions with an option of a wrong name, and the name that is meant. */
async function checkNames(store: Store, cwd: string): Promise<void> {
  const session = store.create({ cwd });
  const turn = session.turn();
  await turn.user("Hello");
  const wrong: [string, () => unknown][] = [
    ["title", () => store.create(any({ cwd, tittle: "x" }))],
    ["cwd", () => store.continueLast(any({ cdw: cwd }))],
    ["archived", () => store.list(any({ archivd: "any" }))],
    ["cwd", () => store.last(any({ cwdd: cwd }))],
    ["tools", () => store.load(session.id, any({ tool: "omit" }))],
    ["title", () => store.fork(session.id, any({ titel: undefined }))],
    ["reasoning", () => session.conversation(any({ reasonning: "omit" }))],
    ["reasoning", () => session.request("openai", any({ reasonning: "omit" }))],
    ["keep_from", () => session.compact(any({ summary: "S", keepFrom: 2 }))],
    ["title", () => session.subagent(any({ titel: "x" }))],
    ["reasoning", () => turn.assistant(any({ text: "x", reasonning: [] }))],
    ["input", () => turn.assistant(any({ calls: [{ name: "a", inputs: {} }] }))],
    ["output", () => turn.result("c1", any({ outptu: "x" }))],
    ["exit_code", () => session.finish(any({ status: "completed", exitCode: 1 }))],
    ["usage", () => fromMessages("openai", [], any({ usages: {} }))],
  ];
  for (const [meant, call] of wrong) {
    await assert.rejects(async () => await call(), (error) => {
      assert.ok(error instanceof SessionError, `${call}: ${error}`);
      assert.match(error.message, /is not an option; did you mean /, `${call}`);
      assert.equal(error.hint, `did you mean ${meant}?`, `${call}`);
      return true;
    });
  }
  for (const [name, value] of [["session_id", "talk-1"], ["parent", {}], ["cwd", cwd]] as const) {
    await assertRefused(
      "invalid-argument",
      /is not an option; (?:give one of id, title|did you mean id\?)/,
      [{ [name]: value }],
      (given) =>
        name === "session_id"
          ? store.create(any({ cwd, ...any(given) }))
          : session.subagent(any(given)),
    );
  }
  assert.equal((await session.conversation()).messages.length, 1);
  await session.release();
}

inDirectory.test("an option of a wrong name is refused with the name that is meant", async (root) => {
  await checkNames(openStore({ root }), root);
  await checkNames(memoryStore(), root);
  const refused = (meant: string): object => ({
    code: "invalid-argument",
    message: new RegExp(`is not an option; did you mean ${meant}\\?`),
  });
  for (const open of [openStore, openLibrary]) {
    assert.throws(() => open(any({ rooot: root })), refused("root"));
    assert.throws(() => open(any({ rooot: undefined })), refused("root"));
  }
  assert.throws(() => memoryStore(any({ newID: () => "x" })), refused("newId"));
  const store = openLocalStore({ root });
  await assert.rejects(store.prune(any({ max_byte: 1 })), refused("max_bytes"));
  await assert.rejects(store.emptyTrash(any({ dryRun: true })), refused("dry_run"));
  await assert.rejects(store.makeFork("3f6a", any({ sequ: 1 })), refused("seq"));
  await assert.rejects(store.merge([], any({ titel: "x" })), refused("title"));
  const library = openLibrary({ root, variable: () => undefined });
  await assert.rejects(library.query(any({ agent: ["pi"] })), refused("agents"));
  await assert.rejects(library.open("3f6a", any({ key: {} })), refused("keys"));
});

Deno.test("an answer without text, reasoning and calls is refused, and so is one with too much", async () => {
  const session = memoryStore().create({ cwd: "/home/ada/src" });
  const turn = session.turn();
  await turn.user("Hello");
  const nothing = [
    ...[{}, { text: "" }, { calls: [] }, { text: "", calls: [], reasoning: [] }],
    ...[{ content: "" }, { content: [] }, { text: "", usage: { input: 1 } }],
  ];
  await assertRefused(
    "invalid-event",
    /is empty: give text, reasoning, calls or content/,
    nothing,
    (value) => turn.assistant(any(value)),
  );
  const calls = [{ name: "read", input: {} }];
  await assertRefused(
    "invalid-event",
    /has both content and (?:calls|text)/,
    [{ content: "A", calls }, { content: "A", text: "B" }],
    (value) => turn.assistant(any(value)),
  );
  await turn.assistant({ calls: [{ id: "c1", name: "read", input: {} }] });
  await assertRefused(
    "invalid-event",
    /has both output and json/,
    [{ output: "x", json: {} }],
    (value) => turn.result("c1", any(value)),
  );
  await turn.assistant({ reasoning: [{ text: "Hm" }] });
  assert.equal((await session.conversation()).messages.length, 4);
});

Deno.test("wrong messages and options of a conversion are typed errors that name the field", async () => {
  const bad = "invalid-argument";
  const wrong = [undefined, null, 5, {}, "x"];
  await assertRefused(bad, /messages/, wrong, (value) => toMessages(any(value), "openai"));
  await assertRefused(
    bad,
    /messages\[0\]/,
    [...wrong, { role: "robot", content: "a" }, { role: "user", content: 5 }],
    (value) => toMessages([any(value)], "openai"),
  );
  await assertRefused(
    bad,
    /messages\[0\]\.content\[0\]/,
    [null, 5, "x"],
    (value) => toMessages([{ role: "user", content: [any(value)] }], "openai"),
  );
  const said = [{ role: "assistant", content: "Hi" }];
  await assertRefused(bad, /options/, OBJECTS, (value) => fromMessages("openai", said, any(value)));
  await assertRefused(
    bad,
    /options\.before/,
    [null, 5, "x", {}, [null], [{ role: "user" }]],
    (value) => fromMessages("openai", said, { before: any(value) }),
  );
});

Deno.test("wrong names of forms are typed errors with the names that exist", async () => {
  const bad = "invalid-argument";
  const names = [undefined, null, 5, "markdown"];
  await assertRefused(bad, /md, html/, names, (value) => exportDocument(any(value)));
  await assertRefused(bad, /openai/, names, (value) => toMessages([], any(value)));
  await assertRefused(bad, /openai/, [...names, "plain"], (value) => fromMessages(any(value), []));
  await assertRefused(bad, /openai/, names, (value) => plainMessages(any(value), []));
});

inDirectory.test("usageOf tells days in UTC unless it is told otherwise", async (root) => {
  const now = (): Date => new Date("2026-11-21T23:30:00.000Z");
  const session = openStore({ root, now }).create({ cwd: root });
  await session.turn().assistant({ text: "Hi", usage: { input: 5, output: 2 } });
  await session.finish();
  const library = openLibrary({ root, variable: () => undefined });
  const [used] = await usageOf((await library.query()).entries);
  assert.deepEqual(used?.rows.map(({ day, usage }) => [day, usage]), [
    ["2026-11-21", { input: 5, output: 2 }],
  ]);
});

Deno.test("a runtime that could write a session, but not read it, is refused at once", () => {
  checkRuntime();
  const reason = tooOldRuntime(null);
  assert.match(reason ?? "", /^(Node|Bun) \S+ is too old; install (Node|Bun) \d+\.\d/);
  const message = `Cannot open store: ${reason}`;
  assert.throws(() => checkRuntime(reason), { code: "unsupported-version", message });
});
