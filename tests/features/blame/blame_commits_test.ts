/** Lines that commits add, with the sessions that wrote them, also after the commits were rewritten. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { addedLines, editsOfChanges } from "../../../lib/features/blame/added_lines.ts";
import { committedChanges } from "../../../lib/features/blame/git/commit_changes.ts";
import { namedCommits } from "../../../lib/features/blame/git/named_commits.ts";
import { Repository } from "../../../lib/features/blame/git/repository.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { atFullSize } from "../../_support/full_size.ts";
import { needing } from "../../_support/needing.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { GIT, GIT_ENVIRONMENT } from "../../_support/trapped_repository.ts";
import {
  type ScriptedHistory,
  scriptedHistory,
  sessionId,
  type TrueLine,
} from "./scripted_history.ts";

/** How many lines are told rightly, and which are proven for a session that did not write them. */
interface Score {
  all: number;
  right: number;
  proven: number;
  wrong: string[];
}

/** Runs git in the repository an hour after its last commit. Returns what it prints. */
function gitAfter(history: ScriptedHistory, ...args: string[]): string {
  return gitAt(history, Math.floor(history.end / 1000) + 3600, ...args);
}

function gitAt({ repository }: ScriptedHistory, seconds: number, ...args: string[]): string {
  const time = `${seconds} +0000`;
  const made = args[0] === "commit-tree" ? { GIT_AUTHOR_DATE: time } : {};
  const env = { ...GIT_ENVIRONMENT, ...made, GIT_COMMITTER_DATE: time };
  const { stdout, stderr, success } = new Deno.Command("git", { args, cwd: repository, env })
    .outputSync();
  assert.ok(success, `git ${args.join(" ")}: ${new TextDecoder().decode(stderr)}`);
  return new TextDecoder().decode(stdout).trim();
}

/** The lines of each file that each commit of a range adds, as blame tells them. */
async function told({ home, repository }: ScriptedHistory, range: string): Promise<
  { sha?: string; name: string; lines: { text: string; grade: string; id: string }[] }[]
> {
  const variable = (name: string): string | undefined =>
    name === "HOME" ? home : name === "PATH" ? Deno.env.get("PATH") : undefined;
  const library = openLibrary({ variable, root: `${home}/store` });
  const place = await Repository.around({ cwd: repository, variable });
  assert.ok(place !== undefined);
  const changes = await committedChanges(place, await namedCommits(place, range) ?? []);
  const edits = await editsOfChanges(library, place, changes, {});
  const found = await Array.fromAsync(addedLines(place, changes, edits, Date.now()));
  return found.map(({ sha, file: { name }, lines }) => ({
    ...sha === undefined ? {} : { sha },
    name,
    lines: lines.map(({ text, grade, edit }) => ({ text, grade, id: edit?.session.id ?? "" })),
  }));
}

/** Compares what is told of the lines of a file with the truth. Equal lines stand for each other. */
function compare(
  score: Score,
  older: readonly TrueLine[],
  truth: readonly TrueLine[],
  lines: { text: string; grade: string; id: string }[],
): void {
  const left = truth.map(({ text, session, formatted }) => ({
    text,
    id: session === undefined ? "" : sessionId(session),
    formatted,
  }));
  score.all += left.length;
  // Proofs are compared first: a guess may have no part in what they are right about.
  const ordered = lines.toSorted((one, other) =>
    Number(other.grade === "proven") - Number(one.grade === "proven")
  );
  for (const { text, grade, id } of ordered) {
    const at = left.findIndex((one) =>
      one.text === text && (one.id === id || grade === "likely" && isFormatted(one, id))
    );
    if (grade === "proven") score.proven++;
    if (at >= 0) {
      score.right++;
      left.splice(at, 1);
    } else if (!truth.some((one) => one.text === text)) {
      // Git compares with another file, or a conflict brought more of it.
      score.all++;
      if (
        older.some((one) =>
          one.text === text && (one.session === undefined ? "" : sessionId(one.session)) === id
        )
      ) score.right++;
      else if (grade === "proven") score.wrong.push(`${text}: ${id}, older`);
    } else if (grade === "proven" && left.some((one) => one.text === text)) {
      score.wrong.push(
        `${text}: ${id}, true: ${JSON.stringify(left.filter((one) => one.text === text))}`,
      );
    }
  }
  // What no session changed is not told line by line.
  if (lines.length === 0) score.right += left.filter(({ id }) => id === "").length;
}

