/**
 * Long sessions of other agents, as their programs write them: Claude Code 2.1.330, Codex 0.169 and
 * pi 0.73. Most bytes are tool outputs and side records; a compaction every so often keeps the
 * conversation itself small. The hard shape has neither: many short messages, and all of them count.
 */
import type { Random } from "./random.ts";
import { seededRandom } from "./random.ts";
import { type TextPool, textPool } from "./text_pool.ts";

/** What a generated session is. */
export interface AgentLog {
  path: string;
  bytes: number;
  messages: number;
}

/** Agents whose sessions are generated. */
export type GeneratedAgent = "claude" | "codex" | "pi";

const CWD = "/home/ada/src/ledger";
const START = Date.parse("2026-11-01T08:00:00.000Z");

/** Writes lines through one buffer. */
class LineSink {
  bytes = 0;
  lines = 0;
  messages = 0;
  readonly #file: Deno.FsFile;
  #pending: string[] = [];
  #pendingLength = 0;

  constructor(path: string) {
    this.#file = Deno.openSync(path, { write: true, create: true, truncate: true });
  }

  put(record: unknown): void {
    const line = JSON.stringify(record) + "\n";
    this.lines++;
    this.#pending.push(line);
    this.#pendingLength += line.length;
    if (this.#pendingLength > 1 << 20) this.#flush();
  }

  #flush(): void {
    const bytes = new TextEncoder().encode(this.#pending.join(""));
    for (let at = 0; at < bytes.length;) at += this.#file.writeSync(bytes.subarray(at));
    this.bytes += bytes.length;
    this.#pending = [];
    this.#pendingLength = 0;
  }

  /** Bytes so far, near enough. */
  get size(): number {
    return this.bytes + this.#pendingLength;
  }

  close(): void {
    this.#flush();
    this.#file.close();
  }
}

interface Maker {
  sink: LineSink;
  random: Random;
  text: TextPool;
  id: string;
}

function time({ sink }: Maker): string {
  return new Date(START + sink.lines * 1000).toISOString();
}

function uuid({ random }: Maker): string {
  const hex = (digits: number): string =>
    Array.from({ length: digits }, () => random.below(16).toString(16)).join("");
  return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(12)}`;
}

/** A prompt, then calls with their outputs and answers, through what an agent writes of each. */
interface Writer {
  begin(maker: Maker): void;
  prompt(maker: Maker): void;
  call(maker: Maker): void;
  answer(maker: Maker): void;
  compact(maker: Maker): void;
}

function claudeWriter(): Writer {
  let parent: string | null = null;
  let promptId = "";
  const put = (maker: Maker, fields: Record<string, unknown>): string => {
    const id = uuid(maker);
    maker.sink.put({
      parentUuid: parent,
      isSidechain: false,
      ...fields,
      uuid: id,
      timestamp: time(maker),
      userType: "external",
      entrypoint: "cli",
      cwd: CWD,
      sessionId: maker.id,
      version: "2.1.330",
      gitBranch: "main",
    });
    parent = id;
    return id;
  };
  const assistant = (maker: Maker, message_id: string, block: unknown): void => {
    put(maker, {
      message: {
        id: message_id,
        type: "message",
        role: "assistant",
        model: "claude-sonnet-4-6",
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 10, cache_read_input_tokens: 9000, output_tokens: 200 },
      },
      type: "assistant",
    });
  };
  return {
    begin: (maker): void => maker.sink.put({ type: "mode", mode: "normal", sessionId: maker.id }),
    prompt(maker): void {
      promptId = uuid(maker);
      const content = maker.text(maker.random.size(300, 1, 4000));
      put(maker, { promptId, type: "user", message: { role: "user", content } });
      maker.sink.put({
        type: "last-prompt",
        lastPrompt: content.slice(0, 200),
        sessionId: maker.id,
      });
      maker.sink.messages++;
    },
    call(maker): void {
      const message_id = `msg_${maker.sink.lines}`;
      const call_id = `toolu_${maker.sink.lines}`;
      assistant(maker, message_id, {
        type: "text",
        text: maker.text(maker.random.size(120, 0.8, 2000)),
      });
      const input = { command: maker.text(60), description: "look" };
      assistant(maker, message_id, { type: "tool_use", id: call_id, name: "Bash", input });
      const output = maker.text(maker.random.size(900, 1.8, 120_000));
      put(maker, {
        promptId,
        type: "user",
        message: {
          role: "user",
          content: [{
            tool_use_id: call_id,
            type: "tool_result",
            content: output,
            is_error: false,
          }],
        },
        toolUseResult: { stdout: output, stderr: "", interrupted: false, isImage: false },
        sourceToolAssistantUUID: parent,
      });
      if (maker.random.unit() < 0.5) {
        maker.sink.put({
          type: "api-request-blob",
          sessionId: maker.id,
          hash: uuid(maker),
          body: maker.text(maker.random.size(3000, 1.2, 60_000)),
        });
      }
      maker.sink.messages++;
    },
    answer(maker): void {
      const text = maker.text(maker.random.size(600, 1, 8000));
      assistant(maker, `msg_${maker.sink.lines}`, { type: "text", text });
      maker.sink.messages++;
    },
    compact(maker): void {
      const logicalParentUuid = parent;
      parent = null;
      put(maker, {
        logicalParentUuid,
        type: "system",
        subtype: "compact_boundary",
        content: "Conversation compacted",
        isMeta: false,
        compactMetadata: { trigger: "auto", preTokens: 160_000 },
      });
      put(maker, {
        promptId: uuid(maker),
        type: "user",
        isCompactSummary: true,
        isVisibleInTranscriptOnly: true,
        message: { role: "user", content: maker.text(4000) },
      });
    },
  };
}

function codexWriter(): Writer {
  let turn_id = "";
  const put = (maker: Maker, type: string, payload: unknown): void =>
    maker.sink.put({ timestamp: time(maker), type, payload });
  const item = (maker: Maker, payload: unknown): void => put(maker, "response_item", payload);
  const said = (maker: Maker, role: "user" | "assistant", text: string): void => {
    const type = role === "user" ? "input_text" : "output_text";
    item(maker, { type: "message", role, content: [{ type, text }] });
    const event = role === "user" ? "user_message" : "agent_message";
    put(maker, "event_msg", { type: event, message: text });
    maker.sink.messages++;
  };
  return {
    begin: (maker): void =>
      put(maker, "session_meta", {
        id: maker.id,
        timestamp: time(maker),
        cwd: CWD,
        originator: "codex_cli_rs",
        cli_version: "0.169.0",
        source: "cli",
        model_provider: "openai",
      }),
    prompt(maker): void {
      turn_id = uuid(maker);
      put(maker, "event_msg", { type: "task_started", turn_id, model_context_window: 258_400 });
      put(maker, "turn_context", {
        turn_id,
        cwd: CWD,
        approval_policy: "never",
        sandbox_policy: { type: "danger-full-access" },
        model: "gpt-5.5",
        summary: "none",
      });
      said(maker, "user", maker.text(maker.random.size(300, 1, 4000)));
    },
    call(maker): void {
      const call_id = `call_${maker.sink.lines}`;
      const encrypted_content = maker.text(800).replace(/\W/g, "A");
      item(maker, { type: "reasoning", summary: [], content: null, encrypted_content });
      const command = JSON.stringify({ command: ["bash", "-lc", maker.text(60)] });
      item(maker, { type: "function_call", name: "shell", arguments: command, call_id });
      const output = maker.text(maker.random.size(1200, 1.8, 120_000));
      item(maker, { type: "function_call_output", call_id, output });
      put(maker, "event_msg", {
        type: "exec_command_end",
        call_id,
        turn_id,
        stdout: output,
        exit_code: 0,
        aggregated_output: output,
      });
      put(maker, "event_msg", {
        type: "token_count",
        info: { last_token_usage: { input_tokens: 900, output_tokens: 120, total_tokens: 1020 } },
      });
    },
    answer(maker): void {
      said(maker, "assistant", maker.text(maker.random.size(600, 1, 8000)));
      put(maker, "event_msg", { type: "task_complete", turn_id });
    },
    compact(maker): void {
      const content = [{ type: "input_text", text: maker.text(4000) }];
      put(maker, "compacted", {
        message: "",
        replacement_history: [{ type: "message", role: "user", content }],
      });
    },
  };
}

function piWriter(): Writer {
  let parentId: string | null = null;
  const put = (maker: Maker, type: string, fields: Record<string, unknown>): string => {
    const id = maker.sink.lines.toString(16).padStart(8, "0");
    maker.sink.put({ type, id, parentId, timestamp: time(maker), ...fields });
    parentId = id;
    return id;
  };
  const message = (maker: Maker, fields: Record<string, unknown>): string =>
    put(maker, "message", { message: { ...fields, timestamp: START + maker.sink.lines } });
  const model = {
    api: "anthropic-messages",
    provider: "anthropic",
    model: "claude-sonnet-4-6",
    usage: { input: 900, output: 120, cacheRead: 0, cacheWrite: 0, totalTokens: 1020 },
  };
  let lastPrompt = "";
  return {
    begin: (maker): void =>
      maker.sink.put({
        type: "session",
        version: 3,
        id: maker.id,
        timestamp: time(maker),
        cwd: CWD,
      }),
    prompt(maker): void {
      const text = maker.text(maker.random.size(300, 1, 4000));
      lastPrompt = message(maker, { role: "user", content: [{ type: "text", text }] });
      maker.sink.messages++;
    },
    call(maker): void {
      const id = `call_${maker.sink.lines}`;
      const text = maker.text(maker.random.size(120, 0.8, 2000));
      const toolCall = {
        type: "toolCall",
        id,
        name: "bash",
        arguments: { command: maker.text(60) },
      };
      const content = [{ type: "text", text }, toolCall];
      message(maker, { role: "assistant", content, ...model, stopReason: "toolUse" });
      message(maker, {
        role: "toolResult",
        toolCallId: id,
        toolName: "bash",
        content: [{ type: "text", text: maker.text(maker.random.size(1500, 1.8, 120_000)) }],
        isError: false,
      });
      maker.sink.messages++;
    },
    answer(maker): void {
      const content = [{ type: "text", text: maker.text(maker.random.size(600, 1, 8000)) }];
      message(maker, { role: "assistant", content, ...model, stopReason: "stop" });
      maker.sink.messages++;
    },
    compact(maker): void {
      put(maker, "compaction", {
        summary: maker.text(4000),
        firstKeptEntryId: lastPrompt,
        tokensBefore: 160_000,
      });
    },
  };
}

const WRITERS: Readonly<Record<GeneratedAgent, () => Writer>> = {
  claude: claudeWriter,
  codex: codexWriter,
  pi: piWriter,
};

/** Bytes from the last compaction to the end of a long session. */
const TAIL_BYTES = 20 * 1024 * 1024;
const COMPACTED_EVERY = 40 * 1024 * 1024;

/**
 * What a session is like: `compacted`, long outputs and a compaction every 40 MB; `short`, short
 * messages and no compaction, so that the whole file is the conversation.
 */
export type AgentLogShape = "compacted" | "short";

/** How to make a session. */
export interface AgentLogOptions {
  /** The session. @default {one of the seed} */
  id?: string;
  /** The same seed and size give the same file. @default {1} */
  seed?: number;
  /** @default {"compacted"} */
  shape?: AgentLogShape;
  text?: TextPool;
}

/** Numbers of which the sizes are those of short messages. */
function shortSizes(random: Random): Random {
  return { ...random, size: (median, _sigma, most) => random.size(median * 0.4, 0.5, most) };
}

/** Writes a session of about `bytes` bytes. */
export function makeAgentLog(
  agent: GeneratedAgent,
  path: string,
  bytes: number,
  { seed = 1, shape = "compacted", text, id }: AgentLogOptions = {},
): AgentLog {
  const numbers = seededRandom(seed);
  const random = shape === "short" ? shortSizes(numbers) : numbers;
  const sink = new LineSink(path);
  const maker: Maker = { sink, random, text: text ?? textPool(numbers, bytes), id: "" };
  maker.id = id ?? uuid(maker);
  const writer = WRITERS[agent]();
  writer.begin(maker);
  let compacted = 0;
  let last = false;
  while (sink.size < bytes) {
    writer.prompt(maker);
    for (let calls = random.below(12); calls >= 0; calls--) writer.call(maker);
    writer.answer(maker);
    if (shape === "short") continue;
    const left = bytes - sink.size;
    const due = sink.size - compacted > COMPACTED_EVERY && left > 2 * TAIL_BYTES;
    if (bytes > 2 * TAIL_BYTES && (due || (!last && left <= TAIL_BYTES))) {
      writer.compact(maker);
      compacted = sink.size;
      last = left <= TAIL_BYTES;
    }
  }
  sink.close();
  return { path, bytes: sink.bytes, messages: sink.messages };
}
