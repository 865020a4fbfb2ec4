/**
 * Random homes of Codex, with what their models took. Threads are of two kinds. Older forks copy their
 * parent's lines, with the moment of the fork; until January 2026 they do not name it (openai/codex
 * pull request 9330). In newer threads a `token_usage_record` precedes a count, and forks refer to
 * their parent (0.169).
 */
import { dirname, join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { mulberry32 } from "./mulberry32.ts";

/** Tokens of an answer, apart from those that were cached. */
export type TookTokens = readonly [
  input: number,
  output: number,
  cache_read: number,
  cache_write: number,
  reasoning: number,
];

/** An answer of a model, which counts once. */
export interface MadeAnswer {
  /** The thread that the user began; of an agent's answer, the one that started it. */
  session: string;
  time: string;
  model: string;
  took: TookTokens;
}

/** Files by their place in the home, and the answers in them. */
export interface CodexUsageHome {
  files: Record<string, readonly unknown[]>;
  answers: readonly MadeAnswer[];
  /** Sessions by the ids of the threads in them. */
  sessions: ReadonlyMap<string, string>;
}

/** What a home contains besides what all do. */
export interface CodexUsageOptions {
  /** Compactions that only a `token_usage_record` counts. */
  silent_compactions?: boolean;
  /** Forks that do not name their parent. */
  unnamed_forks?: boolean;
  /** Counts that are said again within a second. */
  quick_repeats?: boolean;
  /** Forks whose parent is gone. What it took is not known. */
  lost_parents?: boolean;
  /** Archived rollouts that Codex compressed. */
  packed?: boolean;
}

interface Tokens {
  input_tokens: number;
  cached_input_tokens: number;
  cache_write_input_tokens: number;
  output_tokens: number;
  reasoning_output_tokens: number;
  total_tokens: number;
}

interface Line {
  timestamp: string;
  type: string;
  payload: Record<string, unknown>;
}

interface Thread {
  id: string;
  /** The thread whose agent started it. */
  starter: Thread | undefined;
  file: string;
  /** Its own answers. */
  answers: Omit<MadeAnswer, "session">[];
  lines: Line[];
  total: Tokens;
  model: string;
  /** True if usage records precede the counts. */
  recorded: boolean;
}

const NOTHING: Tokens = {
  input_tokens: 0,
  cached_input_tokens: 0,
  cache_write_input_tokens: 0,
  output_tokens: 0,
  reasoning_output_tokens: 0,
  total_tokens: 0,
};
const MODELS = ["gpt-5-codex", "gpt-5.1-codex-max", "gpt-5.2"];
const WINDOW = 258_400;

/** Makes a home of some threads: forks and agents among them, some of which are archived. */
export function codexUsageHome(seed: number, options: CodexUsageOptions = {}): CodexUsageHome {
  const home = new Home(seed, options);
  for (let threads = 3 + home.below(6); threads > 0; threads--) {
    home.begin();
    for (let turns = 1 + home.below(4); turns > 0; turns--) home.turn(home.oneOf(home.threads));
  }
  const lost = new Set(options.lost_parents ? home.copied : []);
  const kept = home.threads.filter((thread) => !lost.has(thread));
  const sessions = new Map(kept.map((thread) => [thread.id, sessionOf(thread, lost)]));
  return {
    files: Object.fromEntries(kept.map(({ file, lines }) => [file, lines])),
    answers: kept.flatMap(({ id, answers }) =>
      answers.map((answer) => ({ ...answer, session: sessions.get(id) ?? id }))
    ),
    sessions,
  };
}

/** Writes a home below a folder. */
export function writeCodexHome(folder: string, { files }: CodexUsageHome): void {
  for (const [name, rows] of Object.entries(files)) {
    const path = join(folder, name);
    Deno.mkdirSync(dirname(path), { recursive: true });
    const bytes = new TextEncoder().encode(
      rows.map((row) => `${JSON.stringify(row)}\n`).join(""),
    );
    Deno.writeFileSync(
      path,
      name.endsWith(".zst") ? new Uint8Array(zstdCompressSync(bytes)) : bytes,
    );
  }
}

/** Returns the id of the session that a thread belongs to: of an agent's, what started it. */
function sessionOf({ id, starter }: Thread, lost: ReadonlySet<Thread>): string {
  return starter === undefined || lost.has(starter) ? id : sessionOf(starter, lost);
}

class Home {
  readonly threads: Thread[] = [];
  /** Threads whose lines others copied. */
  readonly copied: Thread[] = [];
  readonly #random: () => number;
  readonly #options: CodexUsageOptions;
  #now = Date.UTC(2026, 0, 1, 14);

  constructor(seed: number, options: CodexUsageOptions) {
    this.#random = mulberry32(seed);
    this.#options = options;
  }

  below(most: number): number {
    return Math.floor(this.#random() * most);
  }

  oneOf<T>(all: readonly T[]): T {
    return all[this.below(all.length)] as T;
  }

  /** Begins a thread: a user's own, an agent's, or a fork of either. */
  begin(): void {
    this.#pass(60_000 * (1 + this.below(300)));
    const recorded = this.below(3) === 0;
    const parents = this.threads.filter((thread) =>
      thread.recorded === recorded && thread.lines.length > 2
    );
    const parent = parents.length === 0 ? undefined : this.oneOf([...parents, undefined]);
    const by_agent = parent !== undefined && this.below(2) === 0;
    const copies = parent !== undefined && this.below(3) > 0;
    const number = `${this.threads.length + 1}`.padStart(12, "0");
    const id = `01a1ffd4-7c73-7802-befb-${number}`;
    const stamp = this.#time().slice(0, 19).replaceAll(":", "-");
    const archived = this.below(4) === 0;
    const folder = archived
      ? "archived_sessions"
      : `sessions/${stamp.slice(0, 10).replaceAll("-", "/")}`;
    const ending = archived && this.#options.packed ? "jsonl.zst" : "jsonl";
    const thread: Thread = {
      id,
      starter: by_agent ? parent : undefined,
      file: `${folder}/rollout-${stamp}-${id}.${ending}`,
      ...{ answers: [], lines: [], total: NOTHING, model: this.oneOf(MODELS), recorded },
    };
    const payload: Record<string, unknown> = { id, timestamp: this.#time(), cwd: "/home/ada" };
    if (by_agent) payload.source = { subagent: { thread_spawn: { parent_thread_id: parent.id } } };
    if (copies && !(this.#options.unnamed_forks && !recorded)) payload.forked_from_id = parent.id;
    if (copies && recorded) payload.history_base = baseOf(parent);
    this.#write(thread, "session_meta", payload);
    if (copies) thread.total = parent.total;
    if (copies && !recorded) {
      this.copied.push(parent);
      this.#pass(this.below(900));
      // Codex copies up to the end of a turn.
      for (const { type, payload } of parent.lines) {
        this.#pass(this.below(4));
        this.#write(thread, type, payload);
      }
    }
    this.threads.push(thread);
    this.turn(thread);
  }

  /** Lets a thread answer, and count what it took. */
  turn(thread: Thread): void {
    this.#pass(1000 * (2 + this.below(20_000)));
    if (this.below(3) === 0) thread.model = this.oneOf(MODELS);
    this.#write(thread, "turn_context", { cwd: "/home/ada", model: thread.model });
    if (this.below(3) === 0) this.#count(thread, null);
    for (let answers = 1 + this.below(5); answers > 0; answers--) {
      const info = infoOf(this.#answer(thread), thread.total);
      for (let times = this.oneOf([1, 1, 2, 3]); times > 0; times--) {
        this.#count(thread, info);
        this.#pass(this.#options.quick_repeats ? this.below(900) : 1000 + this.below(9000));
      }
    }
    if (this.below(5) === 0) this.#compact(thread);
    if (this.below(9) === 0) this.#overflow(thread);
  }

  #answer(thread: Thread, counted = true): Tokens {
    this.#pass(2000 + this.below(60_000));
    const input_tokens = 1000 + this.below(90_000);
    const cached_input_tokens = this.below(input_tokens);
    const cache_write_input_tokens = thread.recorded
      ? this.below(input_tokens - cached_input_tokens)
      : 0;
    const output_tokens = 1 + this.below(4000);
    const reasoning_output_tokens = this.below(output_tokens);
    const last = {
      ...{ input_tokens, cached_input_tokens, cache_write_input_tokens },
      ...{ output_tokens, reasoning_output_tokens },
      total_tokens: input_tokens + output_tokens,
    };
    thread.total = sum(thread.total, last);
    const own = input_tokens - cached_input_tokens - cache_write_input_tokens;
    const took: TookTokens = [
      own,
      output_tokens,
      cached_input_tokens,
      cache_write_input_tokens,
      reasoning_output_tokens,
    ];
    if (thread.recorded) {
      this.#write(thread, "token_usage_record", { thread_id: thread.id, usage: last });
    }
    if (counted) this.#pass(this.below(300));
    thread.answers.push({ time: this.#time(), model: thread.model, took });
    return last;
  }

  #compact(thread: Thread): void {
    const counted = !(this.#options.silent_compactions && thread.recorded);
    const last = this.#answer(thread, counted);
    if (counted) this.#count(thread, infoOf(last, thread.total));
    this.#write(thread, "compacted", { message: "said", replacement_history: [] });
    this.#count(thread, infoOf({ ...NOTHING, total_tokens: 6055 }, thread.total));
  }

  /** Lets a context overflow. Codex then sets the total to the size of the window. */
  #overflow(thread: Thread): void {
    const delta = Math.max(0, WINDOW - thread.total.total_tokens);
    thread.total = { ...NOTHING, total_tokens: WINDOW };
    this.#count(thread, infoOf({ ...NOTHING, total_tokens: delta }, thread.total));
  }

  #count(thread: Thread, info: unknown): void {
    const rate_limits = { primary: { used_percent: this.below(100) } };
    this.#write(thread, "event_msg", { type: "token_count", info, rate_limits });
  }

  #write(thread: Thread, type: string, payload: Record<string, unknown>): void {
    thread.lines.push({ timestamp: this.#time(), type, payload });
  }

  #pass(milliseconds: number): void {
    this.#now += milliseconds;
  }

  #time(): string {
    return new Date(this.#now).toISOString();
  }
}

function baseOf({ id, lines }: Thread): Record<string, unknown> {
  const bytes = lines.reduce((sum, line) => sum + JSON.stringify(line).length + 1, 0);
  return { thread_id: id, end_ordinal_exclusive: lines.length, end_byte_offset: bytes };
}

function infoOf(last_token_usage: Tokens, total_token_usage: Tokens): Record<string, unknown> {
  return { total_token_usage, last_token_usage, model_context_window: WINDOW };
}

function sum(one: Tokens, other: Tokens): Tokens {
  const fields = Object.keys(one) as (keyof Tokens)[];
  return Object.fromEntries(
    fields.map((field) => [field, one[field] + other[field]]),
  ) as unknown as Tokens;
}
