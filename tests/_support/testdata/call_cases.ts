/**
 * Logs about calls: how starts and settlements pair, and what lies between them.
 */
import { assistant, begun, call, declared, settled, started, user } from "./drafts.ts";
import { draft, joined, linesOf, turn } from "./event_line.ts";
import { parseCallInput } from "../../../lib/event/call_input.ts";
import { parseExact } from "../../../lib/event/exact_json.ts";
import type { NewEvent } from "../../../lib/event/envelope.ts";
import { type LogCase, logCase } from "./log_case.ts";

function caseOf(
  name: string,
  says: string,
  events: readonly NewEvent[],
  folded: LogCase["folded"] = [],
): LogCase {
  const drafts = [started(), ...events];
  return logCase(name, says, drafts.length, joined(...linesOf(drafts)), { folded });
}

function pairingCases(): LogCase[] {
  return [
    caseOf(
      "orphan_settlement",
      "a settlement without its start",
      turn(
        "t1",
        user("List the files."),
        settled("c9", "list_files", "deno.json\nmain.ts\n"),
        assistant("There are two."),
      ),
      ["orphan-settlement"],
    ),
    caseOf(
      "unsettled_call",
      "a call that was never settled before the next turn began",
      [
        ...turn(
          "t1",
          user("List the files."),
          call("c1", "list_files", { path: "." }, "m1"),
        ),
        ...turn("t2", user("Still there?"), assistant("Yes.")),
      ],
      ["unsettled-call"],
    ),
    caseOf(
      "exact_numbers",
      "numbers that are kept digit by digit, and a call's input as the text that it was",
      turn(
        "t1",
        user("Find that record."),
        assistant([{
          type: "tool_call",
          call_id: "c1",
          name: "find",
          ...parseCallInput('{"id": 1234567890123456789, "ratio": 1.0, "most": 1e400}'),
        }], { message_id: "m1" }),
        draft("tool_end", {
          call_id: "c1",
          name: "find",
          status: "ok",
          output: [{ type: "json", value: parseExact('{"near":0.1000000000000000055,"sum":-0}') }],
        }),
        assistant("There it is.", { message_id: "m2" }),
      ),
    ),
    caseOf(
      "parallel_calls",
      "two calls of one response, settled in the other order",
      turn(
        "t1",
        user("Compare the two parsers."),
        assistant([
          { type: "text", text: "I read both." },
          declared("c1", "read_file", { path: "src/csv.ts" }),
          declared("c2", "read_file", { path: "src/camt.ts" }),
        ], { message_id: "m1" }),
        begun("c1"),
        begun("c2"),
        settled("c2", "read_file", "export function parseCamt() {}\n"),
        settled("c1", "read_file", "export function parseCsv() {}\n"),
        assistant("Only the first one reads CSV.", { message_id: "m2" }),
      ),
    ),
    caseOf(
      "response",
      "a response in one event, with its reasoning, its text and its calls",
      turn(
        "t1",
        user("Compare the parsers, and run the tests."),
        assistant([
          { type: "reasoning", text: "Both are short.", provider_data: { signature: "EqoB" } },
          { type: "text", text: "I read one and run the tests." },
          declared("c1", "read_file", { path: "src/csv.ts" }),
          declared("c2", "shell", { command: ["bash", "-lc", "deno test"] }),
          declared("c3", "bash", { command: "ls" }),
        ], { message_id: "m1", model: "claude-sonnet-4-5", finish_reason: "tool_calls" }),
        begun("c1"),
        draft("bash_start", { call_id: "c2", command: "deno test", summary: "Run the tests" }),
        draft("bash_end", {
          call_id: "c2",
          command: "deno test",
          output: "ok | 12 passed\n",
          exit_code: 0,
          status: "ok",
        }),
        settled("c1", "read_file", "export function parseCsv() {}\n"),
        draft("bash_end", {
          call_id: "c3",
          command: "ls",
          output: "csv.ts\n",
          exit_code: 0,
          status: "ok",
        }),
        assistant("One reads CSV, and the tests pass.", { message_id: "m2" }),
      ),
    ),
    caseOf(
      "response_stopped",
      "a program that was killed in the first of three calls: the others were not run",
      [
        ...turn(
          "t1",
          user("Read the three."),
          assistant([
            declared("c1", "read_file", { path: "a.txt" }),
            declared("c2", "read_file", { path: "b.txt" }),
            declared("c3", "read_file", { path: "c.txt" }),
          ], { message_id: "m1" }),
          begun("c1"),
        ),
        ...turn("t2", user("Go on.")),
      ],
      ["unsettled-call", "unsettled-call", "unsettled-call"],
    ),
    caseOf(
      "compaction_in_response",
      "a cut that names an end counts from the response that made the call",
      [
        ...turn("t1", user("Hello."), assistant("Hi.")),
        ...turn(
          "t2",
          user("Read a.txt."),
          assistant([declared("c1", "read_file", { path: "a.txt" })], { message_id: "m2" }),
          begun("c1"),
          settled("c1", "read_file", "one\n"),
          draft("compaction_applied", {
            status: "Context compacted.",
            summary: "They said hello.",
            first_kept_seq: 7,
          }),
          assistant("It says one.", { message_id: "m3" }),
        ),
      ],
    ),
    caseOf(
      "repeated_call_ids",
      "a provider that numbers its calls anew in each response",
      [
        ...turn("t1", user("What is in a.txt?"), ...readCall("m1", "a.txt"), assistant("One.")),
        ...turn("t2", user("And in b.txt?"), ...readCall("m2", "b.txt"), assistant("Two.")),
      ],
    ),
  ];
}

