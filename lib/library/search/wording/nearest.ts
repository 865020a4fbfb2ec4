/**
 * Searches for the turns whose wording is nearest to a question. Rare words of the question count
 * more. The best turn of a session decides the rank of the session.
 */
import { present } from "../../../core/event/present.ts";
import { sessionRef } from "../../../agents/contract/session_name.ts";
import { MAIN_THREAD } from "../../../core/projection/session_thread.ts";
import { withoutCopies } from "../copies.ts";
import { indexedTurns } from "../index/indexed_turns.ts";
import { parseQuery, type Query } from "../query.ts";
import { matchPieces, type TextRange } from "../query_match.ts";
import { compareHits } from "../rank.ts";
import { type SearchOptions, toItem, withBranches } from "../search.ts";
import {
  type SearchedEntry,
  type SearchHit,
  type SearchRequest,
  snippetAround,
} from "../search_task.ts";
import { readMessage, scanTurns } from "./scan_turns.ts";
import { type BestTurn, TurnTable } from "./turn_table.ts";
import { placeToQuote, QuestionWords, wordRanges } from "./word_match.ts";
import { excludedParts, questionWords } from "./words.ts";

export interface NearestResult {
  /** The best message of each session, the nearest first. */
  hits: readonly SearchHit[];
  /**
   * `strong`: the first hit is likely about the question; `weak`: no hit is, and there are at most
   * three. Undefined without hits.
   */
  strength?: "strong" | "weak";
  unread: readonly { ref: string; message: string }[];
  /** Number of bytes in the sessions that were scanned because no index contains them. */
  scanned_bytes: number;
  /** True if nothing was searched, because too much text is in no index. */
  needs_index: boolean;
}

/** Number of hits returned when no hit is strong. Weaker hits then fill the list. */
const FEW = 3;
/** Minimum share of the best score for each hit after the first {@linkcode FEW} hits. */
const NEAR = 0.75;
/** Maximum number of bytes to scan; more would take too long. */
const MOST_SCANNED = 256e6;
/** Maximum number of read messages that give no hit, such as copies and excluded messages. */
const MOST_PASSED = 40;

type Asked = Pick<SearchRequest, "query" | "now"> & Partial<SearchRequest>;

/**
 * Searches sessions for the turns whose wording is nearest to a question. A turn need not have all
 * words of the question. Rare words count more, and English endings do not matter. Only prompts and
 * answers are compared.
 *
 * @param entries The sessions to search, as found by `Library.query`.
 * @throws {SyntaxError} With the fault in the query.
 */
export async function searchNearest(
  entries: readonly SearchedEntry[],
  request: Pick<SearchRequest, "query" | "now"> & Partial<SearchRequest>,
  options: SearchOptions = {},
): Promise<NearestResult> {
  const none = { hits: [], unread: [], scanned_bytes: 0, needs_index: false };
  if (request.regex) return none;
  const query = parseQuery(request.query);
  const bases = questionWords(query);
  // Texts of calls are in no turn.
  const is_of_calls = (request.tool ?? request.file) !== undefined;
  if (bases.length === 0 || is_of_calls) return none;
  const question: Question = { request, query, bases, asked: new QuestionWords(bases) };
  const distrusted = new Set<string>();
  for (;;) {
    const table = new TurnTable();
    const { cache, signal, onScan, onProgress } = options;
    const items = cache === undefined
      ? entries.map(toItem)
      : await indexedTurns(cache, entries, { ...question, filter: request, table, distrusted }) ??
        entries.map(toItem);
    const scanned_bytes = items.reduce((sum, { bytes }) => sum + bytes, 0);
    if (scanned_bytes > MOST_SCANNED) return { ...none, needs_index: true };
    onScan?.(scanned_bytes);
    let done = 0;
    const onDone = (bytes: number): void => onProgress?.(done += bytes);
    const scanning = { filter: request, signal, onDone };
    const unread = await scanTurns(items, question.asked, table, scanning);
    const best = sorted(table.bestTurns(bases.length));
    const found = await readBest(best, question, signal);
    if ("changed" in found) distrusted.add(found.changed);
    else return { ...none, ...found, unread, scanned_bytes };
  }
}

interface Question {
  request: Asked;
  query: Query;
  bases: readonly string[];
  asked: QuestionWords;
}

function sorted(turns: readonly BestTurn[]): BestTurn[] {
  return turns.map((turn) => ({ turn, ranked: rankedOf(turn) }))
    .sort((one, other) => compareHits("relevance", one.ranked, other.ranked))
    .map(({ turn }) => turn);
}

function rankedOf({ segment: { searched }, score }: BestTurn): Parameters<typeof compareHits>[1] {
  const { session, updated } = searched;
  return { ref: sessionRef(session), updated, score, seq: 0, role: "user", time: updated };
}

/** Returns the hits of the best turns, or the first session that differs from its index. */
async function readBest(
  best: readonly BestTurn[],
  question: Question,
  signal: AbortSignal | undefined,
): Promise<Pick<NearestResult, "hits" | "strength"> | { changed: string }> {
  const { limit = 20, sort } = question.request;
  const [first] = best;
  const most = first?.is_strong === true ? limit : Math.min(limit, FEW);
  const least = NEAR * (first?.score ?? 0);
  let [found, strong] = [[] as SearchHit[], false];
  for (const [at, turn] of best.entries()) {
    signal?.throwIfAborted();
    const is_near = turn.is_strong && turn.score >= least;
    const is_enough = found.length >= (is_near ? most : Math.min(most, FEW));
    // A copy has the same score.
    if (is_enough && turn.score < (found.at(-1)?.score ?? 0) || at >= most + MOST_PASSED) break;
    const hit = await readHit(turn, question);
    if (hit === "changed") return { changed: sessionRef(turn.segment.searched.session) };
    if (hit === undefined) continue;
    strong ||= turn.is_strong;
    found = withoutCopies([...found, hit]);
  }
  const shown = found.slice(0, strong ? limit : FEW);
  if (sort === "time") shown.sort((one, other) => compareHits("time", one, other));
  const hits = await withBranches(shown);
  return hits.length === 0 ? { hits } : { hits, strength: strong ? "strong" : "weak" };
}

/**
 * Reads the best message of a turn again. Returns "changed" if the index is outdated; undefined if
 * the message is not a hit.
 */
async function readHit(
  { segment, index, words, score }: BestTurn,
  { request, query, asked }: Question,
): Promise<SearchHit | "changed" | undefined> {
  const { session, updated } = segment.searched;
  const place = segment.placeOf(index);
  const isIt = (pieces: readonly string[]): boolean => asked.wordsIn(pieces).words === words;
  const message = place && await readMessage(session, place, isIt);
  if (place === undefined || message === undefined) {
    return segment.is_indexed ? "changed" : undefined;
  }
  const { event, pieces } = message;
  const excluded = excludedParts(query);
  if (excluded.some((root) => matchPieces({ root, terms: [] }, pieces) !== undefined)) {
    return undefined;
  }
  const rangesIn = (text: string): TextRange[] => wordRanges(asked, text);
  const quoted = placeToQuote(asked, pieces);
  const { text, ranges } = snippetAround(quoted, rangesIn, request.snippet_size);
  const { agent, id: session_id, path } = session;
  return {
    ...present({ thread: place.thread === MAIN_THREAD ? undefined : place.thread }),
    ...{ ref: sessionRef(session), seq: place.seq, role: place.role, time: place.time, updated },
    ...{ score, agent, session_id, path, integrity: event.integrity, snippet: text, ranges },
  };
}
