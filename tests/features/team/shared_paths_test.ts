import assert from "node:assert/strict";
import { pathReplacer } from "../../../lib/features/team/push/shared_paths.ts";

const UNIX = pathReplacer(
  { project: "example.org/app", directory: "/home/ann/src/app", work_trees: ["/home/ann/app-2"] },
  "/home/ann",
);

Deno.test("paths below a project have its name, and others of the home begin with a tilde", () => {
  const cases = [
    ["/home/ann/src/app", "example.org/app"],
    ["cat /home/ann/src/app/a.ts:3", "cat example.org/app/a.ts:3"],
    ["in /home/ann/app-2.", "in example.org/app."],
    ["/home/ann/.ssh/config and /home/ann", "~/.ssh/config and ~"],
    ["file:///home/ann/x", "file://~/x"],
    ['{"path":"/home/ann/src/app"}', '{"path":"example.org/app"}'],
  ] as const;
  for (const [text, expected] of cases) assert.equal(UNIX(text), expected);
});

Deno.test("paths that only begin alike stay as they are", () => {
  const texts = ["/home/anna/x", "/home/ann-2", "/mnt/home/ann/x", "/home/ann.bak", "home/ann"];
  for (const text of texts) assert.equal(UNIX(text), text);
  assert.equal(UNIX("/home/ann/src/app2/x"), "~/src/app2/x");
});

Deno.test("paths of Windows are replaced in both forms", () => {
  const replace = pathReplacer(
    { project: "app", directory: "C:\\Users\\Ann\\app" },
    "C:\\Users\\Ann",
  );
  assert.equal(replace("C:\\Users\\Ann\\app\\a.ts"), "app\\a.ts");
  assert.equal(replace("C:/Users/Ann/app/a.ts, C:/Users/Ann/b"), "app/a.ts, ~/b");
});

Deno.test("a home or a directory that is a root replaces nothing", () => {
  const replace = pathReplacer({ project: "app", directory: "/" }, "");
  assert.equal(replace("/etc/passwd"), "/etc/passwd");
});