function readCall(message_id: string, path: string): NewEvent[] {
  return [
    call("call_0", "read_file", { path }, message_id),
    settled("call_0", "read_file", `the text of ${path}`, {
      input: { path },
      duration_ns: 412_000,
    }),
  ];
}

function bashEvents(): NewEvent[] {
  const command = "deno test --quiet";
  return [
    draft("bash_start", { call_id: "u1", command: "git status --short", origin: "user" }),
    draft("bash_end", {
      call_id: "u1",
      command: "git status --short",
      output: " M src/money.ts\n",
      exit_code: 0,
      status: "ok",
    }),
    ...turn(
      "t1",
      user("Do the tests pass?"),
      call("c1", "bash", { command }, "m1"),
      draft("bash_start", { call_id: "c1", summary: "Run the tests" }),
      draft("bash_end", {
        call_id: "c1",
        command,
        summary: "Run the tests",
        output: "FAILED | 11 passed | 1 failed (84ms)\n",
        error: "error: Test failed\n",
        exit_code: 1,
        status: "error",
        duration_ns: 1_284_000_000,
        truncated: true,
      }),
      assistant("One of twelve fails.", { message_id: "m2" }),
    ),
  ];
}

function diffEvents(): NewEvent[] {
  const path = "src/money.ts";
  return turn(
    "t1",
    user("Round half to even."),
    call("c1", "edit_file", { path }, "m1"),
    draft("diff", {
      call_id: "c1",
      path,
      lines: [
        { kind: "hunk", content: "@@ -7,3 +7,3 @@" },
        { kind: "context", old: 7, new: 7, content: "export function round(cents: number) {" },
        { kind: "removed", old: 8, content: "  return Math.round(cents);" },
        { kind: "added", new: 8, content: "  return halfToEven(cents);" },
        { kind: "context", old: 9, new: 9, content: "}" },
      ],
    }),
    settled("c1", "edit_file", "1 replacement"),
    assistant("Done.", { message_id: "m2" }),
  );
}

function endingCases(): LogCase[] {
  return [
    caseOf(
      "interrupted",
      "an answer and a call that the user cut off",
      [
        ...turn(
          "t1",
          user("Explain the importer."),
          assistant([
            { type: "text", text: "I look at it first." },
            declared("c1", "read_file", { path: "src/import.ts" }),
          ], { message_id: "m1" }),
          begun("c1"),
          settled("c1", "read_file", "", { status: "interrupted", error: "stopped by the user" }),
          draft("assistant_interrupted", {
            content: "The importer reads the file line by",
            message_id: "m2",
            reason: "user",
          }),
        ),
        ...turn("t2", user("Shorter, please."), assistant("It reads CSV.")),
      ],
    ),
    caseOf(
      "turn_failed",
      "one turn that an error ended, one that the user cancelled",
      [
        ...turn(
          "t1",
          user("Hello?"),
          draft("turn_failed", { reason: "error", message: "429: too many requests" }),
        ),
        ...turn(
          "t2",
          user("Hello again?"),
          draft("turn_failed", { reason: "cancelled", message: "cancelled by the user" }),
        ),
      ],
    ),
    caseOf("bash", "shell commands, by the user and by the model", bashEvents()),
    caseOf("diff", "the lines of a file change", diffEvents()),
    caseOf(
      "reasoning",
      "what the model thought, with the signature that goes back to its provider",
      turn(
        "t1",
        user("Is 2 027 prime?"),
        draft("reasoning_message", {
          content: "The square root is about 45, so primes up to 43 must be tried.",
          message_id: "m1",
          provider_data: { signature: "EqoBCkgIARABGAIiQL8=" },
        }),
        assistant("Yes.", { message_id: "m1", usage: { input: 12, output: 61, reasoning: 54 } }),
      ),
    ),
  ];
}

/** Every log about calls and how turns end. */
export function callCases(): LogCase[] {
  return [...pairingCases(), ...endingCases()];
}
