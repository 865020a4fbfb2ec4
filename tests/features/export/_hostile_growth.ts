/**
 * Prints how much longer each form of a session takes for a doubled hostile text: `_hostile_growth.ts
 * [few]`. It runs alone in its process, whose CPU time is then that of the work.
 */
import { cpuUsage } from "node:process";
import type { LogEvent, NewEvent } from "../../../lib/core/event/envelope.ts";
import { EXPORT_FORMATS, exportDocument } from "../../../lib/features/export/export_document.ts";
import type { Summary } from "../../../lib/core/projection/summary_row.ts";
import { SessionBlocks } from "../../../lib/text/render/block/session_blocks.ts";
import { createStyle } from "../../../lib/text/render/style.ts";
import { printBlocks } from "../../../lib/text/render/terminal.ts";
import { memoryStore } from "../../../lib/core/store/memory_store.ts";
import { toolEnd, toolStart } from "../../_support/log_bytes.ts";

const UNITS = [
  ...["[a](", "](<", "](>", "](", "[a](b ", "[^a]", "![", "[", "]: ", "[a]: b\n", "`", "`a", "*a"],
  ...[
    "_a_",
    "~a",
    "<",
    "<!--",
    "<a ",
    "<http://",
    "www.a.",
    "|a",
    "|\n",
    "> ",
    "- ",
    "# a\n",
    "=\n",
  ],
  ...["\\", "&#", "\n", " ", "\t", "\r", "\x1b[31m", "\u200d", "e\u0301", "\ud800", "a\n", "+a\n"],
  ...['{"a":', "<system-reminder>", "```\n", "~~~ a\n", "漢"],
];
/** Units whose cost shows in longer texts only, or is high for each character. */
const LENGTHS: Record<string, number> = { "`a": 4, "> ": 1 / 8 };
const CHARACTERS = 4096;
/** The longer text of two: growth is reckoned back to a doubled one, since a clock is uncertain. */
const TIMES = 4;
const MOST_GROWTH = 2.5;
/** Milliseconds that a clock and a collection of garbage leave uncertain. */
const UNCERTAIN = 40;
const ATTEMPTS = 20;

type Renderer = (events: readonly LogEvent[]) => Promise<unknown>;

const SUMMARY: Summary = {
  ...{ ref: "a", session_id: "a", agent: "reprise", path: "/a", title: "a" },
  ...{ status: "completed", archived: false, event_count: 1 },
};

async function exported(
  format: typeof EXPORT_FORMATS[number],
  events: readonly LogEvent[],
): Promise<string> {
  const document = await exportDocument(format);
  const exported_at = "2026-11-21T20:21:53.123Z";
  const facts = { exported_at, generator: "reprise", redacted: false };
  return document.begin({ summary: SUMMARY, ...facts }) + document.take(events) + document.end();
}

function printed(events: readonly LogEvent[], full: boolean): Promise<string> {
  const session = new SessionBlocks({ tools: "full" });
  const view = { width: 80, style: createStyle(true), full };
  return Promise.resolve(printBlocks([...session.take(events), ...session.rest()], view));
}

const RENDERERS: Record<string, Renderer> = {
  ...Object.fromEntries(
    EXPORT_FORMATS.map((format) => [format, (events) => exported(format, events)] as const),
  ),
  terminal: (events) => printed(events, true),
  "shortened terminal": (events) => printed(events, false),
};

/** Events that hold a text: said and thought, or given to tools and by them. */
const EVENTS: Record<string, (text: string) => NewEvent[]> = {
  said: (text) => [
    { kind: "user_message", payload: { content: text } },
    { kind: "assistant_message", payload: { content: [{ type: "reasoning", text }] } },
  ],
  called: (text) => [
    toolStart("c1", { command: text }),
    toolEnd("c1", text),
    toolStart("c2", { path: "a", old_text: text, new_text: `${text}b` }),
    toolEnd("c2", text),
  ],
};

async function sessionOf(events: readonly NewEvent[]): Promise<LogEvent[]> {
  const store = memoryStore();
  const session = store.create({ cwd: "/work" });
  await session.appendAll(events);
  return await Array.fromAsync(store.events(session.id)).then((some) => some.flat());
}

/** Returns milliseconds of CPU. */
async function timeOf(render: () => Promise<unknown>): Promise<number> {
  const before = cpuUsage();
  await render();
  const { user, system } = cpuUsage(before);
  return (user + system) / 1000;
}

/** Returns how often longer a doubled text takes, by the least times of several attempts. */
async function growthOf(
  render: Renderer,
  [short, long]: readonly LogEvent[][],
  attempts: number,
): Promise<number> {
  let [least, most, growth] = [Infinity, Infinity, 0];
  for (let attempt = 0; attempt < attempts; attempt++) {
    most = Math.min(most, await timeOf(() => render(long ?? [])));
    if (most < UNCERTAIN) return 0;
    least = Math.min(least, await timeOf(() => render(short ?? [])));
    growth = (most / least) ** (1 / Math.log2(TIMES));
    if (growth <= MOST_GROWTH) break;
  }
  return growth;
}

/** Sessions with a text, and with a longer one. */
function sessionsOf(unit: string, place: string): Promise<LogEvent[][]> {
  const count = CHARACTERS * (LENGTHS[unit] ?? 1) / unit.length;
  const texts = [count, TIMES * count].map((times) => `x${unit.repeat(times)}x`);
  return Promise.all(texts.map((text) => sessionOf(EVENTS[place]?.(text) ?? [])));
}

const square: Renderer = ([, event]) => {
  let sum = 0;
  const steps = JSON.stringify(event).length ** 2 / 8;
  for (let at = 0; at < steps; at++) sum += at % 7;
  return Promise.resolve(sum);
};

/** How many units lie between two that are taken, when few are asked for. */
const STRIDE = Deno.args.includes("few") ? 9 : 1;

async function print(
  name: string,
  render: Renderer,
  place: string,
  unit: string,
  attempts = ATTEMPTS,
): Promise<void> {
  const growth = await growthOf(render, await sessionsOf(unit, place), attempts);
  const line = `${JSON.stringify({ name, place, unit, growth })}\n`;
  await Deno.stdout.write(new TextEncoder().encode(line));
}

// The one that must be found, however often it is tried.
await print("square", square, "said", "a\n", 2);
let turn = 0;
for (const [name, render] of Object.entries(RENDERERS)) {
  for (const place of Object.keys(EVENTS)) {
    // Each form begins with another unit, so that all units come up.
    for (let at = turn++ % STRIDE; at < UNITS.length; at += STRIDE) {
      await print(name, render, place, UNITS[at] ?? "");
    }
  }
}
