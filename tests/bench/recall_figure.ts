/**
 * Recall: whether a question finds the session that it is about, among 2,000 sessions of real prose.
 * The moments and questions of `recall/` were written by people who saw neither the corpus nor the
 * score. They never change. One author knew of each moment its subject alone (`questions.json`), so
 * that most of his words are others. One remembered the moment itself (`remembered.json`), as those
 * do who were there.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { AGENT_NAMES } from "../../lib/core/event/agent_name.ts";
import { openLibrary } from "../../lib/library/library.ts";
import { findInFile } from "../../lib/library/query/find_session.ts";
import { updateIndex } from "../../lib/library/search/index/index_update.ts";
import { indexPath } from "../../lib/library/catalogue/cache/search_database.ts";
import { fileSize, modifiedAt } from "../../lib/library/search/index/source_stamp.ts";
import type { SearchedEntry } from "../../lib/library/search/search_task.ts";
import { searchTiers, type TieredResult } from "../../lib/library/search/tiers.ts";
import { sessionRef } from "../../lib/agents/contract/session_name.ts";
import { ownSessions } from "../_support/own_sessions.ts";
import { filesBelow } from "../_support/files_below.ts";
import { type Bench, type Figure, type Row, row } from "./figure.ts";
import { readLongMemory } from "./long_memory.ts";
import { fetchProse, makeRecallStore, type PlantedMoment } from "./recall_corpus.ts";
import { median } from "./rounds.ts";

/** The questions about one moment. */
interface RecallQuestion {
  id: string;
  asked: string;
  key_words: string;
}

/** The questions of one who knew of a moment its subject alone. */
interface StrangersQuestion extends RecallQuestion {
  paraphrase: string;
}

function readJson<Value>(name: string): Value {
  return JSON.parse(Deno.readTextFileSync(new URL(`recall/${name}.json`, import.meta.url)));
}

/** The ranks of the right sessions: 0 for the first; −1 where it was not shown. */
interface Ranks {
  ranks: readonly number[];
  /** Answers that were told as found, and were another session. */
  wrong: number;
}

/** Asks with an index or without. */
type Ask = (query: string) => Promise<TieredResult>;

function asking(entries: readonly SearchedEntry[], cache?: string): Ask {
  return (query) => searchTiers(entries, { query, now: Date.now() }, { cache });
}

/** True for an answer that says that it is one. */
function isTold({ hits, tier, strength }: TieredResult): boolean {
  return hits.length > 0 && (tier !== "wording" || strength === "strong");
}

async function ranksOf(
  ask: Ask,
  asked: readonly { query: string; refs: ReadonlySet<string> }[],
): Promise<Ranks> {
  const ranks: number[] = [];
  let wrong = 0;
  for (const { query, refs } of asked) {
    const result = await ask(query);
    const shown = [...new Set(result.hits.map(({ ref }) => ref))];
    const rank = shown.findIndex((ref) => refs.has(ref));
    ranks.push(rank);
    if (rank !== 0 && isTold(result)) wrong++;
  }
  return { ranks, wrong };
}

function share(ranks: readonly number[], most: number): number {
  return 100 * ranks.filter((rank) => rank >= 0 && rank <= most).length / ranks.length;
}

async function absentRows(ask: Ask, where: string, questions: readonly string[]): Promise<Row[]> {
  let [told, most] = [0, 0];
  for (const query of questions) {
    const result = await ask(query);
    if (isTold(result)) told++;
    most = Math.max(most, result.hits.length);
  }
  const value = 100 * told / questions.length;
  return [
    row(`${where}: absent subject told as found`, { value, most: 10, unit: " %" }),
    row(`${where}: results shown for one, at most`, { value: most, most: 3, unit: "" }),
  ];
}

