/**
 * What `stats` adds up equals what ccusage does, on the same files: `deno task test:clients`. Its
 * program comes from npm; without it the tests are skipped.
 *
 * Left out where ccusage 20.0.24 contradicts itself: its days count the answers of sub-agents that
 * stand in `progress` records, its sessions do not; of records without a request id its days count
 * every time, its sessions one.
 */
import assert from "node:assert/strict";
import { dirname, join, relative } from "node:path";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { cliCommand, cliEnvironment, jsonLines } from "../../_support/cli.ts";
import { filesBelow } from "../../_support/files_below.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { SAMPLES } from "../../_support/samples.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { makeUsageHome } from "../../bench/usage_home.ts";
import { chosen } from "../quick.ts";
import {
  assertOnPage,
  CCUSAGE,
  cell,
  counts,
  type Json,
  linesOf,
  sameTables,
  type SessionsOfThreads,
} from "./tables.ts";

const ignore = CCUSAGE === undefined;

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    // The samples are not part of the repository.
    return false;
  }
}

const PARENT = "01a1ffd4-7c73-7802-befb-d89adc0983f9";
const FORK = "01a1ffd4-8013-73b1-a9e7-822b38eb243f";
const CHILD = "01a1ffd4-9013-73b1-a9e7-822b38eb2440";
/** What an agent started belongs to the session that started it. */
const STARTED_BY: SessionsOfThreads = new Map([[CHILD, PARENT]]);

let records = 0;

interface RecordOptions {
  id?: string;
  request?: string | null;
  session?: string;
  input?: number;
  output?: number;
  time?: string;
  model?: string;
  sidechain?: boolean;
  usage?: Record<string, unknown>;
  content?: unknown[];
}

/** A record as Claude Code 2.1 writes it. */
function record(options: RecordOptions): Json {
  const { id = `msg_${++records}`, session = "s1", request = `req_${id}`, sidechain = false } =
    options;
  const { input = 3, output = 5, time = "2026-01-01T16:30:00.000Z", model = "claude-opus-4-6" } =
    options;
  return {
    parentUuid: crypto.randomUUID(),
    isSidechain: sidechain,
    userType: "external",
    cwd: "/home/ada",
    sessionId: session,
    version: "2.1.100",
    message: {
      model,
      id,
      type: "message",
      role: "assistant",
      content: options.content ?? [{ type: "text", text: "hi" }],
      stop_reason: null,
      usage: {
        input_tokens: input,
        cache_creation_input_tokens: 20,
        cache_read_input_tokens: 100,
        output_tokens: output,
        ...options.usage,
      },
    },
    ...(request === null ? {} : { requestId: request }),
    type: "assistant",
    uuid: crypto.randomUUID(),
    timestamp: time,
  };
}

