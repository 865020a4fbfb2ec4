/**
 * Usage is read without the results of calls: it must be that of the whole session.
 */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import type { EventKind } from "../../../lib/core/event/payload.ts";
import { USAGE_KINDS } from "../../../lib/core/event/policy.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { usage } from "../../_support/usage.ts";
import { onlySession } from "../../_support/agent_contract.ts";
import { type Random, seededRandom } from "../../bench/random.ts";
import { recordingsBelow, sampleUrl, testRecorded } from "../../_support/samples.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";
import { tempFile } from "../../_support/temp_file.ts";

const FIXTURES = fileURLToPath(new URL("../../../testdata/agents/claude", import.meta.url));
const SAMPLES = fileURLToPath(sampleUrl("claude-code"));

/** What the answers of a session say, and what they took in all. */
async function used(path: string, needs?: ReadonlySet<EventKind>): Promise<unknown> {
  const session = await onlySession(claudeAgent, path);
  const options = needs === undefined ? {} : { needs };
  const events = (await Array.fromAsync(claudeAgent.open(session).read(options))).flat();
  const answers = events.flatMap((event) =>
    event.form === "known" && event.kind === "assistant_message"
      ? [{ id: event.source?.id, time: event.time, payload: event.payload }]
      : []
  );
  return { rows: foldEvents(usage(), events), answers };
}

/** Compares what is read for usage alone with what is read for more; gives how much it was. */
async function sameUsage(path: string): Promise<number> {
  const light = await used(path, USAGE_KINDS) as { rows: unknown[] };
  assert.deepEqual(light, await used(path, new Set([...USAGE_KINDS, "tool_end"])), path);
  assert.deepEqual(light, await used(path), path);
  return light.rows.length;
}

Deno.test("usage alone is that of the whole session: fixtures", async () => {
  let rows = 0;
  for (const path of recordingsBelow(FIXTURES)) rows += await sameUsage(path);
  assert.ok(rows > 20);
});

testRecorded("usage alone is that of the whole session: samples", SAMPLES, async () => {
  let rows = 0;
  for (const path of recordingsBelow(SAMPLES)) rows += await sameUsage(path);
  assert.ok(rows > 10);
});

/** Blocks of an answer, and what follows a prompt. */
const SAID = ["text", "thinking", "tool_use"] as const;

function block(random: Random, type: string, line: number): Record<string, unknown> {
  if (type === "tool_use") return { type, id: `c${line}`, name: "Read", input: {} };
  const text = `t${line}`;
  if (type === "thinking") return { type, thinking: text, signature: "s" };
  if (type !== "tool_result") return { type, text };
  return { type, tool_use_id: `c${random.below(line + 1)}`, content: text };
}

function userContent(random: Random, line: number): unknown {
  const kind = random.below(8);
  if (kind === 0) return "[Request interrupted by user]";
  if (kind < 3) return `prompt ${line}`;
  const blocks = [block(random, "tool_result", line)];
  if (kind === 3) blocks.push(block(random, "tool_result", line));
  if (kind === 4) blocks.push(block(random, "text", line));
  if (kind === 5) blocks.reverse().unshift(block(random, "text", line));
  return blocks;
}

function assistantMessage(random: Random, line: number): unknown {
  return {
    // Few ids: of neighbours, of other branches and of sub-agents.
    id: random.below(10) === 0 ? undefined : `m${Math.floor(line / 3) - random.below(2)}`,
    role: "assistant",
    model: random.below(12) === 0 ? "<synthetic>" : random.pick(["m1", "m2"]),
    content: [block(random, random.pick(SAID), line)],
    usage: { input_tokens: line, output_tokens: random.below(9) },
  };
}

