/** Automatic texts in the user's name: they are no prompts, and stand beside them. */
import assert from "node:assert/strict";
import type { AgentName } from "../../lib/core/event/agent_name.ts";
import { descriptorOf } from "../../lib/library/machine/registry.ts";
import { makeHome, onlySession, transcriptOf } from "../_support/agent_contract.ts";

type Line = Record<string, unknown>;

const AT = "2026-05-01T10:00:00.000Z";
const ID = "c0ffee00-0000-4000-8000-000000000002";
const text = (words: string): Line[] => [{ type: "text", text: words }];

const claude = (more: Line): Line => ({
  ...{
    parentUuid: null,
    isSidechain: false,
    type: "user",
    sessionId: ID,
    cwd: "/w",
    timestamp: AT,
  },
  ...more,
});
const user = (content: string): Line => ({ message: { role: "user", content } });
const qwen = (id: string, parent: string | null, words: string, subtype?: string): Line => ({
  ...{ uuid: id, parentUuid: parent, sessionId: ID, timestamp: AT, type: "user", subtype },
  ...{ cwd: "/w", version: "0.9", message: { role: "user", parts: [{ text: words }] } },
});
const copilot = (type: string, data: Line, at: number): Line => ({
  ...{ type, data, id: `e${at}`, timestamp: AT, parentId: at === 0 ? null : `e${at - 1}` },
});

/** Agent, file, lines, and what stands beside the prompt "typed" by its name. */
const CASES: [agent: AgentName, file: string, lines: Line[], beside: string[]][] = [
  ["openclaw", `.openclaw/agents/main/sessions/${ID}.jsonl`, [
    { type: "session", version: 3, id: ID, timestamp: AT, cwd: "/w" },
    { type: "message", id: "a1", parentId: null, timestamp: AT, message: user("typed").message },
    ...["shown", "hidden"].map((customType, at): Line => ({
      ...{ type: "custom_message", id: `b${at}`, parentId: at === 0 ? "a1" : "b0", timestamp: AT },
      ...{ customType, content: text("zebra"), display: at === 0 },
    })),
  ], ["shown: zebra", "hidden: zebra"]],
  ["claude", `.claude/projects/-w/${ID}.jsonl`, [
    claude({ uuid: "u1", ...user("typed") }),
    claude({ uuid: "u2", parentUuid: "u1", ...user("<bash-stdout>zebra</bash-stdout>") }),
    claude({ uuid: "u3", parentUuid: "u2", origin: { kind: "peer" }, ...user("zebra") }),
  ], ["command output: zebra", "peer: zebra"]],
  ["qwen", `.qwen/projects/-w/chats/${ID}.jsonl`, [
    qwen("u1", null, "typed"),
    qwen("u2", "u1", "zebra", "notification"),
    qwen("u3", "u2", "zebra", "cron"),
  ], ["notification: zebra", "cron: zebra"]],
  ["copilot", `.copilot/session-state/${ID}/events.jsonl`, [
    copilot("session.start", { sessionId: ID, version: 1, startTime: AT, context: {} }, 0),
    copilot("user.message", { content: "typed" }, 1),
    copilot("skill.invoked", { name: "pdf", path: "/s/SKILL.md", content: "zebra" }, 2),
    copilot("user.message", { content: "zebra", source: "skill-pdf" }, 3),
    copilot("user.message", { content: "zebra", isAutopilotContinuation: true }, 4),
  ], ["skill pdf: zebra", "skill-pdf: zebra", "autopilot: zebra"]],
  ["vscode", `.config/Code/User/workspaceStorage/w/chatSessions/${ID}.jsonl`, [{
    kind: 0,
    v: {
      ...{ version: 3, sessionId: ID, creationDate: 1795200000000, responderUsername: "C" },
      requests: [
        { requestId: "r1", message: { text: "typed" }, response: [] },
        { requestId: "r2", message: { text: "zebra" }, response: [], isSystemInitiated: true },
      ],
      pendingRequests: [{ id: "r3", kind: "queued", request: { message: { text: "zebra" } } }],
    },
  }], ["system: zebra", "queued, not sent: zebra"]],
  ["antigravity", `.gemini/antigravity/brain/${ID}/.system_generated/logs/transcript.jsonl`, [
    { step_index: 0, source: "USER_EXPLICIT", status: "DONE", created_at: AT, content: "typed" },
    {
      step_index: 1,
      source: "SYSTEM",
      type: "X",
      status: "DONE",
      created_at: AT,
      content: "zebra",
    },
  ], ["zebra: zebra"]],
];

for (const [name, file, lines, beside] of CASES) {
  Deno.test(`automatic texts of ${name} are no prompts`, async () => {
    const content = lines.map((line) => JSON.stringify(line)).join("\n") + "\n";
    await using home = await makeHome({ [file]: content });
    const agent = await descriptorOf(name).loadReader();
    const session = await onlySession(agent, `${home.path}/${file}`);
    const prompts: unknown[] = [];
    const others: string[] = [];
    for (const item of await transcriptOf(agent, session)) {
      if (item.type === "message" && item.role === "user") prompts.push(item.content);
      if (item.type === "attached") others.push(`${item.name}: ${item.content}`);
      if (item.type === "notice") others.push(`${item.title}: ${item.text}`);
    }
    assert.deepEqual([prompts, others], [["typed"], beside]);
    const row = await agent.open(session).summarize();
    assert.deepEqual([row?.title, row?.last_user_message], ["typed", "typed"]);
  });
}
