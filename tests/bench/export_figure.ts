/**
 * A long session as one HTML page: how long it takes, and how much memory.
 * `export_figure.ts LOG PAGE` exports a log in this process and prints what that took, as JSON.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { encodeEvent } from "../../lib/core/event/encode.ts";
import type { Event, NewEvent } from "../../lib/core/event/envelope.ts";
import type { Part } from "../../lib/core/event/message.ts";
import { writeWhole } from "../../lib/core/log/write_whole.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import { readTranscript } from "../../lib/core/store/load_session.ts";
import { v8Flags } from "./compile_recipe.ts";
import { type Bench, type Figure, rounded, type Row, row } from "./figure.ts";
import { peakMemory } from "./peak_memory.ts";
import { type Random, seededRandom } from "./random.ts";
import { median } from "./rounds.ts";
import { firstEvent } from "./session_events.ts";
import { type TextPool, textPool } from "./text_pool.ts";

const MOST_SECONDS = 5;
const MOST_MEMORY_MB = 300;
const LOG_BYTES = 50e6;
const MARKDOWN_BYTES = 5e6;
const SEED = 404;
const START = new Date("2026-11-21T08:00:00.000Z");
const LONGEST_OUTPUT = 600_000;
const ROUNDS = 3;
/** A page is written in blocks of about so many characters. */
const BLOCK = 256 * 1024;

/** What an export took. */
interface Exported {
  ms: number;
  /** Bytes that the process held at most; undefined where the system does not tell. */
  peak_memory: number | undefined;
  items: number;
  page_bytes: number;
}

/** An answer with all that Markdown has. */
function markdown(text: TextPool, random: Random): string {
  const lines = (): string[] => text(60 + random.below(200)).split("\n");
  return [
    `## ${lines()[0]}`,
    `The **cause** is in \`lib/part_${random.below(500)}.ts\`: ${lines().join(" ")}`,
    lines().map((line) => `- *${line.slice(0, 12)}* ${line}`).join("\n"),
    "```ts\n" + text(200 + random.below(1200)).replaceAll("```", "") + "\n```",
    "| file | lines |\n|---|--:|\n" + lines().map((line) => `| ${line} | 12 |`).join("\n"),
    `> ${lines().join(" ")}\n\nSee [the guide](https://example.org/guide?a=1&b=2).`,
  ].join("\n\n");
}

function* sessionEvents(text: TextPool, random: Random): Generator<NewEvent> {
  let [spoken, printed] = [0, 0];
  for (let turn = 1; spoken + printed < LOG_BYTES; turn++) {
    const turn_id = `t${turn}`;
    yield { kind: "user_message", turn_id, payload: { content: text(200) } };
    const said = markdown(text, random);
    spoken += said.length;
    const outputs: string[] = [];
    while (printed < spoken * (LOG_BYTES / MARKDOWN_BYTES - 1)) {
      const output = text(random.size(1900, 1.75, LONGEST_OUTPUT));
      printed += output.length;
      outputs.push(output);
    }
    const content: Part[] = [
      { type: "text", text: said },
      ...outputs.map((_, call): Part => {
        const input = { path: `/home/ada/src/ledger/lib/part_${call}.ts` };
        return { type: "tool_call", call_id: `call_${turn}_${call}`, name: "read", input };
      }),
    ];
    yield { kind: "assistant_message", turn_id, payload: { content, model: "model-large-2" } };
    for (const [call, output] of outputs.entries()) {
      const call_id = `call_${turn}_${call}`;
      yield { kind: "tool_start", turn_id, payload: { call_id } };
      yield {
        kind: "tool_end",
        turn_id,
        payload: { call_id, name: "read", status: "ok", output, duration_ns: 1e6 },
      };
    }
  }
}

/** Writes the session; gives its size. */
function writeLog(path: string): number {
  const random = seededRandom(SEED);
  using file = Deno.openSync(path, { write: true, create: true, truncate: true });
  let seq = 0;
  function append(event: NewEvent): void {
    const time = new Date(START.getTime() + ++seq * 700).toISOString();
    writeWhole(file, encodeEvent({ ...event, seq, time } as Event));
  }
  append(firstEvent("3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48", START, "/home/ada/src/ledger"));
  for (const event of sessionEvents(textPool(random), random)) append(event);
  return file.statSync().size;
}

const SUMMARY: Summary = {
  ref: "3f6a2b91",
  agent: "reprise",
  session_id: "3f6a2b91-0d4c-4f7e-8a15-6c2d9e7b0a48",
  path: "/log",
  title: "A long session",
  status: "completed",
  archived: false,
};

async function exportLog(path: string, page_path: string): Promise<Exported> {
  const start = performance.now();
  const { htmlDocument } = await import("../../lib/text/render/html_document.ts");
  const { BlockMaker } = await import("../../lib/text/render/block/block_maker.ts");
  using page = Deno.openSync(page_path, { write: true, create: true, truncate: true });
  const encoder = new TextEncoder();
  const made = htmlDocument({ tools: "full" });
  const maker = new BlockMaker();
  let pending = made.begin({
    summary: SUMMARY,
    exported_at: START.toISOString(),
    generator: "reprise bench",
    redacted: false,
  });
  let items = 0;
  for await (const item of readTranscript(path)) {
    const block = maker.blockOf(item);
    if (block !== undefined) pending += made.block(block);
    items++;
    if (pending.length < BLOCK) continue;
    writeWhole(page, encoder.encode(pending));
    pending = "";
  }
  writeWhole(page, encoder.encode(pending + made.end()));
  const page_bytes = page.statSync().size;
  return { ms: performance.now() - start, peak_memory: peakMemory(), items, page_bytes };
}

/** Exports in a new process, with the engine set as in the executable. */
async function exportInProcess(path: string, page_path: string): Promise<Exported> {
  const flags = v8Flags();
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "-A"],
      ...(flags.length === 0 ? [] : [`--v8-flags=${flags.join(",")}`]),
      ...[fileURLToPath(import.meta.url), path, page_path],
    ],
    stderr: "inherit",
  }).output();
  assert.ok(success, "the export failed");
  return JSON.parse(new TextDecoder().decode(stdout)) as Exported;
}

/** A long session as HTML. */
export const exported: Figure = {
  name: "export",
  async measure(bench: Bench): Promise<Row[]> {
    const path = join(bench.directory, "exported.jsonl");
    const log_bytes = writeLog(path);
    const results: Exported[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      results.push(await exportInProcess(path, join(bench.directory, "exported.html")));
    }
    const [first] = results;
    assert.ok(first !== undefined && first.items > 1000 && first.page_bytes > log_bytes * 0.9);
    const note = `${rounded(log_bytes / 1e6)} MB to ${rounded(first.page_bytes / 1e6)} MB`;
    const seconds = median(results.map(({ ms }) => ms)) / 1000;
    const rows = [row("export to HTML", { value: seconds, most: MOST_SECONDS, unit: " s", note })];
    const peaks = results.flatMap(({ peak_memory }) => peak_memory ?? []);
    if (peaks.length === 0) return rows;
    const value = Math.max(...peaks) / 1e6;
    return [
      ...rows,
      row("peak memory, export to HTML", { value, most: MOST_MEMORY_MB, unit: " MB" }),
    ];
  },
};

if (import.meta.main) {
  const [path = "", page_path = ""] = Deno.args;
  const result = await exportLog(path, page_path);
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(result)));
}
