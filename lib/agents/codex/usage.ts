/**
 * Counts the usage of a Codex session, from its rollout and the rollouts of agents that it started.
 *
 * An event `token_count` has the tokens of the last answer and of the thread so far. Codex repeats
 * the event when only the rate limits changed (codex-rs/protocol, 0.40 to 0.169). The
 * `turn_context` before the event names the model. Since 0.154, a `token_usage_record` precedes the
 * event. No `token_count` follows the `token_usage_record` of an automatic compaction (openai/codex
 * issue 47003). A fork that copied its parent's lines repeats its parent's counts. Copied counts
 * are not counted again.
 */
import { ESCAPED_LETTER, textPattern } from "../../core/log/byte_pattern.ts";
import { asName, asObject, parsedObject } from "../engine/json.ts";
import { markedLines } from "../engine/records/jsonl_records.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import { findRollout } from "./lineage.ts";
import { readCopiedId, readRolloutHead, rolloutLines } from "./rollout_file.ts";
import { rolloutForm } from "./rollout_files.ts";
import { type CodexSession, spawnedBeside } from "./locate.ts";
import {
  addedTokens,
  type CountedAnswer,
  countedTokens,
  isNothing,
  type TokenCounts,
} from "./token_counts.ts";

/** The model that Codex assumes where none is named. */
const UNNAMED_MODEL = "gpt-5";
const TYPES = ["token_count", "token_usage_record", "turn_context"];
const PATTERNS = [...TYPES.map((type) => textPattern(`"${type}"`)), ESCAPED_LETTER];
/** Matches record types that hold counts or models, and escapes that may hide such a type. */
const TELLING = /"(?:token_count|token_usage_record|turn_context)"|\\u00[4-7]/;
const decoder = new TextDecoder();

export async function* readUsage(session: CodexSession): AsyncGenerator<readonly ResponseUsage[]> {
  const { path, spawned = await spawnedBeside(session) } = session;
  for await (const batch of ownAnswers(path)) yield batch.map(toResponse);
  for (const { id: thread, path: child } of spawned) {
    for await (const batch of ownAnswers(child)) {
      yield batch.map((answer) => ({ ...toResponse(answer), thread }));
    }
  }
}

async function* ownAnswers(path: string): AsyncGenerator<CountedAnswer[]> {
  const copied = await copiedCounts(path);
  for await (const batch of countedAnswers(path)) {
    yield copied === undefined ? batch : batch.filter((answer) => !copied.has(answer));
  }
}

async function copiedCounts(path: string): Promise<CopiedCounts | undefined> {
  const head = await readRolloutHead(path);
  const { forked_from_id, history_base, source } = asObject(head?.payload);
  // A fork by reference has no line of its parent.
  if (asName(asObject(history_base).thread_id) !== undefined) return undefined;
  const { thread_spawn } = asObject(asObject(source).subagent);
  const copied_id = await readCopiedId(path);
  const parent_id = asName(forked_from_id) ?? asName(asObject(thread_spawn).parent_thread_id) ??
    copied_id;
  if (parent_id === undefined) return undefined;
  const parent = findRollout(path, parent_id);
  const answers: CountedAnswer[] = [];
  if (parent !== undefined && parent !== path) {
    for await (const batch of countedAnswers(parent)) for (const one of batch) answers.push(one);
  }
  const own: CountedAnswer[] = [];
  for await (const batch of countedAnswers(path)) {
    for (const one of batch) own.push(one);
    if (own.length > 1) break;
  }
  const times = own.map(({ time }) => time);
  const forked_at = head?.time ?? "";
  return new CopiedCounts(
    answers,
    forked_at,
    burstStart(copied_id === undefined ? times : [forked_at, ...times]),
  );
}

function toResponse({ time, model, counts }: CountedAnswer): ResponseUsage {
  const { input, cached, written, output, reasoning, total } = counts;
  const cache_read = Math.min(cached, input);
  const cache_write = Math.min(written, input - cache_read);
  return {
    key: `${time}\n${model} ${input} ${cached} ${output} ${reasoning} ${total}`,
    time,
    model,
    usage: { input: input - cache_read - cache_write, output, cache_read, cache_write, reasoning },
  };
}

async function* countedAnswers(path: string): AsyncGenerator<CountedAnswer[]> {
  const state: Counting = { model: "", totals: undefined };
  for await (const texts of countLines(path)) {
    yield texts.flatMap((text) => takeRecord(state, parsedObject(text) ?? {}));
  }
  if (state.recorded !== undefined) yield [state.recorded];
}

