import assert from "node:assert/strict";
import { contentFor, outputText, textFor } from "../../../lib/core/event/audience.ts";
import type { Part } from "../../../lib/core/event/message.ts";

Deno.test("contentFor leaves out what is for the other audience, and the marks", () => {
  const both: Part = { type: "text", text: "both" };
  const content: Part[] = [
    { type: "text", text: "u", audience: "user" },
    both,
    { type: "reasoning", text: "m", audience: "model" },
  ];
  assert.equal(contentFor(content, "user").length, 2);
  assert.deepEqual(contentFor(content, "model"), [both, { type: "reasoning", text: "m" }]);
  assert.deepEqual(contentFor([{ type: "text", text: "u", audience: "user" }], "model"), []);
});

Deno.test("contentFor gives what everybody gets as it is", () => {
  const content: Part[] = [{ type: "text", text: "a" }];
  assert.equal(contentFor(content, "user"), content);
  assert.equal(contentFor("a", "model"), "a");
});

Deno.test("contentFor makes one text of those that continue, and keeps data of a provider", () => {
  const content: Part[] = [
    { type: "text", text: "a", audience: "model" },
    { type: "text", text: "b", continues: true },
    { type: "text", text: "c" },
    { type: "text", text: "d", continues: true, audience: "user" },
  ];
  assert.deepEqual(contentFor(content, "model"), [
    { type: "text", text: "ab" },
    { type: "text", text: "c" },
  ]);
  assert.deepEqual(contentFor(content, "user"), [
    { type: "text", text: "b" },
    { type: "text", text: "cd" },
  ]);
  const apart: Part[] = [
    { type: "text", text: "Said." },
    { type: "text", text: "Output:\n", audience: "model" },
    { type: "text", text: "12", continues: true },
  ];
  assert.deepEqual(contentFor(apart, "user"), [
    { type: "text", text: "Said." },
    { type: "text", text: "12" },
  ]);
  assert.deepEqual(
    contentFor([{ type: "text", text: "a", audience: "model", provider_data: 1 }], "model"),
    [{ type: "text", text: "a", provider_data: 1 }],
  );
  // What continues is not the caller's any more.
  assert.deepEqual(content[2], { type: "text", text: "c" });
});

Deno.test("textFor stores what both get once", () => {
  const cases: [string, string][] = [
    ["12", "12"],
    ["12", "Output:\n12\nexit 0"],
    ["12", "12!"],
    ["Output:\n12", "12"],
    ["12", "13"],
    ["", "12"],
    ["12", ""],
    ["", ""],
  ];
  for (const [shown, sent] of cases) {
    const content = textFor(shown, sent);
    const for_user = contentFor(content, "user");
    const for_model = contentFor(content, "model");
    assert.equal(for_user.length === 0 ? "" : for_user, shown);
    assert.equal(for_model.length === 0 ? "" : for_model, sent);
    const stored = typeof content === "string" ? content : content.map(({ text }) => text).join("");
    const contained = shown.includes(sent) || sent.includes(shown);
    const least = contained ? Math.max(shown.length, sent.length) : shown.length + sent.length;
    assert.equal(stored.length, least);
  }
});

Deno.test("outputText says values as JSON, and names files", () => {
  const image = {
    type: "image" as const,
    media_type: "image/png",
    sha256: "",
    bytes: 1,
    path: "/a",
  };
  assert.equal(
    outputText([
      { type: "text", text: "a", audience: "user" },
      { type: "json", value: [1] },
      image,
    ]),
    "a\n[1]\n[image: image/png, /a]",
  );
  assert.equal(outputText([{ type: "text", text: "a", audience: "user" }], "model"), "");
});
