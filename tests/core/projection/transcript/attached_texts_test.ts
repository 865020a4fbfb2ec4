import assert from "node:assert/strict";
import { attachedTexts } from "../../../../lib/core/projection/transcript/attached_texts.ts";
import type { Part } from "../../../../lib/core/event/message.ts";

function attached(...content: Part[]): [string, unknown][] {
  return attachedTexts({ content }).map(({ name, content }) => [name, content]);
}

function hidden(text: string, name?: string): Part {
  const part = { type: "text", text, audience: "model" } as const;
  return name === undefined ? part : { ...part, name };
}

Deno.test("an attached text is called by its name, its tag or its first line", () => {
  assert.deepEqual(attached(hidden("a\nb", "/w/notes.txt")), [["/w/notes.txt", "a\nb"]]);
  assert.deepEqual(attached(hidden("<environment_context>\n<cwd>/w</cwd>")), [
    ["environment context", "<environment_context>\n<cwd>/w</cwd>"],
  ]);
  assert.deepEqual(attached(hidden("# AGENTS.md instructions\n\nBe brief.")), [
    ["AGENTS.md instructions", "# AGENTS.md instructions\n\nBe brief."],
  ]);
});

Deno.test("the words around a named text are left out, and so is what other events show", () => {
  assert.deepEqual(attached(hidden("Called Read"), hidden("zebrafish", "notes.txt")), [
    ["notes.txt", "zebrafish"],
  ]);
  assert.deepEqual(attached(hidden("<user_shell_command>ls", "")), []);
});

Deno.test("a text that says in other words what the user sees is not attached", () => {
  const seen: Part = { type: "text", text: "/init now", audience: "user" };
  const told = "<command-name>/init</command-name>\n<command-args>now</command-args>";
  assert.deepEqual(attached(seen, hidden(told)), []);
  assert.deepEqual(attached(seen, hidden(`${told}\nLook at all files.`)).length, 1);
});

Deno.test("an image that only the model got is attached", () => {
  const image = {
    type: "image",
    media_type: "image/png",
    sha256: "",
    bytes: 1,
    path: "a.png",
  } as const;
  assert.deepEqual(attached({ ...image, audience: "model" }), [["a.png", [image]]]);
  assert.deepEqual(attached(image), []);
});
