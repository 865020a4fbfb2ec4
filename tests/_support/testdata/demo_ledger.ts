/**
 * The main session of the demo store: a bank import that lost amounts, from the question to the
 * commit, with a failed tool, an interruption and a compaction on the way.
 */
import { begun, declared, user } from "./drafts.ts";
import { withCheckpoint } from "./checkpoint.ts";
import { type DemoSession, type Step, turnOf } from "./demo_clock.ts";
import { commit } from "./demo_ledger_commit.ts";
import { LEDGER, ledgerStart, snapshot } from "./demo_ledger_start.ts";
import { changes, ends, ran, runs, runsOwn, says, thinks } from "./demo_drafts.ts";
import {
  CUT_OFF,
  DIAGNOSIS,
  HISTORY,
  IMPORTER_TEXT,
  NOVEMBER_ROWS,
  OCTOBER_ROWS,
  PARSER_HUNK,
  REPAIRED,
  SUMMARY,
  TEST_FAILURE,
  TEST_HUNK,
} from "./demo_ledger_text.ts";
import { draft } from "./event_line.ts";

const ID = "8d1f0c4e-52b7-4e0a-9c63-1b7e4a90f2d5";
const CREATED = "2026-11-18T08:14:52.310Z";
const IMPORTER = "src/import/bank_csv.ts";
const IMPORTER_TEST = "tests/import/bank_csv_test.ts";

function question(): Step[] {
  return turnOf(
    "t1",
    [
      14.2,
      user(
        "After importing november.csv the balance is 3 210.44 EUR below what the bank says. October was fine. Can you find out why? Please change nothing yet.",
      ),
    ],
    [
      3.9,
      thinks(
        "msg_01",
        "October worked with the same code, so the file is the suspect: either the bank changed its export or November holds something that October did not, such as amounts above a thousand. I need the importer and the amounts, and neither depends on the other.",
      ),
    ],
    [
      0.8,
      says("msg_01", "I read the importer and look at how the file writes its amounts.", {
        input: 412,
        output: 138,
        cache_write: 6820,
      }, [
        declared("toolu_01A", "read_file", { path: IMPORTER }),
        declared("toolu_01B", "grep", {
          pattern: ";([0-9]+\\.[0-9]{3},|[0-9]+,[0-9]{2}-)",
          path: "inbox/november.csv",
        }),
      ]),
    ],
    [0.01, begun("toolu_01A")],
    [
      0.01,
      begun("toolu_01B"),
    ],
    [0.03, ends("toolu_01B", "grep", NOVEMBER_ROWS, 18)],
    [0.02, ends("toolu_01A", "read_file", IMPORTER_TEXT, 4)],
    [
      4.6,
      says("msg_02", "Now the October file, to compare.", octoberUsage(), [
        declared("toolu_02A", "read_file", { path: "inbox/october.csv" }),
      ]),
    ],
    [0.01, begun("toolu_02A")],
    [
      0.02,
      ends("toolu_02A", "read_file", "", 2, {
        status: "error",
        error: "Cannot read file: no such file: inbox/october.csv",
      }),
    ],
    [
      2.7,
      says("msg_03", "", { input: 210, output: 61, cache_read: 7910 }, [
        declared("toolu_03A", "bash", {
          command: "ls inbox/archive && head -3 inbox/archive/2026-10.csv",
        }),
      ]),
    ],
    [
      0.01,
      runs("toolu_03A", "Find the October file"),
    ],
    [
      0.06,
      ran(
        "toolu_03A",
        "ls inbox/archive && head -3 inbox/archive/2026-10.csv",
        `2026-08.csv\n2026-09.csv\n2026-10.csv\n${OCTOBER_ROWS}`,
        41,
        { summary: "Find the October file" },
      ),
    ],
    [9.4, says("msg_04", DIAGNOSIS, { input: 338, output: 402, cache_read: 8120 })],
  );
}

function octoberUsage(): {
  input: number;
  output: number;
  cache_read: number;
  cache_write: number;
} {
  return { input: 96, output: 54, cache_read: 6820, cache_write: 1090 };
}

const LOG_COMMAND = "git log --oneline -3 -- src/import";

function userCommand(): Step[] {
  return [
    [62, runsOwn("user_1", LOG_COMMAND)],
    [
      0.05,
      ran(
        "user_1",
        LOG_COMMAND,
        HISTORY,
        33,
      ),
    ],
  ];
}

