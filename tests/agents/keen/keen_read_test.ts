import assert from "node:assert/strict";
import { join } from "node:path";
import { keenAgent, keenFormat } from "../../../lib/agents/keen/keen_agent.ts";
import { pathDigest } from "../../../lib/workspace/namespace.ts";
import { locateAll, makeHome } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";

const keen = new Reading(keenAgent, { format: keenFormat });

const ID = "0b6c0a52-5f0e-4f5e-8a7e-2f6f1a3b9c09";

function header(cwd: string, id = ID): string {
  const created_at = "2026-08-02T09:30:00Z";
  return JSON.stringify({
    seq: 1,
    kind: "session_started",
    session_started: { session_id: id, created_at, cwd },
  }) + "\n";
}

function prompt(seq: number, content: string): string {
  return JSON.stringify({ seq, kind: "user_message", user_message: { content } }) + "\n";
}

function turn(seq: number, output: string): string {
  const transcript = [{ kind: "bash", bash: { command: "cat big", output } }];
  const assistant_turn = { transcript, message: "Read it." };
  return JSON.stringify({ seq, kind: "assistant_turn", assistant_turn }) + "\n";
}

const NAMESPACE = ".keen/sessions/home-dev-shop-545e4e1f71";

function at(id: string): string {
  return `${NAMESPACE}/${id}/transcript_events.jsonl`;
}

const PLAIN = "0b6c0a52-5f0e-4f5e-8a7e-2f6f1a3b9c01";
const TOOLS = "0b6c0a52-5f0e-4f5e-8a7e-2f6f1a3b9c02";
const COMPACTION = "0b6c0a52-5f0e-4f5e-8a7e-2f6f1a3b9c03";

const HOME = {
  fork: null,
  files: {
    [at(PLAIN)]: keen.fixture("plain.jsonl"),
    [at(TOOLS)]: keen.fixture("tools.jsonl"),
    [at(COMPACTION)]: keen.fixture("compaction.jsonl"),
    [`${NAMESPACE}/notes.txt`]: "not a session",
    [`${NAMESPACE}/empty/other.jsonl`]: "{}\n",
  },
  ids: [PLAIN, TOOLS, COMPACTION],
  cwd: "/home/dev/shop",
};

keen.testContract("keen", HOME);
keen.testContract("keen, tools", { ...HOME, id: TOOLS });
keen.testContract("keen, compaction", { ...HOME, id: COMPACTION });

Deno.test("a turn shows each tool with its outcome, paired by name and input", async () => {
  const items = await keen.transcript("tools.jsonl");
  const shown = items.map((item) => {
    if (item.type === "tool") return [item.name, item.status, item.output ?? item.error];
    if (item.type === "bash") return [item.command, item.status, item.output, item.exit_code];
    if (item.type === "diff") return [item.path, item.lines.map(({ kind }) => kind).join()];
    return item.type;
  });
  assert.deepEqual(shown, [
    "session",
    "message",
    "reasoning",
    "message",
    ["read_file", "ok", '{"content":"package a","lines":1}'],
    ["read_file", "ok", "package b"],
    ["edit_file", "error", "no match"],
    ["a.go", "hunk,removed,added"],
    ["go test", "ok", "FAIL", 1],
    ["grep", "error", "bad pattern"],
    "message",
    "message",
  ]);
  const orphan = items.find((item) => item.type === "tool" && item.name === "grep");
  assert.ok(orphan?.type === "tool" && orphan.orphan);
});

