import assert from "node:assert/strict";
import { join } from "node:path";
import type { NewEvent } from "../../../lib/core/event/envelope.ts";
import { inHome, sessionId } from "../../_support/cli_home.ts";
import { assistant, user } from "../../_support/log_bytes.ts";
import { allPages, readPage, talkAbout } from "./_history.ts";

/** Returns a call of a tool, and its answer. */
function called(call_id: string, name: string, input: unknown, output: string): NewEvent[] {
  return [
    {
      kind: "assistant_message",
      turn_id: "t1",
      payload: { content: [{ type: "tool_call", call_id, name, input }] },
    },
    { kind: "tool_end", turn_id: "t1", payload: { call_id, name, status: "ok", output } },
  ];
}

function ran(call_id: string, command: string, output: string): NewEvent[] {
  return [
    {
      kind: "assistant_message",
      turn_id: "t1",
      payload: { content: [{ type: "tool_call", call_id, name: "bash", input: { command } }] },
    },
    { kind: "bash_end", turn_id: "t1", payload: { call_id, command, status: "ok", output } },
  ];
}

inHome.test("search_sessions gives places that read_session takes", async (home) => {
  home.keep(sessionId("aaaa"), [user("Where is the zebra?"), assistant("In the zoo.")]);
  await using talk = await talkAbout(home);
  const found = await talk.call("search_sessions", { query: "zebra" });
  assert.match(
    readPage(found).text,
    /^aaaa0000#2 {2}user {2}2026-11-21 20:21 UTC {2}interrupted {2}Where .*\n {2}Where is the zebra\?\n$/,
  );
  assert.match(await talk.call("read_session", { ref: "aaaa0000#2" }), /\[user #2\] Where is/);
  assert.equal(
    await talk.call("search_sessions", { query: "okapi" }),
    "Nothing in this project. Other projects were not searched.",
  );
  assert.match(await talk.call("search_sessions", { query: "zoo", role: "assistant" }), /#3/);
  assert.equal(
    await talk.call("search_sessions", { query: "zoo", role: "user" }),
    "Nothing in this project. Other projects were not searched.",
  );
});

inHome.test("states the facts of a session once on a page of hits", async (home) => {
  home.keep(sessionId("aaaa"), [user("The zebra of the title"), assistant("A zebra, indeed")]);
  home.keep(sessionId("bbbb"), [user("Another zebra")]);
  await using talk = await talkAbout(home);
  const pages = await allPages(talk, "search_sessions", { query: "zebra", limit: 3 });
  const heads = pages.join("").split("\n").filter((line) => /^\w+#/.test(line));
  assert.deepEqual(heads.length, 3);
  assert.equal(heads.filter((head) => head.includes("The zebra of the title")).length, 1);
  const alone = await allPages(talk, "search_sessions", { query: "zebra", limit: 1 });
  const told = alone.filter((page) => page.includes("The zebra of the title\n"));
  assert.equal(told.length, 2, "each page says it");
});

inHome.test("search_sessions gives every hit once over its pages, also when it starts anew", async (home) => {
  for (let index = 0; index < 9; index++) {
    const events = Array.from({ length: 5 }, (_, at) => user(`A zebra, number ${index}.${at}`));
    home.keep(sessionId(`${index}000`), events);
  }
  await using talk = await talkAbout(home);
  const pages = await allPages(talk, "search_sessions", { query: "zebra", limit: 7 });
  const numbers = [...pages.join("").matchAll(/^ {2}A zebra, number (\d\.\d)$/gm)];
  assert.equal(pages.length, 7);
  assert.equal(new Set(numbers.map(([, number]) => number)).size, 45);
  const { cursor } = readPage(await talk.call("search_sessions", { query: "zebra", limit: 7 }));
  await using later = await talkAbout(home);
  const { text } = readPage(
    await later.call("search_sessions", { query: "zebra", limit: 7, cursor }),
  );
  assert.equal(text, pages[1]);
});

inHome.test("the caller's own session is no hit, as its environment or its request names it", async (home) => {
  home.keep(sessionId("aaaa"), [user("A zebra of long ago")]);
  home.keep(sessionId("bbbb"), [user("Find the zebra")]);
  await using talk = await talkAbout(home);
  assert.match(await talk.call("search_sessions", { query: "zebra" }), /Find the zebra/);
  for (const name of ["sessionId", "threadId"]) {
    const found = await talk.call("search_sessions", { query: "zebra" }, {
      [name]: sessionId("bbbb"),
    });
    assert.match(found, /long ago/);
    assert.doesNotMatch(found, /Find the zebra/);
  }
  await using started = await talkAbout(home, { caller: sessionId("bbbb") });
  const found = await started.call("search_sessions", { query: "zebra" });
  assert.doesNotMatch(found, /Find the zebra/);
});

inHome.test("calls of these tools, and of the commands that do the same, are no hits", async (home) => {
  home.keep(sessionId("aaaa"), [user("A zebra of long ago"), ...ran("c0", "cat zebra.txt", "x")]);
  await using talk = await talkAbout(home);
  const answer = await talk.call("search_sessions", { query: "zebra" });
  home.keep(sessionId("bbbb"), [
    ...called("c1", "mcp__reprise__search_sessions", { query: "zebra" }, answer),
    ...called("c2", "mcp__reprise__read_session", { ref: "aaaa0000#2" }, answer),
    ...ran("c3", "cd /x && reprise search zebra", "aaaa0000#2 A zebra of long ago"),
    ...called("c4", "Bash", { command: "reprise show aaaa0000#2 | grep zebra" }, "A zebra"),
    ...called("c5", "Read", { path: "zebra.md" }, "nothing"),
  ]);
  const pages = await allPages(talk, "search_sessions", { query: "zebra" });
  const places = [...pages.join("").matchAll(/^(\w+#\d+) /gm)].map(([, place]) => place);
  assert.deepEqual(places.sort(), ["aaaa0000#2", "aaaa0000#3", "bbbb0000#10"]);
});

inHome.test("a call that has no answer yet is no hit either", async (home) => {
  const [start] = called("c1", "search_sessions", { query: "zebra" }, "");
  const created = new Date(Date.now() - 20_000);
  home.keep(sessionId("aaaa"), [user("I look"), start!], { created });
  await using talk = await talkAbout(home);
  assert.equal(
    await talk.call("search_sessions", { query: "zebra" }),
    "Nothing in this project. Other projects were not searched.",
  );
});

inHome.test("a cursor of another query, of another tool or of a hit that is gone is an error", async (home) => {
  const kept = ["aaaa", "bbbb", "cccc"].map((id) => home.keep(sessionId(id), [user("A zebra")]));
  await using talk = await talkAbout(home);
  const { text, cursor } = readPage(
    await talk.call("search_sessions", { query: "zebra", limit: 1 }),
  );
  const cases: [string, object, RegExp][] = [
    ["search_sessions", { query: "zebras", cursor }, /another query/],
    ["search_sessions", { query: "zebra", role: "user", cursor }, /another query/],
    [
      "list_sessions",
      { cursor },
      /list_sessions cannot continue from this cursor, because it is from search_sessions/,
    ],
    [
      "read_session",
      { ref: "aaaa", cursor },
      /^Error: Cannot use cursor .*: read_session cannot continue from this cursor/,
    ],
    [
      "search_sessions",
      { query: "zebra", cursor: "nonsense" },
      /Reprise did not print this cursor/,
    ],
  ];
  for (const [name, args, message] of cases) await assert.rejects(talk.call(name, args), message);
  const shown = kept.find(({ id }) => text.startsWith(id.slice(0, 8)));
  await Deno.remove(join(shown?.directory ?? ""), { recursive: true });
  await assert.rejects(
    talk.call("search_sessions", { query: "zebra", cursor }),
    /the previous page's last hit no longer exists/,
  );
});

inHome.test("arguments that make no sense are refused, each with what it may be", async (home) => {
  home.keep(sessionId("aaaa"), [user("A zebra")]);
  await using talk = await talkAbout(home);
  const cases: [string, unknown, RegExp][] = [
    ["search_sessions", {}, /"query" is missing/],
    ["search_sessions", { query: 5 }, /"query": it must be a text/],
    ["search_sessions", { query: "(zebra" }, /parenthes|\(/],
    ["search_sessions", { query: "" }, /./],
    ["search_sessions", { query: "x".repeat(1001) }, /at most 1000 characters/],
    ["search_sessions", { query: "x", limit: 0 }, /from 1 to 50/],
    ["search_sessions", { query: "x", limit: 1e9 }, /from 1 to 50/],
    ["search_sessions", { query: "x", limit: "many" }, /from 1 to 50/],
    ["search_sessions", { query: "x", role: "admin" }, /user, assistant, reasoning, tool/],
    ["search_sessions", { query: "x", path: "/" }, /"path"; known arguments: query, cwd/],
    ["list_sessions", { since: "whenever" }, /./],
    ["read_session", { ref: "aaaa", tools: "all" }, /none, brief, full/],
    ["read_session", { ref: "-rf" }, /./],
    ["read_session", { ref: "../../etc/passwd" }, /a path is not allowed here/],
    ["read_session", { ref: "/etc/passwd" }, /a path is not allowed here/],
    ["read_session", { ref: "C:\\x" }, /path is not allowed|not an agent/],
    ["read_session", { ref: "ffff" }, /Cannot find session/],
    ["read_session", { ref: "team:ffff" }, /this server gives no access to team sessions/],
    [
      "read_session",
      { ref: "team:../../../etc/passwd" },
      /no access to team|not allowed|Cannot use/,
    ],
    ["read_session", { ref: "aaaa#99" }, /Cannot find event 99/],
  ];
  for (const [name, args, message] of cases) {
    await assert.rejects(talk.call(name, args), message, JSON.stringify(args));
  }
  assert.match(
    await talk.call("search_sessions", { query: "zebra", limit: "3", role: null }),
    /A zebra/,
  );
});

inHome.test("search_sessions never leaves its project, and says which tier answered", async (home) => {
  home.keep(sessionId("aaaa"), [
    user("Use postgres"),
    assistant("A pool"),
    ...ran("c1", "ls", "x"),
  ]);
  home.keep(sessionId("bbbb"), [user("Fly to Sydney")], { cwd: join(home.path, "other") });
  await using talk = await talkAbout(home);
  const nothing = await talk.call("search_sessions", { query: "Sydney" });
  assert.equal(nothing, "Nothing in this project. Other projects were not searched.");
  const across = await talk.call("search_sessions", { query: "pool postgres" });
  assert.match(across, /\nNo message has all of these words\. .*:\naaaa0000#2 [^]*\naaaa0000#3 /);
});

inHome.test("a question finds what is nearest by wording, in this project alone", async (home) => {
  for (let index = 0; index < 20; index++) {
    home.keep(sessionId(`${1000 + index}`), [user(`Rename the column ${index}`)]);
  }
  home.keep(sessionId("aaaa"), [user("Feed the zebras"), assistant("They eat hay at noon.")]);
  home.keep(sessionId("bbbb"), [user("When are okapis fed?"), assistant("At midnight.")], {
    cwd: join(home.path, "other"),
  });
  await using talk = await talkAbout(home);
  const found = await talk.call("search_sessions", { query: "which hay do zebras eat?" });
  assert.match(
    readPage(found).text,
    /^No session has all of these words\. Nearest by wording:\naaaa0000#3 {2}assistant/,
  );
  assert.match(
    readPage(await talk.call("search_sessions", { query: "columns of the okapi" })).text,
    /^Nothing close\. Weak matches:\n(?!.*bbbb)/,
  );
  assert.equal(
    await talk.call("search_sessions", { query: "okapi at midnight" }),
    "Nothing in this project. Other projects were not searched.",
  );
});
