/**
 * A small whole session of each agent whose sessions are repaired, as its client writes it: two
 * turns, three calls, two of them at once.
 */
import { dirname, join } from "node:path";
import { type Library, openLibrary } from "../../../lib/library/library.ts";
import type { RepairedAgent } from "../../clients/repair/session_items.ts";

const CWD = "/home/u/project";
const UUID = "01a1ffd6-9350-7520-a8da-dc02f9056bf8";

function time(second: number): string {
  return `2026-08-06T17:49:${String(second).padStart(2, "0")}.000Z`;
}

function id(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

type Json = Record<string, unknown>;

/** The turns of all of them: what was said, and the calls of each answer. */
const SAID: readonly { user?: string; text?: string; calls?: readonly string[] }[] = [
  { user: "Please look at the files of this project" },
  { text: "I list them and read one", calls: ["c1", "c2"] },
  { text: "There are two files in the folder" },
  { user: "Run the tests of the second one" },
  { text: "I run all of them now", calls: ["c3"] },
  { text: "They pass, all seven of them" },
  { user: "Thank you for the look at it" },
  { text: "You are welcome at any time" },
];

const output = (call: string): string => `the output of ${call}, with some words in it`;

function pi(): Json[] {
  const lines: Json[] = [
    { type: "session", version: 3, id: UUID, timestamp: time(0), cwd: CWD },
  ];
  let parentId: string | null = null;
  const add = (message: Json): void => {
    const own = String(lines.length).padStart(8, "a");
    lines.push({ type: "message", id: own, parentId, timestamp: time(lines.length), message });
    parentId = own;
  };
  for (const { user, text, calls = [] } of SAID) {
    if (user !== undefined) {
      add({ role: "user", content: [{ type: "text", text: user }], timestamp: 1 });
    }
    if (text === undefined) continue;
    const content: Json[] = [
      { type: "text", text },
      ...calls.map((call) => ({
        type: "toolCall",
        id: call,
        name: "bash",
        arguments: { command: `cat ${call}` },
      })),
    ];
    const usage = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 };
    const stopReason = calls.length > 0 ? "toolUse" : "stop";
    add({
      role: "assistant",
      content,
      provider: "p",
      model: "m",
      api: "a",
      usage,
      stopReason,
      timestamp: 1,
    });
    for (const call of calls) {
      const content = [{ type: "text", text: output(call) }];
      add({
        role: "toolResult",
        toolCallId: call,
        toolName: "bash",
        content,
        isError: false,
        timestamp: 1,
      });
    }
  }
  return lines;
}

function codex(): Json[] {
  const lines: Json[] = [];
  const add = (type: string, payload: Json): void => {
    lines.push({ timestamp: time(lines.length), type, payload });
  };
  const head = { originator: "codex_cli_rs", cli_version: "0.169.0", source: "cli" };
  add("session_meta", { id: UUID, timestamp: time(0), cwd: CWD, ...head });
  add("turn_context", { cwd: CWD, model: "gpt-5.4" });
  for (const { user, text, calls = [] } of SAID) {
    if (user !== undefined) {
      const content = [{ type: "input_text", text: user }];
      add("response_item", { type: "message", role: "user", content });
      add("event_msg", { type: "user_message", message: user, images: [] });
    }
    if (text === undefined) continue;
    const content = [{ type: "output_text", text }];
    add("response_item", { type: "message", role: "assistant", content });
    add("event_msg", { type: "agent_message", message: text });
    for (const call_id of calls) {
      const call = { name: "exec_command", arguments: JSON.stringify({ cmd: `cat ${call_id}` }) };
      add("response_item", { type: "function_call", ...call, call_id });
    }
    for (const call_id of calls) {
      add("response_item", { type: "function_call_output", call_id, output: output(call_id) });
    }
  }
  return lines;
}

function claude(): Json[] {
  const lines: Json[] = [];
  let parentUuid: string | null = null;
  const add = (type: string, message: Json): void => {
    const uuid = id(lines.length);
    const frame = { isSidechain: false, userType: "external", cwd: CWD, sessionId: UUID };
    const version = { version: "2.1.330", gitBranch: "main" };
    const own = { type, message, uuid, timestamp: time(lines.length) };
    lines.push({ parentUuid, ...frame, ...version, ...own });
    parentUuid = uuid;
  };
  for (const [at, { user, text, calls = [] }] of SAID.entries()) {
    if (user !== undefined) add("user", { role: "user", content: user });
    if (text === undefined) continue;
    const usage = { input_tokens: 1, output_tokens: 1 };
    const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
    const model = "claude-sonnet-4-5";
    const frame = {
      id: `msg_${at}`,
      type: "message",
      role: "assistant",
      model,
      usage,
      stop_reason,
    };
    add("assistant", { ...frame, content: [{ type: "text", text }] });
    if (calls.length === 0) continue;
    const uses = calls.map((call) => ({
      type: "tool_use",
      id: call,
      name: "Bash",
      input: { command: `cat ${call}` },
    }));
    add("assistant", { ...frame, content: uses });
    const content = calls.map((call) => ({
      type: "tool_result",
      tool_use_id: call,
      content: output(call),
      is_error: false,
    }));
    add("user", { role: "user", content });
  }
  return lines;
}

