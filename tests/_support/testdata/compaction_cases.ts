/**
 * Logs about compaction: what replaces the conversation, and what does not.
 */
import type { NewEvent } from "../../../lib/event/envelope.ts";
import type { CompactionAppliedPayload } from "../../../lib/event/payload.ts";
import { assistant, call, settled, started, user } from "./drafts.ts";
import { draft, joined, linesOf, turn } from "./event_line.ts";
import { type LogCase, logCase } from "./log_case.ts";

function compacted(more: Partial<CompactionAppliedPayload>): NewEvent {
  return draft("compaction_applied", { status: "Context compacted.", ...more });
}

/** Events 2 to 5. */
function firstTurns(): NewEvent[] {
  return [
    ...turn("t1", user("Which bank is it?"), assistant("Sparkasse.")),
    ...turn("t2", user("Which format?"), assistant("CSV with CAMT headings.")),
  ];
}

/** A turn after a compaction. */
function lastTurn(): NewEvent[] {
  return turn("t3", user("Which encoding?"), assistant("Latin-1."));
}

function caseOf(
  name: string,
  says: string,
  events: readonly NewEvent[],
  folded: LogCase["folded"] = [],
): LogCase {
  const drafts = [started(), ...events];
  return logCase(name, says, drafts.length, joined(...linesOf(drafts)), { folded });
}

function validCases(): LogCase[] {
  const summary = "The user imports CSV with CAMT headings from a Sparkasse account.";
  return [
    caseOf("compaction_messages", "messages replace the conversation", [
      ...firstTurns(),
      compacted({
        messages: [
          { role: "user", content: summary },
          { role: "assistant", content: [{ type: "text", text: "Understood." }] },
        ],
        tokens_before: 18_400,
        tokens_after: 420,
        trigger: "auto",
      }),
      ...lastTurn(),
    ]),
    caseOf("compaction_empty", "an empty list of messages empties the conversation", [
      ...firstTurns(),
      compacted({ status: "Context cleared.", messages: [], trigger: "manual" }),
      ...lastTurn(),
    ]),
    caseOf(
      "compaction_summary_kept",
      "a summary, then the events from 4 on, which are kept as they were",
      [
        ...firstTurns(),
        compacted({ summary, first_kept_seq: 4, guidance: "Keep the format.", trigger: "manual" }),
        ...lastTurn(),
      ],
    ),
    caseOf("compaction_summary_alone", "a summary, and nothing is kept", [
      ...firstTurns(),
      compacted({ summary }),
      ...lastTurn(),
    ]),
    caseOf(
      "compaction_chained",
      "the second compaction keeps from before the first: the first is passed over",
      [
        ...firstTurns(),
        compacted({ summary: "A bank import.", first_kept_seq: 4 }),
        ...lastTurn(),
        compacted({ summary, first_kept_seq: 5 }),
        ...turn("t4", user("Which separator?"), assistant("A semicolon.")),
      ],
    ),
  ];
}

function invalidCases(): LogCase[] {
  return [
    caseOf(
      "compaction_invalid",
      "one with neither messages nor summary, one that keeps from an event that is not there: the valid one before them stays in force",
      [
        ...firstTurns(),
        compacted({ summary: "A bank import.", first_kept_seq: 4 }),
        ...lastTurn(),
        compacted({ first_kept_seq: 4 }),
        compacted({ summary: "Nothing.", first_kept_seq: 999 }),
        ...turn("t4", user("Which separator?"), assistant("A semicolon.")),
      ],
      ["invalid-compaction", "invalid-compaction"],
    ),
    caseOf(
      "compaction_split_pair",
      "keeps from a settlement on: its start is before the cut, so it is left out of the conversation",
      [
        ...turn(
          "t1",
          user("Which bank is it?"),
          call("c1", "read_file", { path: "bank.csv" }, "m1"),
          settled("c1", "read_file", "Auftragskonto;Buchungstag\n"),
          assistant("Sparkasse.", { message_id: "m2" }),
        ),
        compacted({ summary: "A bank import.", first_kept_seq: 5 }),
        ...lastTurn(),
      ],
    ),
  ];
}

/** Every log about compaction. */
export function compactionCases(): LogCase[] {
  return [...validCases(), ...invalidCases()];
}
