/**
 * Arbitrary conversations as other agents and torn logs give them: orphans, calls without results,
 * ids that repeat, roles out of turn, blank texts, halves of surrogate pairs.
 */
import fc from "npm:fast-check@4.10.2";
import type { Message, Part } from "../../lib/core/event/message.ts";
import { ALL_TORTURE } from "./torture.ts";
import { codePoint } from "./code_point.ts";

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
  fc.constantFrom(
    "",
    " ",
    "\n\t",
    "\u0085",
    "\x1c",
    "ends with space \n",
    "\ud800",
    "a\udc00b",
    "😀",
  ),
);
/** Few, so that they repeat; some that no provider takes. */
const callId = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("c1", "c2", "c3") },
  fc.constantFrom(
    "",
    "c.1",
    "c_1",
    "c1_2",
    "call|fc",
    "\ud800",
    "\udfff",
    "x".repeat(90),
    "__proto__",
  ),
  fc.string({ unit: codePoint, maxLength: 6 }),
);
const toolName = fc.oneof(
  fc.constantFrom("read", "bash", "mcp.read", "", "n".repeat(100), "\ud800"),
  fc.string({ maxLength: 8 }),
);
const input = fc.oneof(
  fc.constant({ path: "a.ts" }),
  fc.constant(JSON.parse('{"__proto__":{"x":1},"\\ud800":1,"\\udfff":2,"\\ufffd":3}')),
  fc.jsonValue({ stringUnit: codePoint, maxDepth: 3 }),
);
const seal = fc.oneof(
  fc.constantFrom(
    undefined,
    null,
    "signature",
    {},
    { signature: "c2ln" },
    { signature: "" },
    { type: "thinking", signature: "c2ln" },
    { type: "redacted_thinking", data: "ZGF0YQ==" },
    { type: "redacted_thinking" },
    { type: "reasoning_content" },
    { anthropic: { signature: "c2ln" } },
    { anthropic: { redactedData: "ZGF0YQ==" } },
    { openai: { itemId: "rs_1", reasoningEncryptedContent: null } },
  ),
  fc.jsonValue({ stringUnit: codePoint, maxDepth: 2 }),
);
const attachment = fc.record({
  type: fc.constantFrom("image" as const, "file" as const),
  media_type: fc.constantFrom(
    "image/png",
    "IMAGE/JPG",
    "image/svg+xml",
    "application/pdf",
    "",
    "\ud800",
  ),
  data: fc.constantFrom("iVBORw0KGgo=", "JVBERi0xLjc=", "", "no base64!", "a"),
  path: fc.constantFrom("/home/a/b.png", "C:\\x\\y.pdf", "/", "\udc00"),
  sha256: fc.constant(""),
  bytes: fc.nat(),
}, { requiredKeys: ["type", "media_type", "sha256", "bytes"] });

const part: fc.Arbitrary<Part> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ type: fc.constant("text" as const), text }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("reasoning" as const), text, provider_data: seal }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("tool_call" as const),
      call_id: callId,
      name: toolName,
      input,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      type: fc.constant("tool_result" as const),
      call_id: callId,
      name: toolName,
      status: fc.constantFrom("ok", "error", "interrupted", "skipped"),
      output: text,
    }),
  },
  { weight: 1, arbitrary: attachment as fc.Arbitrary<Part> },
);

/** Any conversation. */
export const hostileMessages: fc.Arbitrary<Message[]> = fc.array(
  fc.record({
    role: fc.constantFrom("assistant", "tool", "user", "assistant", "tool", "system"),
    content: fc.oneof(text, { weight: 4, arbitrary: fc.array(part, { maxLength: 6 }) }),
  }) as fc.Arbitrary<Message>,
  { maxLength: 12 },
  // Plain objects: what is compared with them has a prototype.
).map((messages) => structuredClone(messages));

/** Runs that find what there is to find within a second, the same each time. */
export const PROPERTY_RUNS = { seed: 20261121, numRuns: ALL_TORTURE ? 500 : 125 };