const TEST_COMMAND = "deno test --quiet tests/import";

function interrupted(): Step[] {
  return turnOf(
    "t2",
    [41, user("Fix it. An amount must never become 0 silently. Stay with integer cents.")],
    [
      3.1,
      says("msg_05", "The failing tests first.", testUsage(), [
        declared("toolu_05A", "edit_file", { path: IMPORTER_TEST, insert_after: 4 }),
      ]),
    ],
    [0.01, begun("toolu_05A")],
    [0.03, changes("toolu_05A", IMPORTER_TEST, TEST_HUNK)],
    [0.01, ends("toolu_05A", "edit_file", `Edited ${IMPORTER_TEST}: 18 lines added.`, 9)],
    [
      2.2,
      says("msg_06", "", { input: 180, output: 58, cache_read: 9620 }, [
        declared("toolu_06A", "bash", { command: TEST_COMMAND }),
      ]),
    ],
    [0.01, runs("toolu_06A", "Run the tests")],
    [
      1.9,
      ran(
        "toolu_06A",
        TEST_COMMAND,
        TEST_FAILURE,
        1842,
        { status: "error", exit_code: 1, summary: "Run the tests", error: "error: Test failed\n" },
      ),
    ],
    [
      6.3,
      draft("assistant_interrupted", {
        content: CUT_OFF,
        message_id: "msg_07",
        reason: "user",
      }),
    ],
  );
}

function testUsage(): { input: number; output: number; cache_read: number; cache_write: number } {
  return { input: 64, output: 611, cache_read: 8458, cache_write: 740 };
}

function repair(): Step[] {
  return turnOf(
    "t3",
    [
      18.5,
      user(
        "No library. A strict grammar, integer cents, and an error with the line number. That is all.",
      ),
    ],
    [
      4.4,
      thinks(
        "msg_08",
        "One regular expression covers both forms. Thousands must be groups of exactly three, or 1.28,16 would pass; and a minus on both sides is no amount. The line number counts the head as line 1.",
      ),
    ],
    [
      0.6,
      says("msg_08", "Understood.", { input: 231, output: 540, cache_read: 10_240 }, [
        declared("toolu_08A", "edit_file", { path: IMPORTER, replace: "parseAmount" }),
      ]),
    ],
    [
      0.01,
      begun("toolu_08A"),
    ],
    [0.04, changes("toolu_08A", IMPORTER, PARSER_HUNK)],
    [0.01, ends("toolu_08A", "edit_file", `Edited ${IMPORTER}: 17 lines added, 4 removed.`, 11)],
    [
      2.1,
      says("msg_09", "", { input: 120, output: 57, cache_read: 10_980 }, [
        declared("toolu_09A", "bash", { command: TEST_COMMAND }),
      ]),
    ],
    [0.01, runs("toolu_09A", "Run the tests")],
    [
      1.8,
      ran("toolu_09A", TEST_COMMAND, "ok | 3 passed | 0 failed (38ms)\n", 1733, {
        summary: "Run the tests",
      }),
    ],
    [
      5.2,
      says(
        "msg_10",
        REPAIRED,
        { input: 96, output: 118, cache_read: 11_240 },
      ),
    ],
  );
}

function compaction(): Step {
  const kept = [
    ...ledgerStart(ID, CREATED, "a41d9e2"),
    snapshot(),
    ...question(),
    ...userCommand(),
    ...interrupted(),
  ];
  return [
    96,
    draft("compaction_applied", {
      status: "Context compacted.",
      summary: SUMMARY,
      first_kept_seq: kept.length + 1,
      tokens_before: 11_454,
      tokens_after: 3_120,
      guidance: "Keep what we decided about amounts.",
      trigger: "manual",
    }),
  ];
}

/** The session that the demo shows first. */
export function ledgerSession(): DemoSession {
  const steps: Step[] = [
    ...ledgerStart(ID, CREATED, "a41d9e2"),
    snapshot(),
    ...question(),
    ...userCommand(),
    ...interrupted(),
    ...repair(),
    compaction(),
    ...commit(),
  ];
  const checkpoint = withCheckpoint(steps.map(([, event]) => event)).at(-1);
  const summary = "The importer reads amounts as the bank writes them since November.";
  if (checkpoint !== undefined) steps.push([12, checkpoint]);
  steps.push([0.002, draft("session_closed", { status: "completed", exit_code: 0, summary })]);
  return { id: ID, cwd: LEDGER, created_at: CREATED, steps };
}
