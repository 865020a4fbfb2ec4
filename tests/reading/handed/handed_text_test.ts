import assert from "node:assert/strict";
import { handedText } from "../../../lib/reading/handed/handed_text.ts";

Deno.test("an image is a line that names it where a session holds texts alone", () => {
  const image = { type: "image", media_type: "image/png", data: "iVBORw0KGgo=" } as const;
  const text = (words: string) => ({ type: "text", text: words }) as const;
  assert.equal(
    handedText([text("before"), image, text("behind")]),
    "before\n[image (image/png): not handed over]\nbehind",
  );
  assert.equal(handedText([]), "");
});
