import assert from "node:assert/strict";
import type { DiffItem, TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { readerDrawing } from "../../../lib/frontends/screens/item_drawing.ts";
import type { ScreenSettings } from "../../../lib/frontends/screens/screen.ts";

const BASE = { seq: 3, integrity: "verified", call_id: "c" } as const;
const DRAWING = readerDrawing({ color: false } as ScreenSettings, "/work");
const INPUT = { file_path: "/work/a.ts", old_string: "let one", new_string: "let two" };
const EDIT = { ...BASE, type: "tool", name: "Edit", input: INPUT, output: "now: let two" } as const;
const CHANGE: DiffItem = {
  ...{ ...BASE, type: "diff", path: "/work/a.ts" },
  lines: [{ kind: "context", content: "one" }, { kind: "removed", content: "let one" }, {
    kind: "added",
    content: "let two",
  }],
};

Deno.test("readerDrawing shows an edit once: by its change, else by its call", () => {
  const rows = DRAWING.rowsFor(80, "full");
  assert.deepEqual(rows({ ...EDIT, status: "ok" }, true, CHANGE), ["→ Edit a.ts · ok", ""]);
  assert.equal(rows(CHANGE, true).join("\n").match(/let two/g)?.length, 1);
  assert.match(rows({ ...EDIT, status: "ok" }, true).join("\n"), /new_string="let two"/);
  assert.match(rows({ ...EDIT, status: "error" }, true, CHANGE).join("\n"), /now: let two/);
});

Deno.test("readerDrawing copies the command, the new code or the fenced code of an item", () => {
  const code = (item: unknown): string => DRAWING.itemCode({ ...BASE, ...item as TranscriptItem });
  const said = (content: string): unknown => ({ type: "message", role: "assistant", content });
  assert.equal(code({ type: "bash", command: "ls -l", status: "ok" }), "ls -l");
  assert.equal(code(CHANGE), "one\nlet two");
  assert.equal(code(said("Run:\n```sh\nls\n```\nor\n~~~\na ``` b\n~~~~\n")), "ls\n\na ``` b");
  assert.equal(code(said("- it\n  ```\n  open\n  end")), "  open\n  end");
  assert.equal(code(said("No code, only `words`.")), "");
  assert.equal(code({ ...EDIT, status: "ok", input: { content: "let b" } }), "let b");
});
