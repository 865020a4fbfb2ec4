import assert from "node:assert/strict";
import fc from "npm:fast-check@4.10.2";
import type {
  Message,
  Part,
  ToolCallPart,
  ToolResultPart,
} from "../../../../lib/core/event/message.ts";
import {
  pairCalls,
  UNSETTLED_OUTPUT,
} from "../../../../lib/core/projection/conversation/paired_messages.ts";
import { hostileMessages, PROPERTY_RUNS } from "../../../_support/hostile_messages.ts";
import { plainFaults } from "../../../_support/provider_rules.ts";

function call(call_id: string, name = "read"): ToolCallPart {
  return { type: "tool_call", call_id, name, input: { of: call_id } };
}

function result(call_id: string, output: string): ToolResultPart {
  return { type: "tool_result", call_id, name: "read", status: "ok", output };
}

function unsettled(call_id: string): ToolResultPart {
  return { ...result(call_id, UNSETTLED_OUTPUT), status: "error" };
}

function assistant(...content: Part[]): Message {
  return { role: "assistant", content };
}

function tool(...content: Part[]): Message {
  return { role: "tool", content };
}

Deno.test("pairCalls keeps one part object apart that stands in two messages", () => {
  const same = call("c1");
  assert.deepEqual(
    pairCalls([assistant(same), tool(result("c1", "one")), assistant(same)]),
    [assistant(same), tool(result("c1", "one")), assistant(same), tool(unsettled("c1"))],
  );
});

Deno.test("pairCalls is no slower by the call when one id is used for all", () => {
  const messages: Message[] = [];
  for (let index = 0; index < 20_000; index++) messages.push(assistant(call("c1")));
  for (let index = 0; index < 20_000; index++) messages.push(tool(result("c1", `${index}`)));
  const paired = pairCalls(messages);
  assert.equal(paired.length, 40_000);
  assert.deepEqual(paired[1], tool(result("c1", "19999")));
});

Deno.test("pairCalls pairs any conversation, changes nothing else, and nothing twice", () => {
  fc.assert(
    fc.property(hostileMessages, (messages) => {
      const before = structuredClone(messages);
      const paired = pairCalls(messages);
      assert.deepEqual(messages, before, "the input was changed");
      // Halves of surrogate pairs may stay: the pairing is about parts.
      assert.deepEqual(plainFaults(paired).filter((fault) => !fault.includes("surrogate")), []);
      assert.deepEqual(pairCalls(paired), paired, "a second pairing changed something");
      assert.deepEqual(callsOf(paired), callsOf(messages), "a call was lost");
      assert.deepEqual(resultsOf(paired), expectedResults(messages));
    }),
    PROPERTY_RUNS,
  );
});

function partsOf(message: Message): Part[] {
  return typeof message.content === "string" ? [] : message.content;
}

function callsOf(messages: Message[]): Part[] {
  return messages.filter(({ role }) => role === "assistant").flatMap(partsOf)
    .filter(({ type }) => type === "tool_call");
}

function resultsOf(messages: Message[]): Part[] {
  return messages.flatMap(partsOf).filter(({ type }) => type === "tool_result");
}

/** The rule by exhaustion: for each result, look at every call before it. */
function expectedResults(messages: Message[]): Part[] {
  const calls: { at: number; call: ToolCallPart; result?: ToolResultPart }[] = [];
  messages.forEach((message, at) => {
    for (const part of partsOf(message)) {
      if (part.type === "tool_call" && message.role === "assistant") calls.push({ at, call: part });
      if (part.type !== "tool_result") continue;
      const open = calls.filter((entry) =>
        entry.result === undefined && entry.call.call_id === part.call_id
      );
      const latest = Math.max(...open.map((entry) => entry.at));
      const match = open.find((entry) => entry.at === latest);
      if (match !== undefined) match.result = part;
    }
  });
  return calls.map(({ call: { call_id, name }, result }) =>
    result ?? { ...unsettled(call_id), name }
  );
}
