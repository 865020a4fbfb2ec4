/** A host that answers without end: a script in the place of `sftp`, by its batch mode. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { openSftpStore } from "../../../../lib/features/team/sftp/sftp_store.ts";
import { needing, UNIX } from "../../../_support/needing.ts";
import { withDirectory } from "../../../_support/temp_directory.ts";

/** A script that answers `ls` by a statement, with the folder's path as `$path`. */
function program(statement: string): string {
  return `#!/bin/bash
while read -r line; do
  echo "sftp> $line"
  path=\${line#-ls -l \\"}; path=\${path%/\\"}
  case $line in -ls*) ${statement};; *lpwd*) echo "Local working directory: /";; esac
done
`;
}

/** Prints a line of `ls -l`. */
function entry(kind: "-" | "d", name: string): string {
  return `echo "${kind}rw-r--r--    1 u g 10 Nov 28 10:00 ${name}"`;
}

const CASES: Record<string, [statement: string, outcome: string[] | string]> = {
  "a file": [entry("-", "a b/one"), ["v1/heads/one"]],
  "a folder in each folder": [`${entry("d", "a")}; ${entry("-", "x")}`, [
    ...Array.from({ length: 6 }, (_, depth) => `v1/heads/${"a/".repeat(depth)}x`),
  ]],
  "the folder itself and the one above": [
    `${entry("d", ".")}; ${entry("d", "..")}; ${entry("-", "x")}`,
    ["v1/heads/x"],
  ],
  "lines without end": [`yes -- "$(${entry("-", "x")})"`, "too-large"],
  "a line without end": [`yes | tr -d '\\n'`, "too-large"],
  "a line that makes a pattern try again": [
    `yes ' 1 a' | head -c 60000 | tr -d '\\n' | sed 's/^/-rwxrwxrwx/'; echo`,
    [],
  ],
};

// Slow: each host is a process, and two of them answer 64 MiB.
Deno.test({
  ...needing("a host that lists without end is left, and what no store has is passed over", UNIX),
  fn: () =>
    withDirectory(async (folder) => {
      for (const [name, [statement, expected]] of Object.entries(CASES)) {
        const script = join(folder, "sftp");
        Deno.writeTextFileSync(script, program(statement), { mode: 0o755 });
        const place = { program: script, target: ["host"], folder: "s", url: "ssh://host/s" };
        await using store = openSftpStore(place);
        const found: string[] = [];
        const listing = (async (): Promise<void> => {
          for await (const page of store.list("v1/heads/")) {
            for (const { key } of page) found.push(key);
          }
        })();
        if (typeof expected === "string") await assert.rejects(listing, { code: expected }, name);
        else await listing;
        assert.deepEqual(found, typeof expected === "string" ? [] : expected, name);
      }
    }),
});