function write(home: string, files: Record<string, readonly unknown[]>): void {
  for (const [name, rows] of Object.entries(files)) {
    const path = join(home, name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeTextFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  }
}

const CLAUDE: Record<string, Record<string, unknown[]>> = {
  "blocks of one response, the largest record counts": {
    "s1.jsonl": [1, 9, 4].map((output) => record({ id: "msg_a", output })),
  },
  "a response in two sessions belongs to the first": {
    "s1.jsonl": [record({ id: "msg_a" }), record({ session: "s1" })],
    "s2.jsonl": [record({ id: "msg_a", session: "s2" }), record({ session: "s2" })],
  },
  "a larger record of it moves it to the second": {
    "s1.jsonl": [record({ id: "msg_a" }), record({ session: "s1" })],
    "s2.jsonl": [record({ id: "msg_a", session: "s2", output: 50 })],
  },
  "sub-agents, and side talks that repeat a message": {
    "s1.jsonl": [record({ id: "msg_a" }), record({ id: "msg_b", sidechain: true })],
    "s1/subagents/agent-x.jsonl": [
      record({ id: "msg_c", sidechain: true }),
      record({ id: "msg_a", request: "req_other", output: 90, sidechain: true }),
    ],
  },
  "what is no usage of the message": {
    "s1.jsonl": [
      record({
        content: [{
          type: "tool_use",
          id: "t1",
          name: "x",
          input: { usage: { input_tokens: 1, output_tokens: 2 } },
        }],
      }),
      { type: "user", timestamp: "2026-01-01T00:00:00.000Z", toolUseResult: { usage: {} } },
    ],
  },
  "parts of what was written to a cache; speed; advice; made-up answers": {
    "s1.jsonl": [
      record({
        usage: { cache_creation: { ephemeral_5m_input_tokens: 7, ephemeral_1h_input_tokens: 9 } },
      }),
      record({ usage: { speed: "fast" } }),
      record({ usage: { speed: "standard" } }),
      record({
        usage: {
          iterations: [
            { type: "message", input_tokens: 3, output_tokens: 5 },
            {
              type: "advisor_message",
              model: "claude-opus-4-7",
              input_tokens: 7,
              output_tokens: 9,
            },
          ],
        },
      }),
      record({
        model: "<synthetic>",
        input: 0,
        output: 0,
        usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
      }),
    ],
  },
  "without request ids": {
    "s1.jsonl": [1, 2].map((output) => record({ id: "msg_a", output, request: null })),
    "s2.jsonl": [record({ id: "msg_a", request: null, session: "s2" })],
  },
};

for (const [name, files] of Object.entries(CLAUDE)) {
  Deno.test({
    name: `as ccusage, Claude Code: ${name}`,
    ignore,
    fn: () =>
      withDirectory(async (home) => {
        write(join(home, "projects/-home-ada"), files);
        await sameTables(claudeAgent, home, 1);
      }),
  });
}

/** A home of random sessions, some of whose responses stand in several of them. */
function randomHome(seed: number): Record<string, unknown[]> {
  const random = mulberry32(seed);
  const below = (most: number): number => Math.floor(random() * most);
  const sessions = Array.from({ length: 1 + below(5) }, (_, index) => {
    const session = `s${index + 1}`;
    const rows = Array.from({ length: 1 + below(40) }, () =>
      record({
        ...{ session, id: `msg_${below(60)}`, input: below(900), output: below(900) },
        model: ["claude-opus-4-6", "claude-haiku-4-5"][below(2)] ?? "",
        time: new Date(Date.UTC(2026, 0, 1 + below(5), below(24), below(60))).toISOString(),
      }));
    return [`${session}.jsonl`, rows] as const;
  });
  return Object.fromEntries(sessions);
}

for (const seed of chosen([1, 2, 3, 4, 5, 6, 7, 8])) {
  Deno.test({
    name: `as ccusage, Claude Code: random home ${seed}`,
    ignore,
    fn: () =>
      withDirectory(async (home) => {
        write(join(home, "projects/-home-ada"), randomHome(seed));
        await sameTables(claudeAgent, home, 1);
      }),
  });
}

Deno.test({
  name: "as ccusage, Claude Code: a home of 401 generated sessions",
  ignore,
  fn: () =>
    withDirectory(async (home) => {
      makeUsageHome(home, 4_000_000);
      await sameTables(claudeAgent, join(home, ".claude"), 401);
    }),
});

function tokens(input: number, output: number): Json {
  return {
    input_tokens: input,
    cached_input_tokens: 4,
    output_tokens: output,
    reasoning_output_tokens: 1,
    total_tokens: input + output,
  };
}

function second(seconds: number): string {
  return new Date(Date.parse("2026-01-01T16:30:00.000Z") + seconds * 1000).toISOString();
}

function counted(seconds: number, last: Json, total?: Json): Json {
  const info = { last_token_usage: last, ...(total ? { total_token_usage: total } : {}) };
  return {
    timestamp: second(seconds),
    type: "event_msg",
    payload: { type: "token_count", info },
  };
}

function begun(id: string, more: Json = {}, seconds = 0): Json[] {
  const timestamp = second(seconds);
  return [
    { timestamp, type: "session_meta", payload: { id, timestamp, cwd: "/home/ada", ...more } },
    { timestamp, type: "turn_context", payload: { model: "gpt-5-codex" } },
  ];
}

const HISTORY = [
  counted(1, tokens(10, 5), tokens(10, 5)),
  counted(9, tokens(20, 6), tokens(30, 11)),
];

const CODEX: Record<string, Record<string, unknown[]>> = {
  "counts that are repeated, and totals alone": {
    [PARENT]: [
      ...begun(PARENT),
      ...HISTORY,
      counted(11, tokens(20, 6), tokens(30, 11)),
      { ...counted(12, undefined, tokens(40, 20)) },
      counted(13, { ...tokens(0, 0), cached_input_tokens: 0, reasoning_output_tokens: 0 }),
    ],
  },
  "a fork that copied its parent": {
    [PARENT]: [...begun(PARENT), ...HISTORY, counted(60, tokens(90, 9), tokens(120, 20))],
    [FORK]: [
      ...begun(FORK, { forked_from_id: PARENT }, 20),
      ...HISTORY.map((row, index) => ({ ...row, timestamp: second(20 + index / 100) })),
      counted(40, tokens(25, 7), tokens(55, 18)),
    ],
  },
  "a fork whose parent is gone": {
    [FORK]: [
      ...begun(FORK, { forked_from_id: PARENT }, 20),
      ...HISTORY.map((row, index) => ({ ...row, timestamp: second(20 + index / 100) })),
      counted(40, tokens(25, 7), tokens(55, 18)),
    ],
  },
  "a sub-agent of its own": {
    [PARENT]: [...begun(PARENT), ...HISTORY],
    [CHILD]: [
      ...begun(CHILD, { source: { subagent: { thread_spawn: { parent_thread_id: PARENT } } } }, 20),
      counted(22, tokens(14, 3), tokens(14, 3)),
    ],
  },
};

for (const [name, threads] of Object.entries(CODEX)) {
  Deno.test({
    name: `as ccusage, Codex: ${name}`,
    ignore,
    fn: () =>
      withDirectory(async (home) => {
        const files = Object.entries(threads).map(([id, rows]) =>
          [`rollout-2026-01-01T16-30-00-${id}.jsonl`, rows] as const
        );
        write(join(home, "sessions/2026/01/01"), Object.fromEntries(files));
        await sameTables(codexAgent, home, 1, STARTED_BY);
      }),
  });
}

Deno.test({
  name: "as ccusage, Claude Code: real sessions",
  ignore: ignore || !exists(SAMPLES),
  fn: () =>
    withDirectory(async (home) => {
      // The generated ones have no request ids: there ccusage's days and sessions differ.
      layInHome(home, "self-generated");
      await sameTables(claudeAgent, join(home, ".claude"), 8);
    }),
});

Deno.test({
  name: "as ccusage, Codex: real threads",
  ignore: ignore || !exists(SAMPLES),
  fn: () =>
    withDirectory(async (home) => {
      // ccusage takes an answer of a fork by reference for a copy.
      layInHome(home, FORK);
      await sameTables(codexAgent, join(home, ".codex"), 4);
    }),
});

/** Where samples lie in a home. */
const PLACES: readonly [RegExp, string][] = [
  [/^claude-code\/self-generated\/([\d.]+)\/projects\/(.*)$/, ".claude/projects/$1$2"],
  [/^claude-code\/([^/]+\/[^/]+\.jsonl)$/, ".claude/projects/$1"],
  [/^codex\/jnarowski.*(rollout-(\d+)-(\d+)-(\d+)T.*)$/, ".codex/sessions/$2/$3/$4/$1"],
  [/^codex\/.*?((?:archived_)?sessions\/.*\.jsonl)$/, ".codex/$1"],
  [/^opencode\/.*\/(opencode\.db)$/, ".local/share/opencode/$1"],
  [/^goose\/.*\/(sessions\.db|legacy.*)$/, ".local/share/goose/sessions/$1"],
  [/^pi\/.*\/([^/]+\.jsonl)$/, ".pi/agent/sessions/--samples--/$1"],
  [/^gemini-cli\/[^/]+\/(.*\.jsonl?)$/, ".gemini/tmp/work/chats/session-2026-01-01T00-00-$1"],
  [/^qwen-code\/.*__(019f.*)$/, ".qwen/projects/-work/chats/$1"],
  [/^copilot-cli\/.*__(\w+)\.jsonl$/, ".copilot/session-state/$1/events.jsonl"],
  [/^more\/(?:deja|casr)\/((?:openclaw|grok)\/.*)$/, ".$1"],
];

function layInHome(home: string, without?: string): void {
  for (const file of filesBelow(SAMPLES)) {
    if (without !== undefined && file.includes(without)) continue;
    const name = relative(SAMPLES, file);
    const [form, place] = PLACES.find(([form]) => form.test(name)) ?? [];
    if (form === undefined || place === undefined) continue;
    const path = join(home, name.replace(form, place));
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeFileSync(path, Deno.readFileSync(file));
  }
}

/** The page says why a sum differs: sums of samples that nobody explained fail here. */
Deno.test({
  name: "the page shows the sums of all samples beside those of ccusage",
  ignore: ignore || !exists(SAMPLES),
  fn: () =>
    withDirectory(async (home) => {
      layInHome(home);
      const [program = "", ...words] = cliCommand();
      const flags = [...words, "stats", "--all", "--by", "agent", "--json"];
      const mine = jsonLines(await linesOf(program, flags, cliEnvironment({ home })));
      const rows: string[] = [];
      for (const { group, usage } of mine as { group: string; usage: Json }[]) {
        const { input, output, cache_read, cache_write } = usage;
        const our_sum = cell([input, output, cache_read, cache_write, 0]);
        const sums = new Set<string>();
        for (const report of ["session", "daily"]) {
          const args = [
            group,
            report,
            "--json",
            "--offline",
            ...(group === "claude" ? ["-b"] : []),
          ];
          const { totals } = JSON.parse(await linesOf(CCUSAGE ?? "", args, { HOME: home }));
          sums.add(cell(counts(totals)));
        }
        rows.push(`| ${group} | ${our_sum} | ${[...sums].join("; by day ")} |`);
      }
      assert.ok(rows.length > 9, `${rows.length} rows`);
      await assertOnPage(rows);
    }),
});
