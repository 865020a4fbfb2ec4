/** What the reader of an agent gives of the agent's fixtures, and of files that a test makes. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import type { Message } from "../../lib/core/event/message.ts";
import type { EventKind, PayloadByKind } from "../../lib/core/event/payload.ts";
import { loadLocator } from "../../lib/library/machine/locators.ts";
import type { Conversation } from "../../lib/core/projection/conversation/conversation.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import type { TranscriptItem } from "../../lib/core/projection/transcript/item.ts";
import { toMessages } from "../../lib/text/shape/message_shape.ts";
import type { SessionFormat } from "../../lib/agents/engine/session_format.ts";
import type { Agent, AgentReadOptions, AgentSession } from "../../lib/agents/contract/agent.ts";
import {
  type AgentCase,
  type AgentHome,
  type AgentRead,
  conversationOf,
  locateAll,
  onlySession,
  payloadsOf,
  readAll,
  testAgentContract,
  transcriptOf,
} from "../_support/agent_contract.ts";
import { aiSdkFaults, anthropicFaults, openAiFaults } from "../_support/provider_rules.ts";
import { inShort } from "./_in_short.ts";

/** A session that must be there. */
export type Readable = AgentSession | undefined;

type ReadOptions = Parameters<typeof readAll>[2];

/** What a test knows of a reader and its fixtures. */
export interface ReadingOptions {
  /** The format that the reader is made of. */
  format?: SessionFormat<unknown>;
}

/** The reader of an agent, with the folder of its fixtures. */
export class Reading {
  readonly #agent: Agent;
  readonly #format: SessionFormat<unknown> | undefined;

  constructor(agent: Agent, { format }: ReadingOptions = {}) {
    this.#agent = agent;
    this.#format = format;
  }

  /** Registers the tests of what every reader does, on a home of the agent. */
  testContract(name: string, home: Omit<AgentCase, "agent" | "format">): void {
    const format = this.#format === undefined ? {} : { format: this.#format };
    testAgentContract(name, { agent: this.#agent, ...format, ...home });
  }

  /** The address of a fixture. */
  fixture(name: string): URL {
    return new URL(`../../testdata/agents/${this.#agent.name}/${name}`, import.meta.url);
  }

  /** Fixtures below a folder of this agent's, where they lie below another in a home. */
  placed(folder: string, from: string, ...names: string[]): Record<string, URL> {
    return Object.fromEntries(
      names.map((name) => [`${folder}/${name}`, this.fixture(join(from, name))]),
    );
  }

  /** The text of a fixture. */
  text(name: string): string {
    return Deno.readTextFileSync(this.fixture(name));
  }

  /** The session in a file that has no other. */
  async only(path: string): Promise<AgentSession> {
    return await onlySession(this.#agent, path);
  }

  /** The session in a file of a home that has no other. */
  async onlyIn(home: AgentHome, ...path: string[]): Promise<AgentSession> {
    return await this.only(join(home.path, ...path));
  }

  /** The first session that is located in a home. */
  async found(home: AgentHome): Promise<AgentSession> {
    const [found] = await locateAll(this.#agent, home.environment);
    assert.ok(found !== undefined);
    return found;
  }

  /** All sessions that are located in a home. */
  async located(
    { environment }: Pick<AgentHome, "environment">,
    options: { subagents?: boolean } = {},
  ): Promise<AgentSession[]> {
    const { locate } = await loadLocator(this.#agent.name);
    return await Array.fromAsync(locate(environment, options));
  }

  /** All that a read to the end gives. */
  async read(of: Readable, options?: ReadOptions): Promise<AgentRead> {
    return await readAll(this.#agent, thatIsThere(of), options);
  }

  /** The events of a read to the end. */
  async events(of: Readable, options?: ReadOptions): Promise<LogEvent[]> {
    return (await this.read(of, options)).events;
  }

  /** The payloads of the events of one kind. */
  async payloads<Kind extends EventKind>(
    of: Readable,
    kind: Kind,
    options?: AgentReadOptions,
  ): Promise<PayloadByKind[Kind][]> {
    return payloadsOf(await this.events(of, options), kind);
  }

  /** The conversation as the agent would go on with it. */
  async conversation(of: Readable): Promise<Conversation> {
    return await conversationOf(this.#agent, thatIsThere(of));
  }

  /** The messages of the conversation. */
  async messages(of: Readable): Promise<Message[]> {
    return (await this.conversation(of)).messages;
  }

  /** The messages, once every provider has taken them. */
  async accepted(of: Readable): Promise<Message[]> {
    const messages = await this.messages(of);
    assert.deepEqual(openAiFaults(toMessages(messages, "openai")), []);
    assert.deepEqual(anthropicFaults(toMessages(messages, "anthropic")), []);
    assert.deepEqual(aiSdkFaults(toMessages(messages, "ai-sdk")), []);
    return messages;
  }

  /** The messages in short: who speaks, and the text or what the parts are. */
  async said(of: Readable): Promise<unknown[]> {
    return inShort(await this.messages(of));
  }

  /** The items that people see. */
  async transcript(of: Readable): Promise<TranscriptItem[]> {
    return await transcriptOf(this.#agent, thatIsThere(of));
  }

  /** The row of a list, from the edges of the file alone if it need not be exact. */
  async summary(of: Readable, options?: { exact?: boolean }): Promise<Summary | undefined> {
    return await this.#agent.open(thatIsThere(of)).summarize(options);
  }

  /** A list that looks at the edges of a long file shows what a whole read does. */
  async assertSameRow(of: Readable, messages: number): Promise<Summary> {
    const quick = await this.summary(of);
    const exact = await this.summary(of, { exact: true });
    assert.ok(quick !== undefined && exact !== undefined);
    assert.deepEqual([quick.message_count, exact.message_count], [undefined, messages]);
    for (const field of ROW_FIELDS) assert.equal(quick[field], exact[field], field);
    return quick;
  }
}

function thatIsThere(of: Readable): AgentSession {
  assert.ok(of !== undefined, "no such session");
  return of;
}

const ROW_FIELDS = [
  ...["title", "first_user_message", "last_user_message"],
  ...["cwd", "created_at", "updated_at"],
] as ("title" | "first_user_message" | "last_user_message" | "cwd" | "created_at" | "updated_at")[];