/** Compares each commit of a range with the scripted commit whose number its message tells. */
async function compareRange(
  score: Score,
  history: ScriptedHistory,
  range: string,
  count = 1,
): Promise<void> {
  const messages = new Map(
    gitAfter(history, "log", "--format=%H %s", range).split("\n").map((line) =>
      [line.slice(0, 40), Number(line.split(" ").at(-1))] as const
    ),
  );
  for (const { sha = "", name, lines } of await told(history, range)) {
    const number = messages.get(sha) ?? -1;
    const all = history.versions[number]?.get(name) ?? [];
    const everywhere = history.versions.flatMap((files) => [...files.values()].flat());
    compare(
      score,
      everywhere,
      all.filter(({ commit = 0 }) => commit > number - count && commit <= number),
      lines,
    );
  }
}

function isFormatted({ formatted }: { formatted: string | undefined }, id: string): boolean {
  return formatted !== undefined && sessionId(formatted) === id;
}

/** Number of commits that are made one. */
const SQUASHED = 5;

async function examine(seed: number, commits: number): Promise<Record<string, Score>> {
  const scores: Record<string, Score> = {};
  const score = (name: string): Score => scores[name] = { all: 0, right: 0, proven: 0, wrong: [] };
  await withDirectory(async (folder) => {
    const history = await scriptedHistory(folder, seed, commits);
    const at = (index: number): string => `main~${commits - 1 - index}`;
    await compareRange(score("as made"), history, `${at(0)}..main`);
    const base = Math.floor(commits / 3);
    // Squashed: every five commits become one.
    let parent = at(0);
    for (let index = SQUASHED; index < commits; index += SQUASHED) {
      const tree = gitAfter(history, "rev-parse", `${at(index)}^{tree}`);
      const [time] = gitAfter(history, "log", "--format=%at", "-1", at(index)).split("\n");
      parent = gitAt(history, Number(time), "commit-tree", tree, "-p", parent, "-m", `to ${index}`);
    }
    const first = gitAfter(history, "rev-parse", at(0));
    await compareRange(score("squashed"), history, `${first}..${parent}`, SQUASHED);
    // Rebased: somebody changed the same files, and other ones, after the branch had begun.
    gitAfter(history, "switch", "--quiet", "--create", "other", at(base));
    for (const { name } of await told(history, `${at(0)}..${at(base)}`)) {
      const path = join(history.repository, name);
      try {
        Deno.writeTextFileSync(path, `head of ${name}\n${Deno.readTextFileSync(path)}`);
      } catch {
        // It has another name by now.
      }
    }
    gitAfter(
      history,
      "commit",
      "--quiet",
      "--all",
      "--message",
      "head -1",
      `--date=${Math.floor(history.end / 1000)} +0000`,
    );
    const quiet = ["-c", "core.editor=true", "-c", "advice.skippedCherryPicks=false"];
    gitAfter(history, "switch", "--quiet", "--create", "moved", "main");
    gitAfter(history, ...quiet, "rebase", "--quiet", "-X", "theirs", "other");
    await compareRange(score("rebased"), history, "other..moved");
    // Picked: every third commit, where git can.
    gitAfter(history, "switch", "--quiet", "--create", "picked", "other");
    for (let index = base + 2; index < commits; index += 3) {
      try {
        gitAfter(history, "cherry-pick", at(index));
      } catch {
        gitAfter(history, "cherry-pick", "--abort");
      }
    }
    await compareRange(score("picked"), history, "other..picked");
  });
  return scores;
}

/** Asks for the shares of lines that are told rightly, in thousandths. */
const LEAST: Record<string, number> = { "as made": 950, squashed: 900, rebased: 900, picked: 900 };

async function assertRight(histories: readonly [seed: number, commits: number][]): Promise<void> {
  const sums = new Map<string, Score>();
  for (const [seed, commits] of histories) {
    for (const [name, score] of Object.entries(await examine(seed, commits))) {
      assert.deepEqual(score.wrong, [], `seed ${seed}, ${name}`);
      const { all, right, proven } = sums.get(name) ?? { all: 0, right: 0, proven: 0 };
      sums.set(name, {
        ...{ all: all + score.all, right: right + score.right, proven: proven + score.proven },
        wrong: [],
      });
    }
  }
  for (const [name, { all, right, proven }] of sums) {
    assert.ok(proven >= 0.3 * all, `${name}: ${proven} of ${all} are proven`);
    assert.ok(
      all > 0 && right * 1000 >= (LEAST[name] ?? 1000) * all,
      `${name}: ${right} of ${all}`,
    );
  }
}

const NAME = "commits nothing wrong is proven, and lines are told rightly after squash and rebase";

// Slow: git makes and rewrites histories.
Deno.test({
  ...needing(`in a history of 20 ${NAME}`, GIT),
  fn: () => assertRight([[2, 20]]),
});

// Rare meetings of changes come in long histories.
Deno.test({
  ...atFullSize(`in histories of 300 ${NAME}`, GIT),
  fn: () => assertRight([[1, 300], [2, 300]]),
});
