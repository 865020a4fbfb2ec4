import assert from "node:assert/strict";
import type { DiffItem, TranscriptItem } from "../../lib/projection/transcript/transcript_item.ts";
import { readerDrawing } from "../../lib/screens/item_drawing.ts";
import type { ScreenSettings } from "../../lib/screens/screen.ts";

const DRAWING = readerDrawing(
  { color: false, format_time: (iso: string) => iso } as ScreenSettings,
  "/work",
);
const BASE = { seq: 3, integrity: "verified" } as const;
const EDIT = {
  ...{ type: "tool", ...BASE, call_id: "c", name: "Edit", status: "ok" },
  input: { file_path: "/work/a.ts", old_string: "let one", new_string: "let two" },
  output: "The file was edited:\n1 let two",
} as const satisfies TranscriptItem;
const CHANGE: DiffItem = {
  ...BASE,
  ...{ type: "diff", call_id: "c", path: "/work/a.ts" },
  lines: [
    { kind: "context", old: 6, new: 6, content: "one" },
    { kind: "removed", old: 7, content: "let one" },
    { kind: "added", new: 7, content: "let two" },
  ],
};

Deno.test("readerDrawing shows an edit once: by its change, else by its call", () => {
  const rows = DRAWING.rowsFor(60, "full");
  assert.deepEqual(rows(EDIT, true, CHANGE), ["→ Edit a.ts · ok", ""]);
  assert.equal(rows(CHANGE, true).join("\n").match(/let two/g)?.length, 1);
  assert.match(rows(EDIT, true).join("\n"), /new_string="let two"/);
  const failed = { ...EDIT, status: "error" } as const;
  assert.match(rows(failed, true, CHANGE).join("\n"), /The file was edited/);
});

Deno.test("readerDrawing copies the command, the new code or the fenced code of an item", () => {
  const code = (item: unknown): string => DRAWING.itemCode({ ...BASE, ...item as TranscriptItem });
  const said = (content: string): unknown => ({ type: "message", role: "assistant", content });
  assert.equal(code({ type: "bash", call_id: "c", command: "ls -l", status: "ok" }), "ls -l");
  assert.equal(code(CHANGE), "one\nlet two");
  assert.equal(code(said("Run:\n```sh\nls\n```\nor\n~~~\na ``` b\n~~~~\n")), "ls\n\na ``` b");
  assert.equal(code(said("- it\n  ```\n  open\n  end")), "  open\n  end");
  assert.equal(code(said("No code, only `words`.")), "");
  const write = { ...EDIT, input: { path: "b", content: "let b" } };
  assert.equal(code(write), "let b");
});
