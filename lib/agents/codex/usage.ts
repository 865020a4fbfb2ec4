/**
 * Counts the usage of a Codex session, from its rollout and those of the agents that it started.
 *
 * `token_count` says what the last answer took and what the thread took so far. It is said again
 * when only the rate limits changed (codex-rs/protocol, 0.40 to 0.169). The model stands in the
 * `turn_context` before it. A fork that copied its parent's lines repeats its parent's counts: they
 * are not counted again.
 */
import { ESCAPED_LETTER, textPattern } from "../../log/byte_pattern.ts";
import { lineBlocks } from "../../log/line_blocks.ts";
import type { ResponseUsage } from "../../source/response_usage.ts";
import { asName, asObject, parsedObject } from "../../reading/json_value.ts";
import { findRollout } from "./lineage.ts";
import {
  addedTokens,
  type CountedAnswer,
  countedTokens,
  isNothing,
  type TokenCounts,
} from "./token_counts.ts";
import { readRolloutHead } from "./rollout_head.ts";
import { rolloutForm } from "./rollout_name.ts";
import { rolloutLines } from "./rollout_lines.ts";
import type { CodexSession } from "./rollout.ts";
import { spawnedBeside } from "./spawned.ts";
import { CopiedCounts } from "./copied_counts.ts";

/** What Codex itself takes for a rollout's model where none is named. */
const UNNAMED_MODEL = "gpt-5";
const PATTERNS = [textPattern('"token_count"'), textPattern('"turn_context"'), ESCAPED_LETTER];
/** The same in a text. */
const TELLING = /"(?:token_count|turn_context)"|\\u00[4-7]/;
const LF = 0x0a;
const decoder = new TextDecoder();

/** Gives the responses of a session and of what its agents started; see {@linkcode Agent.usage}. */
export async function* readUsage(session: CodexSession): AsyncGenerator<readonly ResponseUsage[]> {
  const { path, spawned = await spawnedBeside(session) } = session;
  for await (const batch of ownAnswers(path)) yield batch.map(toResponse);
  for (const { id: thread, path: child } of spawned) {
    for await (const batch of ownAnswers(child)) {
      yield batch.map((answer) => ({ ...toResponse(answer), thread }));
    }
  }
}

/** The counts of one rollout that are not its parent's. */
async function* ownAnswers(path: string): AsyncGenerator<CountedAnswer[]> {
  const copied = await copiedCounts(path);
  for await (const batch of countedAnswers(path)) {
    yield copied === undefined ? batch : batch.filter((answer) => !copied.has(answer));
  }
}

/** Tells what a fork repeats; undefined for a thread that is none. */
async function copiedCounts(path: string): Promise<CopiedCounts | undefined> {
  const head = await readRolloutHead(path);
  const { forked_from_id, source } = asObject(head?.payload);
  const { thread_spawn } = asObject(asObject(source).subagent);
  const parent_id = asName(forked_from_id) ?? asName(asObject(thread_spawn).parent_thread_id);
  if (parent_id === undefined) return undefined;
  const parent = findRollout(path, parent_id);
  const answers: CountedAnswer[] = [];
  if (parent !== undefined && parent !== path) {
    for await (const batch of countedAnswers(parent)) answers.push(...batch);
  }
  const own: CountedAnswer[] = [];
  for await (const batch of countedAnswers(path)) {
    own.push(...batch);
    if (own.length > 1) break;
  }
  return new CopiedCounts(answers, head?.time ?? "", own);
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

interface Counting {
  model: string;
  totals: TokenCounts | undefined;
}

/** The counts of one rollout. */
async function* countedAnswers(path: string): AsyncGenerator<CountedAnswer[]> {
  const state: Counting = { model: "", totals: undefined };
  const form = rolloutForm(path);
  if (form === "lines") {
    for (const texts of countLines(path)) yield takeLines(state, texts);
  } else if (form === "compressed") {
    for await (const lines of rolloutLines({ path })) {
      const texts = lines.map(({ bytes }) => decoder.decode(bytes));
      yield takeLines(state, texts.filter((text) => TELLING.test(text)));
    }
  }
}

/** The lines that may hold a count or name a model, in their order. */
function* countLines(path: string): Generator<string[]> {
  for (const { finder, end } of lineBlocks(path)) {
    const { bytes } = finder;
    const texts: string[] = [];
    const places = PATTERNS.map((pattern) => finder.find(pattern, 0, end));
    for (;;) {
      const at = Math.min(...places.filter((place) => place >= 0));
      if (at === Infinity) break;
      const feed = bytes.indexOf(LF, at);
      const line_end = feed < 0 || feed > end ? end : feed;
      texts.push(decoder.decode(bytes.subarray(bytes.lastIndexOf(LF, at) + 1, line_end)));
      for (const [index, pattern] of PATTERNS.entries()) {
        const place = places[index] as number;
        if (place >= 0 && place < line_end) places[index] = finder.find(pattern, line_end, end);
      }
    }
    yield texts;
  }
}

function takeLines(state: Counting, texts: readonly string[]): CountedAnswer[] {
  return texts.flatMap((text) => {
    const record = parsedObject(text);
    const answer = record === undefined ? undefined : takeRecord(state, record);
    return answer === undefined ? [] : [answer];
  });
}

function takeRecord(
  state: Counting,
  { type, timestamp, payload: value }: Readonly<Record<string, unknown>>,
): CountedAnswer | undefined {
  const payload = asObject(value);
  if (type === "turn_context") state.model = asName(payload.model) ?? state.model;
  if (type !== "event_msg" || payload.type !== "token_count") return undefined;
  const time = asName(timestamp);
  const info = asObject(payload.info);
  const totals = countedTokens(info.total_token_usage);
  const last = countedTokens(info.last_token_usage);
  const goes_on = totals === undefined || !isSame(totals, state.totals);
  const counts = goes_on && last !== undefined ? last : addedTokens(totals, state.totals);
  state.totals = totals ?? state.totals;
  if (time === undefined || counts === undefined || isNothing(counts)) return undefined;
  state.model = asName(payload.model) ?? asName(info.model) ?? (state.model || UNNAMED_MODEL);
  return { time, model: state.model, counts };
}

function isSame(one: TokenCounts, other: TokenCounts | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
