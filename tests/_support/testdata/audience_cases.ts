/** Logs about who gets what: parts for the user or the model alone, and results of parts. */
import type { NewEvent } from "../../../lib/event/envelope.ts";
import { assistant, call, started, user } from "./drafts.ts";
import { draft, joined, linesOf, turn } from "./event_line.ts";
import { type LogCase, logCase } from "./log_case.ts";

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

function caseOf(
  name: string,
  says: string,
  events: readonly NewEvent[],
  folded: LogCase["folded"] = [],
): LogCase {
  return logCase(name, says, events.length, joined(...linesOf(events)), { folded });
}

function audienceEvents(): NewEvent[] {
  return [
    started(),
    ...turn(
      "t1",
      user([
        { type: "text", text: "<time>20:21</time>\n", audience: "model" },
        { type: "text", text: "Is the ledger balanced?", continues: true },
      ]),
      draft("reasoning_message", { content: "Add them up.", message_id: "m1", audience: "user" }),
      call("c1", "bash", { command: "ledger bal" }, "m1"),
      draft("bash_start", { call_id: "c1" }),
      draft("bash_end", {
        call_id: "c1",
        command: "ledger bal",
        output: [
          { type: "text", text: "Exit code: 0\nOutput:\n", audience: "model" },
          { type: "text", text: "0.10 EUR\n", continues: true },
        ],
        exit_code: 0,
        status: "ok",
      }),
      assistant("It is off by 0.10 EUR.", { message_id: "m2" }),
    ),
    user([{ type: "text", text: "Be brief from now on.", audience: "model" }]),
    user([{ type: "text", text: "/cost", audience: "user" }]),
  ];
}

function outputEvents(): NewEvent[] {
  return [
    started(),
    ...turn(
      "t1",
      user("How does it look?"),
      call("c1", "screenshot", {}, "m1"),
      draft("tool_end", {
        call_id: "c1",
        name: "screenshot",
        status: "ok",
        output: [
          { type: "text", text: "The page has loaded." },
          { type: "json", value: { width: 1, height: 1 } },
          {
            type: "image",
            media_type: "image/png",
            data: PIXEL,
            sha256: "431ced6916a2a21a156e38701afe55bbd7f88969fbbfc56d7fe099d47f265460",
            bytes: 70,
          },
        ],
        provider_data: { signature: "EqoBCkgIARABGAIiQL8=" },
      }),
      assistant("Orange.", { message_id: "m2" }),
    ),
  ];
}

function replacedEvents(): NewEvent[] {
  return [
    started({ unanswered_call: "[No response: the program was stopped.]" }),
    ...turn("t1", user("Which bank is it?"), assistant("Sparkasse.")),
    draft("conversation_replaced", {
      messages: [{ role: "user", content: "Which bank is it, in one word?" }],
      reason: "history edited",
    }),
    ...turn(
      "t2",
      call("c1", "read_file", { path: "bank.csv" }, "m1"),
    ),
  ];
}

/** Every log about who gets what. */
export function audienceCases(): LogCase[] {
  return [
    caseOf(
      "audience",
      "parts, thoughts and outputs that only the user saw or only the model got",
      audienceEvents(),
    ),
    caseOf("output_parts", "a result of text, a value and an image", outputEvents()),
    caseOf(
      "conversation_replaced",
      "a conversation that was replaced without a compaction, and an unanswered call with its own sentence",
      replacedEvents(),
      ["unsettled-call"],
    ),
  ];
}