/** Yields lines that may have a count or a model. Yields none for a file of one JSON document. */
async function* countLines(path: string): AsyncGenerator<readonly string[]> {
  const form = rolloutForm(path);
  if (form === "lines") yield* markedLines(path, PATTERNS);
  if (form !== "compressed") return;
  for await (const lines of rolloutLines({ path })) {
    const texts = lines.map(({ bytes }) => decoder.decode(bytes));
    yield texts.filter((text) => TELLING.test(text));
  }
}

interface Counting {
  model: string;
  totals: TokenCounts | undefined;
  /** The last answer in a `token_usage_record`. Absent once a `token_count` has followed. */
  recorded?: CountedAnswer | undefined;
}

/** Takes a record. Returns the answers whose counts are final after it. */
function takeRecord(
  state: Counting,
  { type, timestamp, payload: value }: Readonly<Record<string, unknown>>,
): CountedAnswer[] {
  const payload = asObject(value);
  const time = asName(timestamp);
  if (type === "turn_context") state.model = asName(payload.model) ?? state.model;
  if (type === "token_usage_record") {
    const before = state.recorded;
    const model = state.model || UNNAMED_MODEL;
    state.recorded = answerOf(time, model, countedTokens(payload.usage));
    return before === undefined ? [] : [before];
  }
  if (type !== "event_msg" || payload.type !== "token_count") return [];
  const info = asObject(payload.info);
  const totals = countedTokens(info.total_token_usage);
  const last = countedTokens(info.last_token_usage);
  const goes_on = totals === undefined || !isSame(totals, state.totals);
  const counts = goes_on && last !== undefined ? last : addedTokens(totals, state.totals);
  state.totals = totals ?? state.totals;
  const model = asName(payload.model) ?? asName(info.model) ?? (state.model || UNNAMED_MODEL);
  const answer = answerOf(time, model, counts);
  if (answer === undefined) return [];
  state.model = model;
  const before = state.recorded;
  state.recorded = undefined;
  return before === undefined || identity(answer) === identity(before)
    ? [answer]
    : [before, answer];
}

function answerOf(
  time: string | undefined,
  model: string,
  counts: TokenCounts | undefined,
): CountedAnswer | undefined {
  if (time === undefined || counts === undefined || isNothing(counts)) return undefined;
  return { time, model, counts };
}

function isSame(one: TokenCounts, other: TokenCounts | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** Maximum milliseconds between adjacent counts that a fork copied. A fork copies all at once. */
const PAUSE_MS = 1000;

/**
 * Returns the first of two times, in milliseconds. Undefined if more than a second is between them,
 * because a fork copies counts within a second.
 */
function burstStart([first = "", second = ""]: readonly string[]): number | undefined {
  const pause = Date.parse(second) - Date.parse(first);
  return pause >= 0 && pause <= PAUSE_MS ? Date.parse(first) : undefined;
}

/**
 * Recognizes the counts of a fork that were copied from its parent. A fork of a legacy thread
 * begins with a copy of its parent's lines. So its first counts equal the first counts of the
 * parent. If the parent is missing, or its lines were rewritten, counts are compared by time.
 * Copied counts have the time of the fork.
 */
class CopiedCounts {
  readonly #parents: readonly string[];
  /**
   * Time in milliseconds of the last copied count. Undefined if counts are not compared by time.
   */
  #burst: number | undefined;
  #next = 0;
  #own = false;

  /**
   * @param parents Counts of the parent, in order.
   * @param forked_at Time of the fork. The fork cannot have copied later counts.
   * @param burst Time in milliseconds of the first count that the fork copied. Undefined if counts
   * are not compared by time.
   */
  constructor(parents: readonly CountedAnswer[], forked_at: string, burst: number | undefined) {
    const later = parents.findIndex(({ time }) => Date.parse(time) > Date.parse(forked_at));
    this.#parents = (later < 0 ? parents : parents.slice(0, later)).map(identity);
    this.#burst = burst;
  }

  /** True if the fork copied this count from its parent. Call it for all counts in their order. */
  has(answer: CountedAnswer): boolean {
    if (this.#own) return false;
    if (this.#parents[this.#next] === identity(answer)) {
      this.#next++;
      this.#burst = undefined;
      return true;
    }
    const pause = Date.parse(answer.time) - (this.#burst ?? NaN);
    if (pause >= 0 && pause <= PAUSE_MS) {
      this.#burst = Date.parse(answer.time);
      // From here on, only the time between counts is compared.
      this.#next = Infinity;
      return true;
    }
    this.#own = true;
    return false;
  }
}

function identity({ counts }: CountedAnswer): string {
  return JSON.stringify(counts);
}
