import assert from "node:assert/strict";
import { codexFormat } from "../../../../lib/agents/codex/codex_format.ts";
import { emptyAccount } from "../../../../lib/agents/contract/source_account.ts";
import { readLines, readRecords } from "../../../../lib/agents/engine/records/jsonl_records.ts";
import type { SourceRecord } from "../../../../lib/agents/engine/records/source_record.ts";
import { type RecordOptions, takeLine } from "../../../../lib/agents/engine/records/taken_lines.ts";
import type { Diagnostic } from "../../../../lib/core/log/diagnostic.ts";
import { damaged } from "../../../_support/damaged_lines.ts";
import { roundsOf } from "../../../_support/few_rounds.ts";
import { textBytes } from "../../../_support/log_bytes.ts";
import { mulberry32 } from "../../../_support/mulberry32.ts";
import { tempFile } from "../../../_support/temp_file.ts";

const TYPES = [
  ["response_item", { type: "message", role: "user" }],
  ["response_item", { type: "function_call", arguments: '{"a":1.0}' }],
  ["response_item", { type: "reasoning", summary: [] }],
  ["event_msg", { type: "token_count", info: null }],
  ["event_msg", { type: "item_completed", item: { type: "Reasoning" } }],
  ["turn_context", { cwd: "/" }],
  ["world_state", {}],
] as const;

/** A rollout of some blocks. */
function rollout(random: () => number): Uint8Array {
  const lines: string[] = [];
  for (let bytes = 0; bytes < 400_000;) {
    const [type, payload] = TYPES[Math.floor(random() * TYPES.length)] ?? TYPES[0];
    const text = "aé\\\n}{".repeat(random() * random() * 400);
    const timestamp = new Date(lines.length * 1000).toISOString();
    const line = JSON.stringify({ timestamp, type, payload: { ...payload, text, output: [0.1] } });
    bytes += line.length;
    lines.push(line);
  }
  return textBytes(`${lines.join("\n")}\n`);
}

interface Taken {
  records: SourceRecord[];
  found: Diagnostic[];
  account: ReturnType<typeof emptyAccount>;
}

async function taken(
  options: RecordOptions,
  read: (options: RecordOptions, records: SourceRecord[]) => Promise<void>,
): Promise<Taken> {
  const result: Taken = { records: [], found: [], account: emptyAccount() };
  const report = (diagnostic: Diagnostic): void => void result.found.push(diagnostic);
  await read({ ...options, account: result.account, report }, result.records);
  return result;
}

const SKIPS: readonly RecordOptions["skip"][] = [
  undefined,
  codexFormat.skips?.(undefined),
  codexFormat.skips?.(new Set(["user_message", "assistant_message"])),
  (_block, start, end) => (end - start) % 3 === 0 ? "third" : undefined,
];

// Each round writes and reads a file of some blocks, in all ways.
Deno.test("records of a block are those that its lines give one by one", async () => {
  const random = mulberry32(7);
  let salvaged = 0;
  for (let round = 0; round < roundsOf(160); round++) {
    using file = tempFile("a.jsonl", damaged(rollout(random), random));
    const options = { skip: SKIPS[round % SKIPS.length], max_line_bytes: round % 5 ? 3e5 : 900 };
    const alone = await taken(options, async (options, records) => {
      for await (const lines of readLines(file.path, options)) {
        for (const line of lines) takeLine(line, records, options);
      }
    });
    const together = await taken(options, async (options, records) => {
      for await (const batch of readRecords(file.path, options)) records.push(...batch);
    });
    assert.deepEqual(together, alone, `round ${round}`);
    salvaged += alone.found.length;
  }
  assert.ok(salvaged > 20);
});
