/** All that an agent's reader tells of the sessions in a home, as text that a person can review. */
import assert from "node:assert/strict";
import { isAbsolute, join } from "node:path";
import { readEdits } from "../../lib/library/touches/session_changes.ts";
import { contentFor } from "../../lib/core/event/audience.ts";
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import type { Content } from "../../lib/core/event/message.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { loadLocator } from "../../lib/library/machine/locators.ts";
import { descriptorOf } from "../../lib/library/machine/registry.ts";
import type { Conversation } from "../../lib/core/projection/conversation/conversation.ts";
import type { TranscriptItem } from "../../lib/core/projection/transcript/item.ts";
import { toMessages } from "../../lib/text/shape/message_shape.ts";
import type { Agent, AgentSession, SessionReader } from "../../lib/agents/contract/agent.ts";
import {
  type AgentHome,
  conversationOf,
  readAll,
  transcriptOf,
} from "../_support/agent_contract.ts";
import { messageInShort } from "../_support/message_in_short.ts";
import { aiSdkFaults, anthropicFaults, openAiFaults } from "../_support/provider_rules.ts";
import type { FiledCase } from "./_case.ts";

type Told = Record<string, unknown>;

/** Reads the sessions of a case, and tells of them: one record a line. */
export async function toldOf(given: FiledCase, home: AgentHome): Promise<string> {
  const agent = await descriptorOf(given.agent).loadReader();
  const found = await sessionsOf(given, agent, home);
  const { only = found.map(({ id }) => id) } = given;
  const told: Told[] = [];
  for (const session of found) {
    const one = only.includes(session.id) ? toldOfOne(given, agent, session) : { session };
    told.push(await Promise.resolve(one).catch((error) => ({ session, error: codeOf(error) })));
  }
  return textOf(told, home.path);
}

async function sessionsOf(
  { agent: name, open, subagents = false }: FiledCase,
  agent: Agent,
  { environment, path }: AgentHome,
): Promise<AgentSession[]> {
  if (open !== undefined) {
    return (await Promise.all(open.map((file) => agent.sessionsIn(join(path, file))))).flat();
  }
  const { locate } = await loadLocator(name);
  return await Array.fromAsync(locate(environment, { subagents }));
}

async function toldOfOne(given: FiledCase, agent: Agent, session: AgentSession): Promise<Told> {
  const reader = agent.open(session);
  const { events, found, account } = await readAll(agent, session);
  const { unit: _, ...counted } = account;
  const told = await conversationOf(agent, session);
  const edits = await readEdits(session);
  const shown = await transcriptOf(agent, session);
  return {
    session,
    resume: descriptorOf(given.agent).resumeCommand(session)?.argv,
    files: (await reader.files())?.paths,
    ...await rowsOf(reader),
    account: counted,
    damage: found.map(({ code, line, length, detail }) => ({ code, line, length, detail })),
    events: events.map(toldEvent),
    conversation: told.messages,
    ...conversationFacts(told),
    shown: shown.map(shownInShort),
    edits: edits.map(({ path, change, prompt }) => ({ path, prompt: prompt?.text, change })),
    usage: (await Array.fromAsync(reader.usage())).flat(),
    threads: await threadsOf(given, agent, reader),
    ...await partsOf(given, agent, reader),
  };
}

/** The row of a list; what a look at the edges tells otherwise stands apart. */
async function rowsOf(reader: SessionReader): Promise<Told> {
  const exact = await reader.summarize({ exact: true });
  const quick: Told = { ...await reader.summarize() };
  const row: Told = { ...exact };
  const other = Object.keys({ ...row, ...quick })
    .filter((key) => JSON.stringify(row[key]) !== JSON.stringify(quick[key]));
  return {
    row: exact && row,
    at_the_edges: other.length === 0
      ? undefined
      : Object.fromEntries(other.map((key) => [key, quick[key] ?? null])),
  };
}

