/** The files that sessions changed, as the cache keeps them. */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { findTouches } from "../../../lib/features/blame/mod.ts";
import { findEdits } from "../../../lib/library/touches/find_edits.ts";
import { forgetSessions } from "../../../lib/library/catalogue/forget_sessions.ts";
import type { TouchFacts } from "../../../lib/library/touches/session_changes.ts";
import { openFacts } from "../../../lib/library/catalogue/facts_database.ts";
import { keepFacts, lookUp } from "../../../lib/library/catalogue/read_facts.ts";
import { factsPath } from "../../../lib/library/catalogue/facts_file.ts";
import { type Library, openLibrary } from "../../../lib/library/library.ts";
import { LATER } from "../../_support/catalogued.ts";
import { sessionId } from "../../_support/cli_home.ts";
import { roundsOf } from "../../_support/few_rounds.ts";
import { seededRandom } from "../../bench/random.ts";
import { BlamedHome } from "../../features/blame/_repository.ts";

const TIME = "2026-11-20T11:00:00Z";
const VERSION = "1";
const NAMES = ["a.ts", "src/a.ts", "src/b.ts", "lib/src/a.ts", "B.ts", "link/a.ts"];
const FIXTURES = [
  ["claude/turn.jsonl", ".claude/projects/-work/9f3a2d51-0001-4000-8000-000000000001.jsonl"],
  [
    "codex/apply_patch.jsonl",
    ".codex/sessions/2026/11/21/rollout-2026-11-21T20-00-00-01a1ffd4-8013-43b1-89e7-822b38eb0001.jsonl",
  ],
  ["pi/turn.jsonl", ".pi/agent/sessions/--w--/2026-11-21T20-00-00-000Z_1111aaaa.jsonl"],
] as const;

function furnish(home: BlamedHome): void {
  for (const [fixture, place] of FIXTURES) {
    const path = join(home.path, place);
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.copyFileSync(new URL(`../../../testdata/agents/${fixture}`, import.meta.url), path);
  }
}

function libraryOf(home: BlamedHome, is_kept: boolean): Library {
  const variable = (name: string): string | undefined =>
    name === "HOME" ? home.path : name === "REPRISE_CACHE" ? home.cache : undefined;
  const cache = is_kept ? { version: VERSION, now: LATER } : undefined;
  return openLibrary({ variable, root: home.store, cwd: home.work, cache });
}

/** Everything that is told of a file: by lists, and to `blame`. */
async function told(library: Library, home: BlamedHome, path: string): Promise<unknown> {
  const { entries } = await library.query();
  const touches = await findTouches(entries, path, { kept: library.kept });
  const file = { names: new Set(NAMES.filter((name) => path.endsWith(name))), tops: [home.work] };
  const { here, elsewhere } = await findEdits(library, file);
  return {
    touches: [...touches].map(([{ ref }, touched]) => [ref, touched]),
    edits: [...here, ...elsewhere].map(({ name, edit: { ref, seq } }) => [name, ref, seq]),
  };
}

// Slow: each question is asked of some ten sessions in four ways.
Deno.test("P10 a session's changes are the same kept, read, and after the cache was deleted", async () => {
  const random = seededRandom(5);
  const pick = <One>(all: readonly One[]): One => all[random.below(all.length)] as One;
  let found = 0;
  for (let round = 0; round < roundsOf(24, 2); round++) {
    await using home = new BlamedHome();
    furnish(home);
    for (const folder of ["src", "lib/src", "other"]) {
      Deno.mkdirSync(join(home.work, folder), { recursive: true });
    }
    Deno.symlinkSync(join(home.work, "src"), join(home.work, "link"));
    for (const prefix of ["aaaa", "bbbb", "cccc", "dddd", "eeee"]) {
      const edits = Array.from({ length: random.below(4) }, () => ({
        ...{ path: pick([...NAMES, join(home.work, pick(NAMES))]), content: pick(NAMES) },
        ...{ time: TIME, status: pick(["ok", "ok", "error"] as const) },
      }));
      home.edits(prefix, edits, pick([home.work, join(home.work, "lib"), join(home.work, "gone")]));
    }
    const asked = [
      ...["a.ts", "src", "src/a.ts", "gone", "x.ts", "nowhere.ts"],
      ...["src/a.ts", "src", "link", "gone", ".", "lib/src/a.ts", "b.ts", "none.ts"]
        .map((name) => join(home.work, name)),
    ].sort(() => random.below(3) - 1);
    for (const path of asked) {
      const right = await told(libraryOf(home, false), home, path);
      const name = `${round} ${path}`;
      assert.deepEqual(await told(libraryOf(home, true), home, path), right, `${name}, first`);
      assert.deepEqual(await told(libraryOf(home, true), home, path), right, `${name}, again`);
      if (random.below(4) === 0) Deno.removeSync(home.cache, { recursive: true });
      found += JSON.stringify(right).length > 30 ? 1 : 0;
    }
  }
  assert.ok(found > 10, `${found} answers with sessions`);
});

Deno.test("a session that changed is read again alone", async () => {
  await using home = new BlamedHome();
  const edit = (path: string) => ({ path, content: "b\n", time: TIME });
  home.edits("aaaa", [edit("a.ts")]);
  home.edits("bbbb", [edit("a.ts")]);
  home.edits("cccc", [edit("c.ts")]);
  const library = libraryOf(home, true);
  const counts = async (): Promise<Record<string, number>> => {
    const { entries } = await library.query();
    const touches = await findTouches(entries, "a.ts", { kept: library.kept });
    return Object.fromEntries([...touches].map(([{ ref }, { edits }]) => [ref.slice(0, 4), edits]));
  };
  assert.deepEqual(await counts(), { aaaa: 1, bbbb: 1 });
  {
    // Other facts than those of the files show which sessions are not read.
    using facts = openFacts(library.kept);
    const { entries } = await library.query();
    const looked = await lookUp<TouchFacts>(facts, "touch", entries);
    assert.equal(looked.filter(({ facts }) => facts?.touches !== undefined).length, 2);
    assert.deepEqual(looked.find(({ facts }) => facts?.absent)?.facts?.absent, ["a.ts"]);
    const others = looked.map((one) => ({
      ...one,
      facts: { touches: [{ path: "a.ts", edits: 7 }] },
    }));
    keepFacts(facts, "touch", library.kept, others);
  }
  assert.deepEqual(await counts(), { aaaa: 7, bbbb: 7, cccc: 7 });
  const { entries } = await library.query();
  const changed = entries.find(({ ref }) => ref.startsWith("bbbb"))?.session.path ?? "";
  Deno.writeTextFileSync(changed, "\n", { append: true });
  assert.deepEqual(await counts(), { aaaa: 7, bbbb: 1, cccc: 7 });
});

Deno.test("forgetSessions removes the files that a session changed", async () => {
  await using home = new BlamedHome();
  home.edits("aaaa", [{ path: "secret_plan.ts", content: "b\n", time: TIME }]);
  home.edits("bbbb", [{ path: "open_plan.ts", content: "b\n", time: TIME }]);
  const library = libraryOf(home, true);
  const { entries } = await library.query();
  await findTouches(entries, join(home.work, "."), { kept: library.kept });
  const { folder = "" } = library.kept;
  const path = factsPath({ folder, version: VERSION });
  const text = (): string => new TextDecoder().decode(Deno.readFileSync(path));
  assert.match(text(), /secret_plan/);
  forgetSessions({ folder, version: VERSION }, "reprise", [sessionId("aaaa")]);
  assert.doesNotMatch(text(), /secret_plan/);
  assert.match(text(), /open_plan/);
});
