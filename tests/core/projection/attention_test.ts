import assert from "node:assert/strict";
import type { Activity } from "../../../lib/core/projection/activity.ts";
import {
  type AttentionFacts,
  attentionOf,
  byAttention,
} from "../../../lib/core/projection/attention.ts";

const asks = { AskUserQuestion: "question", ExitPlanMode: "plan" } as const;
const QUIET: AttentionFacts = { asks, silent_ms: 0 };
const CALL: Activity = { state: "running", text: "", tool: "Bash", input: { command: "make" } };
const ASK: Activity = {
  ...{ state: "running", text: "", tool: "AskUserQuestion" },
  input: { questions: [{ question: "Which port?", header: "Port" }, { question: "Which host?" }] },
};

function waits(kind: string, text = "", certain = true): object {
  return { state: "waits", wait: { kind, text, certain } };
}

Deno.test("attention names what a session waits for", () => {
  const cases: [string, Activity, Partial<AttentionFacts>, object][] = [
    ["an open call", CALL, {}, { state: "working" }],
    ["a silent call", CALL, { silent_ms: 60_000 }, waits("permission", "", false)],
    ["a call that began", CALL, { silent_ms: 60_000, tells_begin: true }, { state: "working" }],
    ["a call that did not begin", { ...CALL, state: "asking" }, {}, waits("permission")],
    ["a question", ASK, {}, waits("question", "Which port? / Which host?")],
    ["a question that is being written", { ...ASK, input: {} }, {}, { state: "working" }],
    [
      "a plan",
      { ...CALL, tool: "ExitPlanMode", input: { plan: "First this" } },
      {},
      waits("plan", "First this"),
    ],
    ["a tool called constructor", { ...CALL, tool: "constructor" }, {}, { state: "working" }],
    ["an answer", { state: "answering", text: "Fix it" }, {}, { state: "working" }],
    ["the end of a turn", { state: "waiting", text: "Done" }, {}, { state: "quiet" }],
    ["a thought", { state: "waiting", text: "" }, { silent_ms: 60_000 }, { state: "working" }],
    [
      "an answer without its calls",
      { state: "waiting", text: "" },
      { silent_ms: 60_000, tells_ended_calls: true },
      waits("input", "", false),
    ],
    ["a stopped turn", { state: "interrupted", text: "" }, {}, { state: "quiet" }],
    ["a failure", { state: "failed", text: "no network" }, {}, { state: "failed" }],
    [
      "a limit",
      { state: "failed", text: "Usage limit reached, resets 3pm" },
      {},
      waits("limit", "Usage limit reached, resets 3pm"),
    ],
    [
      "an error for a person",
      { state: "failed", text: "Invalid API key · Please run /login" },
      {},
      waits("error", "Invalid API key · Please run /login"),
    ],
  ];
  for (const [name, activity, facts, expected] of cases) {
    assert.deepEqual(attentionOf(activity, { ...QUIET, ...facts }), expected, name);
  }
});

Deno.test("attention takes the agent's own record before a guess", () => {
  const told = (state: "waits" | "working" | "quiet", waits_for?: string): AttentionFacts => ({
    ...{ asks, silent_ms: 60_000 },
    told: { state, waits_for },
  });
  const cases: [string, Activity, AttentionFacts, object][] = [
    ["a long command", CALL, told("working"), { state: "working" }],
    ["a prompt for permission", CALL, told("waits", "permission prompt"), waits("permission")],
    [
      "a question",
      ASK,
      told("waits", "input needed"),
      waits("question", "Which port? / Which host?"),
    ],
    [
      "a question without its call",
      { state: "answering", text: "" },
      told("waits", "input needed"),
      waits("input", "input needed"),
    ],
    ["a turn that is over", CALL, told("quiet"), { state: "quiet" }],
  ];
  for (const [name, activity, facts, expected] of cases) {
    assert.deepEqual(attentionOf(activity, facts), expected, name);
  }
});

Deno.test("sessions that wait come first, then failed, working and quiet ones", () => {
  const states = ["quiet", "working", "waits", "failed"] as const;
  const sorted = states.map((state) => ({ state })).sort(byAttention).map(({ state }) => state);
  assert.deepEqual(sorted, ["waits", "failed", "working", "quiet"]);
});