/** A record of a tree that forks, loops, loses parents and repeats ids. */
function record(random: Random, line: number): Record<string, unknown> {
  const back = random.below(6) === 0 ? random.below(12) - 1 : 1;
  const kind = random.below(20);
  const fields = {
    parentUuid: line === 0 ? null : `r${line - back}`,
    isSidechain: random.below(12) === 0,
    ...(random.below(15) === 0 ? { isMeta: true } : {}),
  };
  const last = {
    sessionId: "s",
    uuid: `r${random.below(40) === 0 ? line - 2 : line}`,
    timestamp: new Date(1.7e12 + line * 3e6 - random.below(9e6)).toISOString(),
  };
  if (kind === 0) return { ...fields, type: "progress", data: {}, ...last };
  if (kind === 1) return { ...fields, type: "system", subtype: "note", content: "x", ...last };
  if (kind === 2) {
    const compactMetadata = { trigger: "auto", preTokens: 5 };
    return {
      ...{ ...fields, parentUuid: null, logicalParentUuid: fields.parentUuid },
      ...{ type: "system", subtype: "compact_boundary", compactMetadata, ...last },
    };
  }
  if (kind < 10) {
    return { ...fields, type: "assistant", message: assistantMessage(random, line), ...last };
  }
  const message = { role: "user", content: userContent(random, line) };
  return { ...fields, type: "user", message, ...last };
}

/** Some lines are torn, glued to the next one, or hold zeros. */
function toLine(random: Random, value: Record<string, unknown>): string {
  const text = JSON.stringify(value);
  const kind = random.below(60);
  if (kind === 0) return text.slice(0, random.below(text.length));
  if (kind === 1) return `${text.slice(0, -random.below(9))}\n`.replace("t", "\0");
  return `${text}\n`;
}

/** A seed is a session; each holds some of the kinds of lines. */
const SEEDS = ALL_TORTURE ? 300 : 40;

Deno.test("usage alone is that of the whole session: branches, side talks, repeated ids, damage", async () => {
  using file = tempFile("a.jsonl", "");
  let rows = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const random = seededRandom(seed);
    const records = Array.from({ length: 6 + random.below(50) }, (_, line) => ({
      ...record(random, line),
    }));
    const forked = random.below(5) === 0 ? { forkedFrom: { sessionId: "p" } } : {};
    const copied = random.below(records.length);
    const damaged = random.below(2) === 0;
    const lines = records.map((value, line) => {
      const whole = { ...value, ...(line < copied ? forked : {}) };
      return damaged ? toLine(random, whole) : `${JSON.stringify(whole)}\n`;
    });
    Deno.writeTextFileSync(file.path, lines.join(""));
    rows += await sameUsage(file.path);
  }
  assert.ok(rows > SEEDS);
});

/** A line of the talk: its id, what it follows, and what it is. */
function talkLine(
  uuid: string,
  parentUuid: string | null,
  fields: Record<string, unknown>,
): string {
  const timestamp = `2026-11-01T08:00:0${uuid.slice(1)}.000Z`;
  return `${JSON.stringify({ parentUuid, ...fields, sessionId: "s", uuid, timestamp })}\n`;
}

Deno.test("usage alone is that of the whole session: a result between answers of one id", async () => {
  const answer = (output_tokens: number, isSidechain: boolean): Record<string, unknown> => {
    const content = [{ type: "tool_use", id: `c${output_tokens}`, name: "Read", input: {} }];
    const message = { id: "m1", role: "assistant", content, usage: { output_tokens } };
    return { isSidechain, type: "assistant", message };
  };
  const result = {
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "c1", content: "" }],
  };
  using file = tempFile(
    "a.jsonl",
    talkLine("r0", null, { type: "user", message: { role: "user", content: "go" } }) +
      talkLine("r1", "r0", answer(1, false)) +
      talkLine("r2", "r1", { type: "user", message: result }) +
      talkLine("r3", "r1", answer(5, true)) +
      talkLine("r4", "r3", { type: "user", message: { role: "user", content: "on" } }),
  );
  assert.equal(await sameUsage(file.path), 1);
});
