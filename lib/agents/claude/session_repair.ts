/**
 * Describes how to repair Claude Code's sessions. The behaviours in `today` were observed with
 * Claude Code 2.1.330, which resumed a session with each kind of damage.
 */
import { basename, dirname } from "node:path";
import { isRunning } from "../../core/platform/process_state.ts";
import { asList, asName, asObject, asText } from "../engine/json.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type {
  LargePart,
  LineRepair,
  RecordFacts,
  RepairedFile,
  SessionHold,
} from "../contract/session_repair.ts";
import { pidFiles } from "./open_marks.ts";

type Json = Readonly<Record<string, unknown>>;

export const claudeRepair: LineRepair = {
  kind: "lines",
  program: "claude",
  reading: { fused: false, glued: false, after_nuls: false, ends: {} },
  today: {
    "byte-order-mark": "Claude Code ignores the byte order mark and reads the session",
    "torn-end": "Claude Code skips this record",
    "torn-record": "Claude Code skips this line of the session file",
    "fused-records": "Claude Code skips this line of the session file",
    "nul-run": "Claude Code skips this line of the session file",
    "bad-utf8": "Claude Code sends U+FFFD in place of the invalid bytes",
    "no-record": "Claude Code skips this line of the session file",
    "no-newline": "Claude Code reads this record",
    "lost-parent":
      "the parent record is missing, so Claude Code continues from the record before this one in " +
      "the file. Versions before 2.1.100 skip all earlier records",
    "parent-cycle": "Claude Code continues from the record before this one",
    "repeated-id": "Claude Code sends only the last record with this id to the model",
    "stray-result":
      "Claude Code may send this tool result to the provider. The provider then rejects " +
      "the request",
    "hollow-thinking":
      "Claude Code sends this thinking block to a Claude model's API, and the API rejects " +
      "the request",
    "large-image":
      "Claude Code sends this image with every request, and the API rejects each of them",
    "unanswered-call":
      "Claude Code leaves out this tool call when it sends the session to the model",
    "repeated-file":
      "Claude Code sends each record to the model only once, although the file repeats it",
    "long-line": "Claude Code sends all of this very long line of the session file to the model",
    "long-output": "Claude Code sends the whole tool output to the model",
  },
  links: { id: "uuid", parent: "parentUuid", wins: "last", bridged: true },
  strays: true,
  isRecord: ({ type, uuid, sessionId, leafUuid }) =>
    typeof type === "string" &&
    [uuid, sessionId, leafUuid].some((field) => typeof field === "string"),
  facts: factsOf,
  isOutput: (path) =>
    /^message\.content\[\]\.content(?:\[\]\.text)?$/.test(path) ||
    (/^toolUseResult(?:\.|\[|$)/.test(path) && !/(?:^|\.)(?:base64|data)$/.test(path)),
  hold,
};

const CALLS: ReadonlySet<unknown> = new Set(["tool_use", "server_tool_use", "mcp_tool_use"]);

function factsOf({ type, message }: Json): RecordFacts {
  if (type !== "user" && type !== "assistant") return {};
  const { content, model } = asObject(message);
  if (typeof content === "string") return { speaks: true };
  const blocks = asList(content).map(asObject);
  const calls = blocks.flatMap((block) => CALLS.has(block.type) ? asName(block.id) ?? [] : []);
  const speaks = blocks.some(({ type }) => type === "text");
  const results = blocks.flatMap((block, index) => {
    const call_id = block.type === "tool_result" ? asName(block.tool_use_id) : undefined;
    return call_id === undefined ? [] : [{ index, call_id }];
  });
  const hollow = blocks.flatMap((block, index) => isHollow(block, model) ? [index] : []);
  const path = ["message", "content"];
  const facts = { calls, speaks, large: largeImages(blocks, path) };
  if (results.length + hollow.length === 0) return facts;
  return { ...facts, parts: { path, count: blocks.length, results, hollow } };
}

/**
 * Maximum number of base64 characters in an image. Anthropic's Messages API says: "image exceeds 5
 * MB maximum: … bytes > 5242880 bytes" (anthropics/claude-code#2104).
 */
const IMAGE_LIMIT = 5 * 1024 * 1024;

function largeImages(blocks: readonly Json[], path: LargePart["path"]): LargePart[] {
  return blocks.flatMap((block, index) => {
    const here = [...path, index];
    if (block.type === "tool_result") {
      return largeImages(asList(block.content).map(asObject), [...here, "content"]);
    }
    const bytes = block.type === "image" ? asText(asObject(block.source).data)?.length ?? 0 : 0;
    const instead = (text: string): unknown => ({ type: "text", text });
    return bytes > IMAGE_LIMIT ? [{ path: here, bytes, limit: IMAGE_LIMIT, instead }] : [];
  });
}

/**
 * True for a thought that the API rejects. It has no signature, and is empty or from a Claude
 * model. Claude Code does not send thoughts of other models.
 */
function isHollow({ type, thinking, signature }: Json, model: unknown): boolean {
  if (type !== "thinking" || asName(signature) !== undefined) return false;
  return (asText(thinking) ?? "").trim() === "" || /^claude/i.test(asText(model) ?? "");
}

async function hold(file: RepairedFile, place: AgentPlace): Promise<SessionHold> {
  for (const { id, noted } of pidFiles(configFolder(file, place))) {
    if (id === file.id && await isRunning(noted)) {
      return {
        busy: `Claude Code has the session open in process ${noted.pid}; quit Claude Code first`,
      };
    }
  }
  return { release(): void {} };
}

function configFolder({ path }: RepairedFile, { folder }: AgentPlace): string {
  const projects = dirname(dirname(path));
  return basename(projects) === "projects" ? dirname(projects) : folder;
}
