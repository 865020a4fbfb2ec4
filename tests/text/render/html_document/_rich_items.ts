import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";

const BASE = { time: "2026-11-21T20:21:53.123Z", integrity: "verified" } as const;
const MARKDOWN = `# A heading

Some **bold**, *italic*, ~~gone~~ and \`code\` with a [link](https://example.com/docs?a=1&b=2) and [evil](javascript:alert(1)), image ![alt](https://evil.example/x.png).

### Skipped level

1. one
2. two
   - nested
   - [x] done
   - [ ] open

> A quote that is long enough to be wrapped on a phone and shows how the grey bar looks beside it.
> > nested

| Name | Value | What it does | Another column that is wide |
|---|--:|:-:|---|
| a | 1 | some words that are long enough | x |
| \`b\` | 1234 | y | ConcurrentModificationExceptionHandlerFactoryBean |

\`\`\`python
class A(Base):
    """Docs"""
    def f(self, x: int = 1) -> str:  # comment
        return f"{x:>10} {self.y!r}" if x else None
\`\`\`

\`\`\`json
{"a": [1, true, null], "b": "c"}
\`\`\`

\`\`\`diff
- old
+ new
@@ -1 +1 @@
\`\`\`

<details><summary>raw</summary></details>

---

Last paragraph. `;
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mP8z8BQz0AEYBxVSF+FABJADveWkH6oAAAAAElFTkSuQmCC";
/** Items that show what a page can show. */
export const RICH_ITEMS: readonly TranscriptItem[] = [
  {
    type: "message",
    role: "user",
    seq: 2,
    ...BASE,
    content: [
      {
        type: "text",
        text: "How would you write a parser?\n\nPlease show me:\n  - the code\n  - the tests",
      },
      { type: "image", media_type: "image/png", data: PNG, sha256: "", bytes: 90, path: "a.png" },
      { type: "image", media_type: "image/svg+xml", data: "PHN2Zz4=", sha256: "", bytes: 90 },
    ],
  },
  {
    type: "message",
    role: "assistant",
    seq: 3,
    ...BASE,
    content: MARKDOWN,
    model: "claude-opus-5",
  },
  {
    type: "tool",
    seq: 4,
    end_seq: 5,
    ...BASE,
    call_id: "c",
    name: "edit",
    input: {
      file_path: "src/a.ts",
      old_string: "const a = 1;\nconst b = 2;\nsame\n",
      new_string: "const a = 10;\nconst c = 2;\nsame\nmore\n",
      replace_all: false,
      edits: [{ a: 1 }],
    },
    status: "ok",
    output: "done",
    duration_ns: 12e6,
  },
  {
    type: "tool",
    seq: 6,
    ...BASE,
    call_id: "c",
    name: "mcp__a_very_long_server_name__and_a_very_long_tool_name_too",
    input: { query: "x".repeat(300) },
    status: "unsettled",
  },
  {
    type: "bash",
    seq: 8,
    ...BASE,
    call_id: "c",
    command: 'for f in *.ts; do\n  echo "$f" | grep -v test # skip\ndone',
    status: "error",
    exit_code: 2,
    output: "out\n".repeat(5),
    error: "bad",
    origin: "user",
    duration_ns: 72e9,
  },
  {
    type: "diff",
    seq: 9,
    ...BASE,
    path: "src/deep/er/path/to/some/file_name_that_is_long.ts",
    lines: [
      { kind: "hunk", content: "@@ -1,4 +1,5 @@" },
      { kind: "context", old: 1, new: 1, content: "function greet(name) {" },
      { kind: "removed", old: 2, content: "  return 'Hello ' + name + '!';" },
      { kind: "removed", old: 3, content: "  // gone" },
      {
        kind: "added",
        new: 2,
        content:
          "  return `Hello ${name}, how are you today? This is a long line that has to be wrapped`;",
      },
      { kind: "context", old: 4, new: 3, content: "}" },
      { kind: "added", new: 4, content: "// new" },
    ],
  },
  {
    type: "message",
    role: "user",
    seq: 10,
    ...BASE,
    integrity: "salvaged",
    content: "שלום עולם, a second prompt in another script \u202e evil",
  },
  { type: "failure", seq: 11, ...BASE, reason: "cancelled", message: "" },
  {
    type: "message",
    role: "assistant",
    seq: 12,
    ...BASE,
    interrupted: true,
    content: "I was about to",
  },
];
