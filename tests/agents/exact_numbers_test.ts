/** Numbers of calls in other agents' sessions: their digits are those that the agent stored. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { claudeAgent } from "../../lib/agents/claude/claude_agent.ts";
import { codexAgent } from "../../lib/agents/codex/codex_agent.ts";
import { piAgent } from "../../lib/agents/pi/pi_agent.ts";
import { keepExactMembers } from "../../lib/agents/engine/records/exact_members.ts";
import { ExactNumber } from "../../lib/core/event/exact_number.ts";
import type { Message } from "../../lib/core/event/message.ts";
import { toMessages } from "../../lib/text/shape/message_shape.ts";
import type { Agent } from "../../lib/agents/contract/agent.ts";
import { conversationOf, onlySession, readAll } from "../_support/agent_contract.ts";
import { withDirectory } from "../_support/temp_directory.ts";

const INPUT = '{"id":1234567890123456789,"inf":1e400,"one":1.0,"zero":-0}';

/** Runs a test on a copy of a fixture in which `from` is `to`. */
function withCopy(
  { fixture, from, to }: { fixture: string; from: string; to: string },
  test: (path: string) => Promise<void>,
): Promise<void> {
  return withDirectory(async (folder) => {
    const text = Deno.readTextFileSync(
      new URL(`../../testdata/agents/${fixture}`, import.meta.url),
    );
    assert.ok(text.includes(from), `${fixture} has no ${from}`);
    const path = join(folder, fixture.slice(fixture.lastIndexOf("/") + 1));
    Deno.writeTextFileSync(path, text.replace(from, () => to));
    await test(path);
  });
}

/** JSON of a session's events, of its messages by either way, and of what is sent. */
async function viewsOf(agent: Agent, path: string): Promise<string[]> {
  const session = await onlySession(agent, path);
  const { events } = await readAll(agent, session);
  const { messages } = await conversationOf(agent, session, {});
  const direct: Message[] = [];
  for await (const batch of agent.open(session).messages({})) direct.push(...batch);
  assert.deepEqual(direct, messages);
  return [events, messages, toMessages(messages, "anthropic")].map((view) => JSON.stringify(view));
}

for (
  const { agent, ...change } of [
    {
      agent: claudeAgent,
      fixture: "claude/images.jsonl",
      from: '"name":"Shot","input":{}',
      to: `"name":"Shot","input":${INPUT}`,
    },
    {
      agent: piAgent,
      fixture: "pi/turn.jsonl",
      from: '"arguments":{"path":"x.ts"}',
      to: `"arguments":${INPUT}`,
    },
    {
      agent: codexAgent,
      fixture: "codex/tools.jsonl",
      from: String.raw`"arguments":"{\"q\":\"zstd\"}"`,
      to: `"arguments":${JSON.stringify(INPUT)}`,
    },
  ]
) {
  Deno.test(`P2 numbers in a call's input keep their digits: ${agent.name}`, () =>
    withCopy(change, async (path) => {
      for (const view of await viewsOf(agent, path)) assert.ok(view.includes(`"input":${INPUT}`));
    }));
}

Deno.test("P2 the arguments of a Codex call are sent as their text was", async () => {
  const texts = [
    '{ "q" : "zstd", "n" : 1.0 }',
    '{"10":1,"2":2,"q":"\\u00e9\\/"}',
    '{"q":1,"q":2}',
    INPUT,
  ];
  for (const text of texts) {
    const change = {
      fixture: "codex/tools.jsonl",
      from: String.raw`"arguments":"{\"q\":\"zstd\"}"`,
      to: `"arguments":${JSON.stringify(text)}`,
    };
    await withCopy(change, async (path) => {
      const session = await onlySession(codexAgent, path);
      const { messages } = await conversationOf(codexAgent, session, {});
      const sent = toMessages(messages, "openai").messages.flatMap((message) =>
        message.role === "assistant" ? message.tool_calls ?? [] : []
      );
      assert.ok(sent.some((call) => call.function.arguments === text), text);
    });
  }
});

Deno.test("keepExactMembers leaves the counts and times of a record plain", () => {
  const text = '{"time":1.0,"usage":{"input":2.0},"content":[{"input":{"n":3.0}}],"args":[4e0]}';
  const value = JSON.parse(text);
  keepExactMembers(value, text);
  assert.deepEqual(value, {
    time: 1,
    usage: { input: 2 },
    content: [{ input: { n: new ExactNumber("3.0") } }],
    args: [new ExactNumber("4e0")],
  });
  for (const plain of ["5.0", '"1.0"', "null", "[1.0]"]) {
    const given = JSON.parse(plain);
    keepExactMembers(given, plain);
    assert.deepEqual(given, JSON.parse(plain));
  }
});