Deno.test("the model gets the calls again, and only how they ended", async () => {
  const found = await keen.session("tools.jsonl");
  const messages = await keen.messages(found);
  const { events } = await keen.read(found);
  assert.ok(events.every(({ kind }) => !/compaction|replaced/.test(kind)), "nothing is made up");
  const call = (n: number, name: string, input: unknown) =>
    ({ type: "tool_call", call_id: `historical_2_${n}`, name, input }) as const;
  const result = (n: number, name: string, status: string, output: string) => ({
    type: "tool_result",
    call_id: `historical_2_${n}`,
    name,
    status,
    output,
  });
  assert.deepEqual(messages, [
    { role: "user", content: "Fix the total" },
    {
      role: "assistant",
      content: [
        { type: "text", text: "Ünd los.\n" },
        call(0, "read_file", { path: "b.go" }),
        call(1, "read_file", { path: "a.go" }),
        call(2, "edit_file", { path: "a.go" }),
        call(3, "bash", { command: "go test" }),
      ],
    },
    {
      role: "tool",
      content: [
        result(0, "read_file", "ok", '{"status":"success"}'),
        result(1, "read_file", "ok", '{"status":"success"}'),
        result(2, "edit_file", "error", '{"status":"error"}'),
        result(3, "bash", "ok", '{"status":"success","exit_code":1}'),
      ],
    },
    { role: "assistant", content: [{ type: "text", text: "Done." }, call(4, "grep", {})] },
    { role: "tool", content: [result(4, "grep", "error", '{"status":"error"}')] },
    { role: "user", content: "thanks" },
  ]);
});

Deno.test("prose alone is sent as it is shown, stopped or not, and an error is no message", async () => {
  const plain = await keen.session("plain.jsonl");
  const { messages, compaction_seq } = await keen.conversation(plain);
  assert.equal(compaction_seq, undefined);
  assert.deepEqual(messages.map(({ role, content }) => [role, content]), [
    ["user", "Why is <total> wrong?\nSee ünïcödé ✓"],
    ["assistant", "It adds the tax twice."],
    ["user", "  Fix\n it  "],
    ["assistant", "Changing it n"],
    ["user", "go on"],
  ]);
  const items = await keen.transcript(plain);
  assert.ok(items.some((item) => item.type === "message" && item.interrupted));
  assert.ok(items.some((item) => item.type === "failure" && item.message === "529 overloaded"));
  const { events } = await keen.read(plain);
  assert.equal(events.at(-1)?.kind, "session_renamed");
});

Deno.test("a compaction replaces the conversation; one without payload does nothing", async () => {
  const compacted = await keen.session("compaction.jsonl");
  const messages = await keen.messages(compacted);
  const call_id = "historical_2_0";
  assert.deepEqual(messages, [
    { role: "user", content: "They said first." },
    {
      role: "assistant",
      content: [
        { type: "text", text: "ok" },
        { type: "tool_call", call_id, name: "bash", input: {} },
      ],
    },
    {
      role: "tool",
      content: [
        { type: "tool_result", call_id, name: "bash", status: "ok", output: '{"stdout":"1"}' },
      ],
    },
    { role: "user", content: "second" },
    { role: "assistant", content: "third" },
  ]);
  const items = await keen.transcript(compacted);
  const shown = items.flatMap((item) =>
    item.type === "compaction" ? [[item.status, item.summary]] : []
  );
  assert.deepEqual(shown, [["Context compacted.", "They said first."]]);
  const { found } = await keen.read(compacted);
  assert.deepEqual(found.map(({ code, line }) => [code, line]), [["invalid-compaction", 3]]);
});

Deno.test("lines that Keen passes over are no part of the talk, but kept", async () => {
  const emptied = await keen.session("emptied.jsonl");
  assert.deepEqual((await keen.conversation(emptied)).messages, []);
  const { events, found, account } = await keen.read(emptied);
  const kept = events.flatMap((event) =>
    event.form === "known" && event.kind === "extension" ? [event.payload.type] : []
  );
  assert.deepEqual(kept, ["user_message", "user_message", "future_kind", "assistant_turn"]);
  assert.deepEqual(found.map(({ code, line }) => [code, line]), [
    ["invalid-payload", 4],
    ["invalid-payload", 5],
  ]);
  assert.equal(account.events, account.total);
});

Deno.test("a log without its first line begins with what the folder tells", async () => {
  const path = `.keen/sessions/x-0123456789/${ID}/transcript_events.jsonl`;
  await using home = await makeHome({ [path]: prompt(2, "hello") });
  const found = await keen.found(home);
  const read = await keen.read(found);
  const [first] = read.events;
  assert.ok(first?.form === "known" && first.kind === "session_started");
  assert.equal(first.payload.session_id, ID);
  assert.equal(first.payload.created_at, Deno.statSync(found.path).mtime?.toISOString());
  assert.deepEqual(read.found.map(({ code }) => code), ["missing-header"]);
  assert.equal((await keen.conversation(found)).messages.length, 1);
});

