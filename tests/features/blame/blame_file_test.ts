/** Lines of a file, joined with the sessions that wrote them. */
import assert from "node:assert/strict";
import { blameFile } from "../../../lib/features/blame/mod.ts";
import { openLibrary } from "../../../lib/library/library.ts";
import { atFullSize } from "../../_support/full_size.ts";
import { GIT } from "../../_support/trapped_repository.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { scriptedHistory, sessionId } from "./scripted_history.ts";
import { needing } from "../../_support/needing.ts";

/** The results for the lines of a history. */
interface Score {
  wrong: string[];
  proven: number;
  /** Lines that a session wrote. */
  recorded: number;
  /** Lines whose commit git names rightly. Equal lines deceive git, too. */
  named: number;
}

/** Compares the blame of each line with the truth. */
async function scores(
  folder: string,
  seed: number,
  commits: number,
): Promise<Score> {
  const { home, repository, files } = await scriptedHistory(folder, seed, commits);
  const variable = (name: string): string | undefined =>
    name === "HOME" ? home : name === "PATH" ? Deno.env.get("PATH") : undefined;
  const library = openLibrary({ variable, root: `${home}/store` });
  const score: Score = { wrong: [], proven: 0, recorded: 0, named: 0 };
  for (const [name, lines] of files) {
    const options = { variable, now: Date.now() };
    const blame = await blameFile(library, `${repository}/${name}`, options);
    assert.deepEqual(blame.lines.map(({ text }) => text), lines.map(({ text }) => text));
    for (const [index, { grade, edit, text, commit }] of blame.lines.entries()) {
      const truth = lines[index]?.session;
      if (truth !== undefined) score.recorded++;
      const is_named = commit?.summary === `change ${lines[index]?.commit}`;
      if (truth !== undefined && is_named) score.named++;
      if (grade !== "proven") continue;
      score.proven++;
      if (truth === undefined || edit?.session.id !== sessionId(truth)) {
        score.wrong.push(`${name}:${index + 1} ${text}: ${edit?.session.id}, true: ${truth}`);
      }
    }
  }
  return score;
}

/** Blames histories, of a seed and a number of commits each. */
async function assertProven(histories: readonly [seed: number, commits: number][]): Promise<void> {
  let [proven, recorded, all] = [0, 0, 0];
  for (const [seed, commits] of histories) {
    await withDirectory(async (folder) => {
      const score = await scores(folder, seed, commits);
      assert.deepEqual(score.wrong, [], `seed ${seed}`);
      assert.ok(score.proven >= 0.9 * score.named, `${score.proven} of ${score.named}`);
      proven += score.proven;
      recorded += score.recorded;
      all += commits;
    });
  }
  assert.ok(recorded > 1.25 * all, `${recorded}`);
  assert.ok(proven >= 0.9 * recorded, `${proven} of ${recorded}`);
}

const NAME = "commits nothing wrong is proven, and nine lines of ten are";

// Slow: git makes and reads histories.
Deno.test({
  ...needing(`in histories of 40 ${NAME}`, GIT),
  fn: () => assertProven([[1, 40], [5, 30]]),
});

// Rare meetings of changes come in long histories.
Deno.test({
  ...atFullSize(`in histories of 200 ${NAME}`, GIT),
  fn: () => assertProven([[1, 200], [2, 200]]),
});