function conversationFacts({ messages, compaction_seq, findings }: Conversation): Told {
  const refused = [
    ...openAiFaults(toMessages(messages, "openai")),
    ...anthropicFaults(toMessages(messages, "anthropic")),
    ...aiSdkFaults(toMessages(messages, "ai-sdk")),
  ];
  return { compaction_seq, findings: findings.map(({ code, seq }) => ({ code, seq })), refused };
}

async function threadsOf(given: FiledCase, agent: Agent, reader: SessionReader): Promise<Told[]> {
  const [main, ...threads]: { id: string }[] = await reader.threads();
  const others = [...threads, ...(given.threads ?? []).map((id) => ({ id }))];
  if (main === undefined || others.length === 0) return [];
  const [named, unnamed] = await Promise.all(
    [{ thread: main.id }, {}].map((options) => readAll(agent, reader.session, options)),
  );
  assert.deepEqual(
    named?.events,
    unnamed?.events,
    "the main thread is what is read without a name",
  );
  const told = others.map(async (thread) => {
    const { id } = thread;
    try {
      const { events, account } = await readAll(agent, reader.session, { thread: id });
      const messages = (await Array.fromAsync(reader.messages({ thread: id }))).flat();
      const [started] = events;
      const begins = started?.form === "known" ? started.payload : undefined;
      return { ...thread, dead: account.dead, begins, says: messages.map(messageInShort) };
    } catch (error) {
      return { ...thread, error: codeOf(error) };
    }
  });
  return [main, ...await Promise.all(told)];
}

function codeOf(error: unknown): string {
  if (error instanceof SessionError) return error.code;
  throw error;
}

async function partsOf(
  { in_force, tail }: FiledCase,
  agent: Agent,
  reader: SessionReader,
): Promise<Told> {
  return {
    in_force: in_force &&
      (await readAll(agent, reader.session, { in_force })).events.map(toldEvent),
    tail: tail && (await reader.readTail({ messages: tail })).map(toldEvent),
  };
}

function toldEvent(event: LogEvent): Told {
  if (event.form !== "known") return { kind: event.kind, form: event.form };
  const { kind, source, turn_id, time, payload, integrity } = event;
  const salvaged = integrity === "unverified" ? undefined : integrity;
  return { kind, id: source?.id, turn: turn_id, time, integrity: salvaged, payload };
}

const OF_EACH_ITEM = new Set(["seq", "end_seq", "id", "time", "turn_id", "integrity"]);

/** Returns what stands by itself in an item, and contents as a person sees them. */
function shownInShort(item: TranscriptItem): Told {
  const fields = Object.entries(item).flatMap(([key, value]: [string, unknown]) => {
    if (OF_EACH_ITEM.has(key)) return [];
    if (key === "content" || key === "output") {
      return [[key, contentFor(value as Content, "user")]];
    }
    return typeof value === "object" ? [] : [[key, value]];
  });
  return Object.fromEntries(fields);
}

/** The text of `expected.json`: each record on its own line, the home as `~`. */
function textOf(sessions: readonly Told[], home: string): string {
  const line = (value: unknown): string =>
    JSON.stringify(value, (_, one) => typeof one === "string" ? withoutHome(one, home) : one);
  const fieldOf = ([key, value]: [string, unknown]): string[] => {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) return [];
    const text = Array.isArray(value) && typeof value[0] === "object"
      ? `[\n${value.map((one) => `  ${line(one)}`).join(",\n")}\n]`
      : line(value);
    return [`${JSON.stringify(key)}: ${text}`];
  };
  const all = sessions.map((told) => `{\n${Object.entries(told).flatMap(fieldOf).join(",\n")}\n}`);
  return `[${all.join(", ")}]\n`;
}

function withoutHome(text: string, home: string): string {
  const told = text.replaceAll(home, "~");
  return isAbsolute(text) ? told.replaceAll("\\", "/") : told;
}