Deno.test("a record that was glued to a torn one is read", async () => {
  const path = `.keen/sessions/x-0123456789/${ID}/transcript_events.jsonl`;
  const torn = prompt(2, "lost in the middle").slice(0, 40);
  await using home = await makeHome({ [path]: header("/w") + torn + prompt(3, "kept") });
  const found = await keen.found(home);
  const read = await keen.read(found);
  assert.deepEqual(read.found.map(({ code }) => code), ["glued-line"]);
  assert.equal(read.account.damage, 40);
  const messages = await keen.messages(found);
  assert.deepEqual(messages, [{ role: "user", content: "kept" }]);
});

Deno.test("sessions are found in a linked folder", async () => {
  const ids = [1, 2, 3].map((n) => `0b6c0a52-5f0e-4f5e-8a7e-00000000000${n}`);
  await using home = await makeHome({ "shop/x": "" });
  const real = join(home.path, "shop");
  const link = join(home.path, "link");
  Deno.symlinkSync(real, link);
  const spelled: [string, string, string][] = [
    [`shop-${pathDigest(real)}`, real, ids[0] as string],
    [`link-${pathDigest(link)}`, link, ids[1] as string],
    ["renamed-by-hand", link, ids[2] as string],
    [`other-${pathDigest("/other")}`, "/other", ID],
  ];
  const store = join(home.path, "moved");
  for (const [namespace, cwd, id] of spelled) {
    const folder = join(store, namespace, id);
    Deno.mkdirSync(folder, { recursive: true });
    Deno.writeTextFileSync(join(folder, "transcript_events.jsonl"), header(cwd, id));
  }
  Deno.mkdirSync(join(home.path, ".keen"));
  Deno.symlinkSync(store, join(home.path, ".keen", "sessions"));
  assert.equal((await locateAll(keenAgent, home.environment)).length, 4);
});

Deno.test("calls have ids of their own where two processes wrote one log", async () => {
  const path = `.keen/sessions/x-0123456789/${ID}/transcript_events.jsonl`;
  const tool_activity = [{ tool: "bash", status: "success" }];
  const assistant_turn = { message: "", turn_memory: { tool_activity } };
  const used = (seq: number): string =>
    JSON.stringify({ seq, kind: "assistant_turn", assistant_turn }) + "\n";
  const one = prompt(2, "one") + used(3) + prompt(4, "two") + used(5);
  const other = prompt(2, "other") + used(3) + prompt(4, "more") + used(5);
  await using home = await makeHome({ [path]: header("/w") + one + other });
  const found = await keen.found(home);
  const messages = await keen.messages(found);
  const ids = messages.flatMap(({ content }) => typeof content === "string" ? [] : content)
    .flatMap((part) => part.type === "tool_call" ? part.call_id : []);
  assert.equal(ids.length, 4);
  assert.equal(new Set(ids).size, 4);
});

Deno.test("a list needs the first prompt and the last, not what lies between", async () => {
  const path = `.keen/sessions/x-0123456789/${ID}/transcript_events.jsonl`;
  const big = turn(3, "x".repeat(300_000));
  const middle = prompt(4, "between").repeat(5_000);
  const log = header("/w") + prompt(2, "first  one") + big + middle + prompt(5, "the last") + big;
  await using home = await makeHome({ [path]: log });
  const row = await keen.assertSameRow(await keen.found(home), 5_002);
  const { title, first_user_message, cwd } = row;
  assert.deepEqual([title, first_user_message, cwd], ["the last", "first one", "/w"]);
});

Deno.test("a log of ours, whose file has the same name, is none of Keen's", () => {
  const ours = '{"v":1,"seq":1,"kind":"session_started","payload":{"session_id":"x"}}\n';
  const encoder = new TextEncoder();
  assert.ok(!keenAgent.recognize("transcript_events.jsonl", encoder.encode(ours)));
  assert.ok(keenAgent.recognize("copy.jsonl", encoder.encode("torn{\n" + header("/w"))));
});