function gemini(): Json[] {
  const projectHash = "f".repeat(64);
  const lines: Json[] = [
    { sessionId: UUID, projectHash, startTime: time(0), lastUpdated: time(0), kind: "main" },
  ];
  for (const { user, text, calls = [] } of SAID) {
    const frame = { id: `m${lines.length}`, timestamp: time(lines.length) };
    if (user !== undefined) lines.push({ ...frame, type: "user", content: [{ text: user }] });
    if (text === undefined) continue;
    const toolCalls = calls.map((call) => {
      const functionResponse = {
        id: call,
        name: "run_shell_command",
        response: { output: output(call) },
      };
      return {
        ...{ id: call, name: "run_shell_command", args: { command: `cat ${call}` } },
        ...{ result: [{ functionResponse }], status: "success", timestamp: time(1) },
      };
    });
    lines.push({
      ...frame,
      type: "gemini",
      content: text,
      ...(calls.length > 0 ? { toolCalls } : {}),
    });
  }
  return lines;
}

function qwen(): Json[] {
  const lines: Json[] = [];
  let parentUuid: string | null = null;
  const add = (type: string, message: Json, more: Json = {}): void => {
    const uuid = id(lines.length);
    const frame = { uuid, parentUuid, sessionId: UUID, timestamp: time(lines.length), type };
    lines.push({ ...frame, cwd: CWD, version: "0.24.4", message, ...more });
    parentUuid = uuid;
  };
  for (const { user, text, calls = [] } of SAID) {
    if (user !== undefined) add("user", { role: "user", parts: [{ text: user }] });
    if (text === undefined) continue;
    const uses = calls.map((call) => ({
      functionCall: { id: call, name: "run_shell_command", args: { command: `cat ${call}` } },
    }));
    add("assistant", { role: "model", parts: [{ text }, ...uses] }, { model: "m" });
    for (const call of calls) {
      const functionResponse = {
        id: call,
        name: "run_shell_command",
        response: { output: output(call) },
      };
      const toolCallResult = { callId: call, status: "success", resultDisplay: output(call) };
      add("tool_result", { role: "user", parts: [{ functionResponse }] }, { toolCallResult });
    }
  }
  return lines;
}

const MADE: Record<RepairedAgent, () => Json[]> = { pi, codex, claude, gemini, qwen };

/** A whole session of an agent. */
export function wholeSession(agent: RepairedAgent): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(
    MADE[agent]().map((line) => `${JSON.stringify(line)}\n`).join(""),
  );
}

const PLACES: Record<RepairedAgent, string> = {
  pi: `.pi/agent/sessions/--home-u-project--/2026-08-06T17-49-00-000Z_${UUID}.jsonl`,
  codex: `.codex/sessions/2026/08/06/rollout-2026-08-06T17-49-00-${UUID}.jsonl`,
  claude: `.claude/projects/-home-u-project/${UUID}.jsonl`,
  gemini: ".gemini/tmp/project/chats/session-2026-08-06T17-49-c0ffee00.jsonl",
  qwen: `.qwen/projects/-home-u-project/chats/${UUID}.jsonl`,
};

/** A home with one session in it. */
export interface SessionHome {
  library: Library;
  home: string;
  /** Absolute path of the session. */
  path: string;
  /** The machine's facts, of this home alone. */
  environment: { home: string; os: string; variable(name: string): string | undefined };
}

/** Long ago: a session that changed lately may have its client at work. */
export const LONG_AGO = new Date("2026-08-06T18:00:00.123Z");

/** Puts a session where its agent keeps it. */
export async function sessionHome(
  home: string,
  agent: RepairedAgent,
  bytes: Uint8Array,
): Promise<SessionHome> {
  const path = join(home, PLACES[agent]);
  await Deno.mkdir(dirname(path), { recursive: true });
  if (agent === "gemini") {
    await Deno.writeTextFile(join(home, ".gemini/tmp/project/.project_root"), CWD);
  }
  await Deno.writeFile(path, bytes, { mode: 0o640 });
  await Deno.chmod(path, 0o640);
  await Deno.utime(path, LONG_AGO, LONG_AGO);
  const variable = (name: string): string | undefined => name === "HOME" ? home : undefined;
  const library = openLibrary({ root: join(home, "store"), variable, cwd: home });
  return { library, home, path, environment: { home, os: Deno.build.os, variable } };
}
