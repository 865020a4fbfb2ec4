import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import type { AgentName } from "../../../lib/core/event/agent_name.ts";
import { planHandover } from "../../../lib/features/handover/mod.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { descriptorOf } from "../../../lib/library/machine/registry.ts";
import type { HandedCall, HandedMessage } from "../../../lib/agents/contract/session_writer.ts";
import { environmentOf, writeSession } from "../../_support/handed_session.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { placeOf } from "../../_support/agent_place.ts";

const NOW = Date.parse("2027-01-01T00:00:00.000Z");

/** A session of Claude Code with calls of all kinds; one name is no name for a model server. */
const CLAUDE = [
  { type: "user", message: { role: "user", content: "Go" } },
  said("toolu_01Aa", "Bash", { command: "ls", description: "List", timeout: 1000 }),
  gave("toolu_01Aa", "a.txt", false),
  said("toolu_01Bb", "Edit", { file_path: "a", old_string: "1", new_string: "2" }),
  gave("toolu_01Bb", "No such file", true),
  said("toolu_01Cc", "mcp.server/tool", { n: 1 }),
  gave("toolu_01Cc", "", false),
];

function said(id: string, name: string, input: object): object {
  const content = [{ type: "tool_use", id, name, input }];
  return { type: "assistant", message: { id: `msg_${id}`, role: "assistant", content } };
}

function gave(tool_use_id: string, content: string, is_error: boolean): object {
  const result = { type: "tool_result", tool_use_id, content, is_error };
  return { type: "user", message: { role: "user", content: [result] } };
}

async function writeClaude(home: string): Promise<string> {
  const session = "1b4e28ba-2fa1-41d2-883f-0016d3cca427";
  const path = join(home, ".claude/projects/-home-ada", `${session}.jsonl`);
  const lines = CLAUDE.map((record, index) =>
    JSON.stringify({
      ...{ parentUuid: index === 0 ? null : `u${index - 1}`, uuid: `u${index}` },
      ...{ sessionId: session, cwd: home, timestamp: `2026-08-05T10:00:0${index}.000Z`, ...record },
    })
  );
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, `${lines.join("\n")}\n`);
  return path;
}

/** Hands the session of a file over, and gives the file of the new one and its calls. */
async function handOver(
  home: string,
  path: string,
  name: AgentName,
): Promise<{ path: string; calls: HandedCall[] }> {
  const writer = await descriptorOf(name).loadWriter?.();
  assert.ok(writer !== undefined);
  const variable = (name: string): string | undefined => name === "HOME" ? home : undefined;
  const handle = await openLibrary({ root: join(home, "root"), variable }).open(path);
  const plan = await planHandover(handle, { agent: name }, { now: NOW });
  const messages = await Array.fromAsync(plan.messages());
  const session = {
    ...{ id: writer.newSessionId(NOW), from: plan.from, cwd: home, begun: plan.begun, now: NOW },
    messages: (async function* (): AsyncGenerator<HandedMessage> {
      yield* messages;
    })(),
  };
  const { placement } = await writeSession(writer, session, placeOf(name, environmentOf(home)));
  const calls = messages.flatMap((one) => one.role === "assistant" ? one.calls : []);
  return { path: placement.path, calls };
}

const THROUGH = [
  ...[["pi"], ["codex"], ["gemini"], ["qwen"], ["opencode"], ["copilot"]],
  ...[["codex", "pi"], ["gemini", "opencode", "qwen"]],
] as const;

for (const through of THROUGH) {
  inDirectory.test(`calls come back from ${through.join(" and ")} as they were`, async (home) => {
    let path = await writeClaude(home);
    for (const agent of through) path = (await handOver(home, path, agent)).path;
    const back = await handOver(home, path, "claude");
    const own = back.calls.map(({ id, name, input, failed }) => ({ id, name, input, failed }));
    assert.deepEqual(own, [
      {
        id: "toolu_01Aa",
        name: "Bash",
        input: { command: "ls", description: "List", timeout: 1000 },
        failed: false,
      },
      {
        id: "toolu_01Bb",
        name: "Edit",
        input: { file_path: "a", old_string: "1", new_string: "2" },
        failed: true,
      },
      { id: "toolu_01Cc", name: "mcp.server/tool", input: { n: 1 }, failed: false },
    ]);
  });
}

inDirectory.test("calls in a damaged or a hostile line are passed over", async (home) => {
  const { path, calls: [first] } = await handOver(home, await writeClaude(home), "pi");
  const text = await Deno.readTextFile(path);
  const hostile = '{"type":"x","reprise":{"from":"claude:1","calls":{"a":7,"b":{"id":""}}}}\n' +
    '{"reprise":{"from":"claude:1","calls":[]}} {"reprise":{"from":\n';
  await Deno.writeTextFile(path, text + hostile);
  const back = await handOver(home, path, "claude");
  assert.equal(back.calls[0]?.id, "toolu_01Aa");
  assert.notEqual(first?.id, "toolu_01Aa");
});
