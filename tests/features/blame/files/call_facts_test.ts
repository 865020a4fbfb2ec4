import assert from "node:assert/strict";
import { mayWrite } from "../../../../lib/features/blame/files/call_facts.ts";

Deno.test("commands that only read change no file, and all others may", () => {
  const readers = [
    ...["cat a.ts", "git diff a.ts", "cd src && git add a.ts && git status", "rg -n 'x' a.ts"],
    "head -20 a.ts",
  ];
  for (const command of readers) assert.equal(mayWrite(command), false, command);
  const writers = [
    ...["sed -i s/a/b/ a.ts", "cat b.ts > a.ts", "git checkout a.ts", "git commit -m x a.ts", ""],
    ...[
      "cat a.ts | tee b.ts",
      "cat a.ts; rm a.ts",
      "cat $(rm a.ts)",
      "cat `rm a.ts`",
      "catalog a.ts",
    ],
    ...["cat a.ts && rm a.ts", "cat a.ts\nrm a.ts", "cat a.ts & rm a.ts", "deno fmt a.ts"],
    "git diff --output=a.ts",
  ];
  for (const command of writers) assert.equal(mayWrite(command), true, command);
});
