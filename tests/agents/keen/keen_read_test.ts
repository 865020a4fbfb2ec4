import assert from "node:assert/strict";
import { join } from "node:path";
import { keenAgent } from "../../../lib/agents/keen/keen_agent.ts";
import { pathDigest } from "../../../lib/core/workspace/namespace.ts";
import { locateAll, makeHome } from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";

const keen = new Reading(keenAgent);

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

Deno.test("a directory's sessions are found under all its spellings", async () => {
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