async function corpusRows(bench: Bench): Promise<Row[]> {
  const [prose, root] = [join(bench.directory, "prose"), join(bench.directory, "recall_store")];
  bench.note("fetching prose from npm");
  await fetchProse(prose);
  const planted = readJson<PlantedMoment[]>("planted");
  const ids = makeRecallStore(root, prose, planted);
  const sessions = ownSessions(root);
  assert.equal(sessions.length, 2000);
  await updateIndex(root, sessions, { fresh: true });
  const text = sessions.reduce((sum, { path }) => sum + fileSize(path), 0);
  const entries = sessions.map((session) => ({ session, updated: modifiedAt(session.path) }));
  const ask = asking(entries, root);
  const ranksBy = <One extends RecallQuestion>(
    questions: readonly One[],
    queryOf: (question: One) => string,
  ): Promise<Ranks> =>
    ranksOf(
      ask,
      questions.map((one) => ({ query: queryOf(one), refs: new Set([ids.get(one.id) ?? ""]) })),
    );
  const said = ({ wrong, ranks }: Ranks): string => `${wrong} of ${ranks.length} strong but wrong`;
  const rowOf = (name: string, { ranks }: Ranks, most: number, least: number, note = ""): Row =>
    row(name, { value: share(ranks, most), least, unit: " %", note });
  const rowsOf = async (who: string, asked_by: readonly RecallQuestion[]): Promise<Row[]> => {
    const asked = await ranksBy(asked_by, (one) => one.asked);
    const words = await ranksBy(asked_by, (one) => one.key_words);
    return [
      rowOf(`${who}, question as asked: right session first`, asked, 0, 75, said(asked)),
      rowOf(`${who}, question as asked: in the first five`, asked, 4, 85),
      rowOf(`${who}, key words: right session first`, words, 0, 90, said(words)),
    ];
  };
  const questions = readJson<StrangersQuestion[]>("questions");
  const other = await ranksBy(questions, ({ paraphrase }) => paraphrase);
  const times: number[] = [];
  for (const question of questions) {
    const start = performance.now();
    await searchTiers(entries, { query: question.asked, now: Date.now(), tiers: ["wording"] }, {
      cache: root,
    });
    times.push(performance.now() - start);
  }
  return [
    ...await rowsOf("author who was there", readJson("remembered")),
    ...await rowsOf("author who knew the subject", questions),
    rowOf("other words: right session first", other, 0, 0, said(other)),
    rowOf("other words: in the first five", other, 4, 0),
    ...await absentRows(ask, "corpus", readJson("absent_questions")),
    row("third tier, indexed", { value: median(times), most: 60, unit: " ms" }),
    row("index : text of the corpus", {
      value: fileSize(indexPath(root)) / text,
      most: 0.5,
      unit: "",
    }),
  ];
}

/** Asks about absent subjects in the sessions of a folder: `$REPRISE_SAMPLES`. */
async function sampleRows(bench: Bench): Promise<Row[]> {
  const folder = Deno.env.get("REPRISE_SAMPLES");
  if (folder === undefined) {
    bench.note("absent subjects are not asked of samples: REPRISE_SAMPLES names no folder");
    return [];
  }
  const library = openLibrary({ root: join(bench.directory, "none"), variable: () => undefined });
  const entries = new Map<string, SearchedEntry>();
  for (const path of filesBelow(folder)) {
    try {
      const { reader: { session } } = await findInFile(
        { ...library.place, agents: AGENT_NAMES },
        path,
      );
      entries.set(sessionRef(session), { session, updated: modifiedAt(session.path) });
    } catch {
      // Not every file is a session.
    }
  }
  return await absentRows(
    asking([...entries.values()]),
    `samples, ${entries.size} sessions`,
    readJson("absent_questions"),
  );
}

/** Asks LongMemEval-S: `$REPRISE_LONGMEMEVAL` names its file. */
async function longMemoryRows(bench: Bench): Promise<Row[]> {
  const path = Deno.env.get("REPRISE_LONGMEMEVAL");
  if (path === undefined) {
    bench.note("LongMemEval is not asked: REPRISE_LONGMEMEVAL names no file");
    return [];
  }
  const ranks: number[] = [];
  for (const { query, refs, root } of readLongMemory(path, join(bench.directory, "long_memory"))) {
    const entries = ownSessions(root).map((session) => ({ session, updated: NaN }));
    ranks.push(...(await ranksOf(asking(entries), [{ query, refs }])).ranks);
  }
  const note = `${ranks.length} questions`;
  return [
    row("LongMemEval-S: a right session first", {
      value: share(ranks, 0),
      least: 0,
      unit: " %",
      note,
    }),
    row("LongMemEval-S: in the first five", { value: share(ranks, 4), least: 0, unit: " %" }),
  ];
}

/** Recall. */
export const recall: Figure = {
  name: "recall",
  async measure(bench): Promise<Row[]> {
    return [
      ...await corpusRows(bench),
      ...await sampleRows(bench),
      ...await longMemoryRows(bench),
    ];
  },
};
