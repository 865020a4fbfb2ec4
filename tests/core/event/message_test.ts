import assert from "node:assert/strict";
import { contentText } from "../../../lib/core/event/message.ts";

Deno.test("contentText joins text parts by an empty line and passes over all others", () => {
  assert.equal(contentText("as it is"), "as it is");
  assert.equal(contentText([]), "");
  assert.equal(
    contentText([
      { type: "text", text: "a" },
      { type: "reasoning", text: "hidden" },
      { type: "image", media_type: "image/png", data: "AA==", sha256: "", bytes: 1 },
      { type: "tool_call", call_id: "c", name: "n", input: {} },
      { type: "text", text: "b" },
    ]),
    "a\n\nb",
  );
});
