import assert from "node:assert/strict";
import {
  addContentBytes,
  type ContentBytes,
  contentShares,
} from "../../../lib/core/projection/content_bytes.ts";
import { draft, knownEvents } from "../../_support/known_events.ts";

Deno.test("contentShares counts attached data as images, and the rest by the kind of its event", () => {
  const data = "QUJD".repeat(100);
  const image = { type: "image", media_type: "image/png", data, sha256: "", bytes: 300 } as const;
  const result = { call_id: "c", name: "read", status: "ok", output: [image] } as const;
  const events = knownEvents([
    draft("user_message", { content: "é".repeat(50) }),
    draft("tool_end", { ...result, output: [...result.output] }),
  ]);
  const sum: ContentBytes = {};
  addContentBytes(sum, events);
  assert.deepEqual(contentShares(sum), [
    { kind: "images", bytes: data.length },
    {
      kind: "results",
      bytes: JSON.stringify({ ...result, output: [{ ...image, data: "" }] }).length,
    },
    { kind: "prompts", bytes: '{"content":""}'.length + 100 },
  ]);
});
