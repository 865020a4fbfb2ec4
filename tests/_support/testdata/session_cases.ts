/**
 * Logs about a session as a whole: its head, its titles, its parent, its end.
 */
import type { NewEvent } from "../../../lib/event/envelope.ts";
import { checkpointPayload, withCheckpoint } from "./checkpoint.ts";
import { assistant, SESSION_ID, started, user } from "./drafts.ts";
import { draft, joined, linesOf, turn } from "./event_line.ts";
import { type LogCase, logCase } from "./log_case.ts";

const FORK_ID = "c2a7d9b4-3e15-4b8a-8f61-7d0c9e2b5a13";

function caseOf(
  name: string,
  says: string,
  drafts: readonly NewEvent[],
  folded: LogCase["folded"] = [],
): LogCase {
  return logCase(name, says, drafts.length, joined(...linesOf(drafts)), { folded });
}

/** Events 2 to 5: two turns, with models and tokens. */
function twoTurns(): NewEvent[] {
  return [
    ...turn(
      "t1",
      user("Is the ledger balanced?"),
      assistant("It is off by 0.10 EUR.", {
        message_id: "m1",
        model: "claude-sonnet-4-5",
        provider: "anthropic",
        finish_reason: "stop",
        usage: { input: 1200, output: 40, cache_read: 800 },
        cost_usd: 0.004,
      }),
    ),
    ...turn(
      "t2",
      user("Since when?"),
      assistant("Since the import of 3 November.", {
        message_id: "m2",
        model: "gpt-5.1",
        provider: "openai",
        finish_reason: "stop",
        usage: { input: 1300, output: 25, reasoning: 64 },
        cost_usd: 0.002,
      }),
    ),
  ];
}

function wholeSessionCases(): LogCase[] {
  const closed = draft("session_closed", { status: "completed", exit_code: 0 });
  const events = [started(), ...twoTurns()];
  const stale = { ...checkpointPayload(events), message_count: 40, turn_count: 19 };
  return [
    caseOf("plain", "a session of two turns", [
      started({ app: { name: "ledger-bot", version: "1.4.0" }, git: { branch: "main" } }),
      draft("context_loaded", {
        sources: [{
          kind: "instructions",
          path: "/home/ada/src/ledger/AGENTS.md",
          scope: "project",
          hash: "9b74c9897bac770ffc029102a200c5de",
          bytes: 512,
          truncated: false,
        }],
      }),
      draft("workspace_snapshot", { root: "/home/ada/src/ledger", git_branch: "main" }),
      ...twoTurns(),
    ]),
    caseOf("closed", "a session that was closed in order, with a checkpoint before its end", [
      ...withCheckpoint(events),
      closed,
    ]),
    caseOf(
      "closed_reopened",
      "a session that was closed and went on: it counts as closed only where that is the last event",
      [...events, closed, ...turn("t3", user("One more thing."), assistant("Yes?"))],
    ),
    caseOf(
      "stale_checkpoint",
      "a checkpoint that counts what is not there",
      [...events, draft("session_checkpoint", stale)],
      ["stale-checkpoint"],
    ),
  ];
}

function headCases(): LogCase[] {
  const [, ...headless] = linesOf([started(), ...twoTurns()]);
  const parent = { session_id: SESSION_ID, seq: 3, reason: "fork" };
  const copied = twoTurns().slice(0, 2).map((event, index) => ({
    ...event,
    source: { session_id: SESSION_ID, seq: index + 2 },
  }));
  return [
    logCase("no_header", "a log whose first event was lost", 4, joined(...headless), {
      found: ["seq-gap"],
      folded: ["missing-header"],
    }),
    caseOf("renamed_archived", "renamed twice and archived: the latest wins", [
      started({ title: "Balance" }),
      ...twoTurns(),
      draft("session_renamed", { title: "The 0.10 EUR" }),
      draft("session_archived", { archived: true }),
      draft("session_archived", { archived: false }),
      draft("session_renamed", { title: "The 0.10 EUR that were booked twice" }),
      draft("session_archived", { archived: true }),
    ]),
    caseOf("forked", "a fork: the events up to 3 are copies that name where they come from", [
      started({ session_id: FORK_ID, parent }),
      ...copied,
      ...turn("t2", user("Show the two bookings."), assistant("Both are of 3 November.")),
    ]),
  ];
}

function branchCases(): LogCase[] {
  return [
    caseOf("branched", "a session that went back twice, with labels: the last branch goes on", [
      started(),
      ...turn("t1", user("Which bank is it?"), assistant("Sparkasse.")),
      ...turn("t2", user("Rewrite the importer."), assistant("Rewritten.")),
      draft("event_labeled", { target_seq: 5, label: "the rewrite" }),
      draft("conversation_branched", { from_seq: 3, reason: "too much" }),
      ...turn("t3", user("Patch the importer."), assistant("Patched.")),
      draft("conversation_branched", { from_seq: 5 }),
      ...turn("t4", user("Test it."), assistant("Tested.")),
    ]),
    caseOf(
      "branch_invalid",
      "a branch that goes on from no event before it, which is ignored",
      [
        started(),
        ...turn("t1", user("Which bank is it?"), assistant("Sparkasse.")),
        draft("conversation_branched", { from_seq: 9 }),
      ],
      ["invalid-branch"],
    ),
  ];
}

/** Every log about a session as a whole. */
export function sessionCases(): LogCase[] {
  return [...wholeSessionCases(), ...headCases(), ...branchCases()];
}
