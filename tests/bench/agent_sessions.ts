/**
 * Figures of other agents' sessions: long ones read for the conversation and from the end, and many
 * in a list.
 */
import assert from "node:assert/strict";
import { loadAgent } from "../../lib/library/machine/registry.ts";
import { foldBatches } from "../../lib/core/projection/projection.ts";
import { usage } from "../_support/usage.ts";
import { type AgentLogShape, type GeneratedAgent, makeAgentLog } from "./agent_logs.ts";
import { seededRandom } from "./random.ts";
import { textPool } from "./text_pool.ts";
import { loadLocator } from "../../lib/library/machine/locators.ts";

/** Bytes of the long session of each agent, for a bench log of 400 MB. */
export const LONG_SESSIONS: Readonly<Record<GeneratedAgent, number>> = {
  claude: 400e6,
  codex: 260e6,
  pi: 230e6,
};

/** Bytes of the session of each agent that never compacts: 100,000 short messages and more. */
export const SHORT_MESSAGES: Readonly<Record<GeneratedAgent, number>> = {
  claude: 250e6,
  codex: 180e6,
  pi: 148e6,
};

/** Sessions of a list, and bytes of each: long outputs, or 350 to 460 short lines. */
export const LISTED = 400;
const LISTED_BYTES: Readonly<Record<AgentLogShape, number>> = { compacted: 60_000, short: 250_000 };

/** The conversation of a long session, as `conversation` prints it: with its calls, or without. */
export async function foreignConversation(
  agent: GeneratedAgent,
  path: string,
  tools: "include" | "omit" = "include",
): Promise<readonly unknown[]> {
  const reader = await loadAgent(agent);
  const [session] = await reader.sessionsIn(path);
  assert.ok(session !== undefined);
  const messages = await heldMessages(reader.open(session).messages({ tools }));
  assert.ok(messages.length > 20);
  return messages;
}

async function heldMessages(batches: AsyncIterable<readonly unknown[]>): Promise<unknown[]> {
  const messages: unknown[] = [];
  for await (const batch of batches) for (const message of batch) messages.push(message);
  return messages;
}

/** The events of the last 20 messages, read from the end. */
export async function foreignTail(agent: GeneratedAgent, path: string): Promise<number> {
  const reader = await loadAgent(agent);
  const [session] = await reader.sessionsIn(path);
  assert.ok(session !== undefined);
  const events = await reader.open(session).readTail({ messages: 20 });
  assert.ok(events.length >= 20);
  return events.length;
}

/** The summaries of all sessions in a home directory. */
export async function foreignList(
  agent: GeneratedAgent,
  home: string,
): Promise<readonly unknown[]> {
  const reader = await loadAgent(agent);
  const rows: unknown[] = [];
  for await (const session of (await loadLocator(agent)).locate(environmentOf(home))) {
    const row = await reader.open(session).summarize();
    assert.ok(row !== undefined && row.title !== "");
    rows.push(row);
  }
  assert.equal(rows.length, LISTED);
  return rows;
}

/** What all sessions in a home directory used, as `stats` adds it up. */
export async function foreignUsage(agent: GeneratedAgent, home: string): Promise<number> {
  const reader = await loadAgent(agent);
  const projection = usage();
  let messages = 0;
  for await (const session of (await loadLocator(agent)).locate(environmentOf(home))) {
    const rows = await foldBatches(
      projection,
      reader.open(session).read({ needs: projection.needs }),
    );
    for (const row of rows) messages += row.messages;
  }
  assert.ok(messages > 0);
  return messages;
}

function environmentOf(home: string): { home: string; variable(): undefined; os: string } {
  return { home, variable: () => undefined, os: Deno.build.os };
}

/** Where an agent keeps a session, below a home directory. */
export function placeOf(agent: GeneratedAgent, index: number): string {
  const id = `0000${index}`.slice(-4);
  const uuid = `01a1ffd4-8013-43b1-89e7-822b38eb${id}`;
  if (agent === "claude") return `.claude/projects/-home-ada-src-ledger/${uuid}.jsonl`;
  if (agent === "pi") {
    return `.pi/agent/sessions/--home-ada-src-ledger--/2026-11-01T08-00-00-000Z_${uuid}.jsonl`;
  }
  return `.codex/sessions/2026/11/01/rollout-2026-11-01T08-00-00-${uuid}.jsonl`;
}

/** How to fill a home. */
export interface AgentHomeOptions {
  /** Sessions. @default {400} */
  count?: number;
  /** Bytes of each. */
  bytes?: number;
  /** @default {"compacted"} */
  shape?: AgentLogShape;
}

/** Fills a home directory with sessions of an agent. */
export function makeAgentHome(
  agent: GeneratedAgent,
  home: string,
  { count = LISTED, shape = "compacted", bytes = LISTED_BYTES[shape] }: AgentHomeOptions = {},
): void {
  const text = textPool(seededRandom(7), count * bytes);
  for (let index = 0; index < count; index++) {
    const path = `${home}/${placeOf(agent, index)}`;
    Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
    makeAgentLog(agent, path, bytes, { seed: index + 1, shape, text });
  }
}
