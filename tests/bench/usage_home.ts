/**
 * Sessions of Claude Code (2.1) that never compact, to add up what they took: a response in two
 * records that say its tokens as they come, outputs of tools that stand twice in their records.
 */
import { join } from "node:path";
import type { Random } from "./random.ts";
import { seededRandom } from "./random.ts";
import { type TextPool, textPool } from "./text_pool.ts";

const START = Date.parse("2026-11-01T08:00:00.000Z");
const CWD = "/home/ada/src/ledger";
const MODELS = ["claude-sonnet-4-5-20250929", "claude-opus-4-6", "claude-haiku-4-5-20251001"];
const RESPONSES_A_TURN = 6;
const FLUSH_CHARACTERS = 1 << 20;

interface Maker {
  random: Random;
  text: TextPool;
}

function hex(random: Random, digits: number): string {
  return Array.from({ length: digits }, () => random.below(16).toString(16)).join("");
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((digits) => hex(random, digits)).join("-");
}

/** Fills a home: one session of two thirds of the bytes, and 400 that share the rest. */
export function makeUsageHome(home: string, bytes: number): void {
  const random = seededRandom(11);
  const maker = { random, text: textPool(random) };
  const folder = join(home, ".claude/projects/-home-ada-src-ledger");
  Deno.mkdirSync(folder, { recursive: true });
  makeSession(maker, folder, bytes * 2 / 3, 0);
  for (let index = 1; index <= 400; index++) makeSession(maker, folder, bytes / 3 / 400, index);
}

function makeSession(maker: Maker, folder: string, bytes: number, index: number): void {
  const { random, text } = maker;
  const id = uuid(random);
  const model = random.pick(MODELS);
  const file = Deno.openSync(join(folder, `${id}.jsonl`), { write: true, create: true });
  let [pending, written, records] = ["", 0, 0];
  let parent: string | null = null;
  const put = (fields: Record<string, unknown>): void => {
    const own = uuid(random);
    const timestamp = new Date(START + index * 3_600_000 + records++ * 1500).toISOString();
    pending += JSON.stringify({
      parentUuid: parent,
      isSidechain: false,
      userType: "external",
      cwd: CWD,
      sessionId: id,
      version: "2.1.100",
      gitBranch: "main",
      ...fields,
      uuid: own,
      timestamp,
    }) + "\n";
    parent = own;
    if (pending.length > FLUSH_CHARACTERS) flush();
  };
  const flush = (): void => {
    const encoded = new TextEncoder().encode(pending);
    for (let at = 0; at < encoded.length;) at += file.writeSync(encoded.subarray(at));
    written += encoded.length;
    pending = "";
  };
  while (written + pending.length < bytes) {
    put({ type: "user", message: { role: "user", content: text(100) } });
    for (let response = 0; response < RESPONSES_A_TURN; response++) {
      for (const record of responseRecords(maker, model)) put(record);
      const { stdout } = { stdout: text(random.size(1500, 1, 60_000)) };
      put({
        type: "user",
        message: {
          role: "user",
          content: [{ tool_use_id: "toolu_1", type: "tool_result", content: stdout }],
        },
        toolUseResult: { stdout, stderr: "", interrupted: false, isImage: false },
      });
    }
  }
  flush();
  file.close();
}

/** The records of one response: its text, then its call, each with the tokens so far. */
function responseRecords({ random, text }: Maker, model: string): Record<string, unknown>[] {
  const [id, request] = [`msg_01${hex(random, 20)}`, `req_01${hex(random, 20)}`];
  const cached = 20_000 + random.below(100_000);
  const blocks = [
    { type: "text", text: text(300) },
    { type: "tool_use", id: "toolu_1", name: "Bash", input: { command: text(120) } },
  ];
  return blocks.map((block, index) => ({
    message: {
      model,
      id,
      type: "message",
      role: "assistant",
      content: [block],
      stop_reason: null,
      stop_sequence: null,
      usage: {
        input_tokens: 3,
        cache_creation_input_tokens: 900,
        cache_read_input_tokens: cached,
        cache_creation: { ephemeral_5m_input_tokens: 900, ephemeral_1h_input_tokens: 0 },
        output_tokens: 8 + 200 * index,
        service_tier: "standard",
      },
    },
    requestId: request,
    type: "assistant",
  }));
}
