/**
 * The last turn of the main demo session: the changelog and the commit.
 */
import { type Step, turnOf } from "./demo_clock.ts";
import { changes, ends, ran, runs, says } from "./demo_drafts.ts";
import { CHANGELOG_HUNK, COMMITTED } from "./demo_ledger_text.ts";
import { begun, declared, user } from "./drafts.ts";

const COMMIT_COMMAND =
  'git commit -qam "fix(import): read amounts as the bank writes them since November" && git show --stat --format=%h%x20%s';

/** What the user asks last, and what is done about it. */
export function commit(): Step[] {
  return turnOf(
    "t4",
    [21, user("Good. A line for the changelog, for people who use it, then commit.")],
    [
      3.4,
      says("msg_11", "", { input: 3188, output: 201, cache_write: 3120 }, [
        declared("toolu_11A", "edit_file", { path: "CHANGELOG.md", insert_after: 4 }),
      ]),
    ],
    [0.01, begun("toolu_11A")],
    [0.02, changes("toolu_11A", "CHANGELOG.md", CHANGELOG_HUNK)],
    [0.01, ends("toolu_11A", "edit_file", "Edited CHANGELOG.md: 5 lines added.", 6)],
    [
      1.7,
      says("msg_12", "", { input: 140, output: 92, cache_read: 6308 }, [
        declared("toolu_12A", "bash", { command: COMMIT_COMMAND }),
      ]),
    ],
    [0.01, runs("toolu_12A", "Commit")],
    [
      0.2,
      ran(
        "toolu_12A",
        COMMIT_COMMAND,
        COMMITTED,
        164,
        { summary: "Commit" },
      ),
    ],
    [
      3.8,
      says(
        "msg_13",
        "Committed as `c3f82d1`. The changelog says what was wrong, what holds now, and that November statements should be imported again.",
        { input: 220, output: 41, cache_read: 6448 },
      ),
    ],
  );
}
