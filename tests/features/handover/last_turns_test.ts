/** The last turns of a long session come from its end: what is before is not read. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { planHandover } from "../../../lib/features/handover/mod.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import type { SessionHandle } from "../../../lib/library/handle/session_handle.ts";
import { factsOfHanded } from "../../_support/handed_session.ts";
import { withDirectory } from "../../_support/temp_directory.ts";

const TARGET = { agent: "pi" as const };
const BEGUN = Date.parse("2026-03-01T09:00:00.000Z");
const NOW = Date.parse("2027-01-01T00:00:00.000Z");
const TURNS = 100;
/** Some 2.5 MB in all: an end of 1 MB is less than half of it. */
const OUTPUT = "x".repeat(24_000);
const ID = "01a1aaaa-0000-7000-8000-000000000077";

/** Lines of a long session; `compacts` says behind which turn it is compacted. */
type Made = (compacts: number) => { path: string; lines: unknown[] };

const claude: Made = (compacts) => {
  const lines: object[] = [];
  let last: string | null = null;
  const add = (type: string, body: object): void => {
    const uuid: string = `c0ffee00-0000-4000-9000-${String(lines.length).padStart(12, "0")}`;
    const link = "subtype" in body
      ? { parentUuid: null, logicalParentUuid: last }
      : { parentUuid: last };
    const timestamp = new Date(BEGUN + 1000 * lines.length).toISOString();
    const rest = { uuid, timestamp, sessionId: ID, cwd: "/w" };
    lines.push({ ...link, isSidechain: false, type, ...body, ...rest });
    last = uuid;
  };
  const answer = (id: string, block: object): void =>
    add("assistant", { message: { id, role: "assistant", content: [block] } });
  for (let turn = 0; turn < TURNS; turn++) {
    add("user", { message: { role: "user", content: `Prompt ${turn}` } });
    answer(`m${turn}`, {
      type: "tool_use",
      id: `t${turn}`,
      name: "Bash",
      input: { command: "ls" },
    });
    const result = { tool_use_id: `t${turn}`, type: "tool_result", content: OUTPUT };
    add("user", { message: { role: "user", content: [result] } });
    answer(`n${turn}`, { type: "text", text: `Answer ${turn}` });
    if (turn !== compacts) continue;
    add("system", { subtype: "compact_boundary", content: "Compacted", compactMetadata: {} });
    add("user", { isCompactSummary: true, message: { role: "user", content: "Summary" } });
  }
  return { path: `.claude/projects/-w/${ID}.jsonl`, lines };
};

const codex: Made = (compacts) => {
  const lines: unknown[] = [{ type: "session_meta", payload: { id: ID, cwd: "/w" } }];
  const item = (payload: object): number => lines.push({ type: "response_item", payload });
  const say = (role: string, type: string, text: string): number =>
    item({ type: "message", role, content: [{ type, text }] });
  for (let turn = 0; turn < TURNS; turn++) {
    say("user", "input_text", `Prompt ${turn}`);
    const call_id = `t${turn}`;
    item({ type: "function_call", name: "shell_command", arguments: '{"command":"ls"}', call_id });
    item({ type: "function_call_output", call_id, output: OUTPUT });
    say("assistant", "output_text", `Answer ${turn}`);
    if (turn === compacts) lines.push({ type: "compacted", payload: { message: "Summary" } });
  }
  return { path: `.codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${ID}.jsonl`, lines };
};

const pi: Made = (compacts) => {
  const lines: unknown[] = [{ type: "session", version: 3, id: ID, cwd: "/w" }];
  const add = (entry: object): void => {
    const parentId = lines.length === 1 ? null : `e${lines.length - 1}`;
    lines.push({ ...entry, id: `e${lines.length}`, parentId });
  };
  const say = (role: string, content: object[], more: object = {}): void =>
    add({ type: "message", message: { role, content, ...more } });
  for (let turn = 0; turn < TURNS; turn++) {
    say("user", [{ type: "text", text: `Prompt ${turn}` }]);
    const call = { type: "toolCall", id: `t${turn}`, name: "bash", arguments: { command: "ls" } };
    say("assistant", [call], { stopReason: "toolUse" });
    const result = { toolCallId: `t${turn}`, toolName: "bash", isError: false };
    say("toolResult", [{ type: "text", text: OUTPUT }], result);
    say("assistant", [{ type: "text", text: `Answer ${turn}` }], { stopReason: "stop" });
    const first = `e${lines.length - 1}`;
    if (turn === compacts) add({ type: "compaction", summary: "Summary", firstKeptEntryId: first });
  }
  return { path: `.pi/agent/sessions/--w--/2026-03-01T09-00-00-000Z_${ID}.jsonl`, lines };
};

/** Runs a test with such a session. `whole` counts how often all of it is read. */
async function withLong(
  agent: string,
  { path, lines }: ReturnType<Made>,
  test: (handle: SessionHandle, read: { whole: number }) => Promise<void>,
): Promise<void> {
  await withDirectory(async (home) => {
    const file = join(home, path);
    await Deno.mkdir(join(file, ".."), { recursive: true });
    await Deno.writeTextFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const variable = (name: string) => name === "HOME" ? home : undefined;
    const handle = await openLibrary({ root: join(home, "store"), variable }).open(
      `${agent}:${ID}`,
    );
    const read = { whole: 0 };
    const events = handle.events.bind(handle);
    handle.events = (options) => {
      read.whole++;
      return events(options);
    };
    await test(handle, read);
  });
}

async function handedTexts(handle: SessionHandle, last: number): Promise<string[]> {
  const plan = await planHandover(handle, TARGET, { now: NOW, last });
  assert.equal(plan.cut, true);
  assert.equal(plan.title, "Prompt 0");
  const facts = factsOfHanded(await Array.fromAsync(plan.messages()));
  const texts = facts.flatMap(([kind, text]) => kind === "output" ? [] : [String(text)]);
  const prompts = texts.filter((text) => !/^(bash|ok|Bash|shell_command)$/.test(text));
  assert.equal(facts.filter(([, text]) => text === OUTPUT).length, last);
  return prompts;
}

for (const [agent, made] of Object.entries({ claude, codex, pi })) {
  Deno.test(`the last turns of a long session of ${agent} come from its end`, async () => {
    for (const compacts of [-1, TURNS - 10]) {
      await withLong(agent, made(compacts), async (handle, read) => {
        const [note, ...texts] = await handedTexts(handle, 3);
        assert.match(note ?? "", /^\[The earlier messages /);
        const turns = [TURNS - 3, TURNS - 2, TURNS - 1];
        assert.deepEqual(texts, turns.flatMap((turn) => [`Prompt ${turn}`, `Answer ${turn}`]));
        assert.equal(read.whole, 0);
      });
    }
  });

  Deno.test(`more turns than a compaction of ${agent} left are read from the beginning`, async () => {
    await withLong(agent, made(TURNS - 3), async (handle, read) => {
      const plan = await planHandover(handle, TARGET, { now: NOW, last: 5 });
      const facts = factsOfHanded(await Array.fromAsync(plan.messages()));
      assert.ok(facts.some(([, text]) => String(text).includes("Summary")));
      assert.ok(facts.some(([, text]) => text === `Answer ${TURNS - 1}`));
      assert.ok(read.whole > 0);
    });
  });
}
