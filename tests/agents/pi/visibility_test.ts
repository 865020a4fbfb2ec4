import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { folderName } from "../../../lib/agents/pi/locate.ts";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { hiddenIn } from "../../_support/hidden_in.ts";

/** Puts a session into a folder of pi's. */
function put(home: CliHome, id: string, cwd: string, folder: string): string {
  const path = join(
    home.path,
    ".pi/agent/sessions",
    folder,
    `2026-11-21T20-00-00-000Z_${id}.jsonl`,
  );
  Deno.mkdirSync(dirname(path), { recursive: true });
  const timestamp = "2026-11-21T20:00:00.000Z";
  const lines = [
    { type: "session", version: 3, id, timestamp, cwd },
    {
      type: "message",
      id: "a1",
      parentId: null,
      timestamp,
      message: { role: "user", content: "Hi" },
    },
  ];
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
  return path;
}

inHome.test("pi's list leaves out sessions in folders of other or of gone directories", async (home) => {
  const gone = join(home.path, "gone");
  put(home, "aaaa1111", home.work, folderName(home.work));
  put(home, "cccc1111", home.work, "");
  const lost = put(home, "bbbb1111", gone, folderName(gone));
  const other = put(home, "dddd1111", home.work, "--other--");
  assert.deepEqual(await hiddenIn(home, "pi"), {
    sessions: 4,
    hidden: [
      ["bbbb1111", `the session's directory is gone: ${gone}`, `pi --fork ${lost}`],
      [
        "dddd1111",
        "the session's file is in another project's folder: --other--",
        `pi --session ${other}`,
      ],
    ],
  });
});
