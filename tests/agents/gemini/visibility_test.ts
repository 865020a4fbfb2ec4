import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { pathHash } from "../../../lib/agents/gemini/project_root.ts";
import { CliHome } from "../../_support/cli_home.ts";
import { hiddenIn } from "../../_support/hidden_in.ts";

function idOf(digit: string): string {
  return `${digit.repeat(8)}-0000-4000-8000-000000000000`;
}

/** Puts a chat into the folder of a project. */
function put(home: CliHome, folder: string, id: string, projectHash: string): void {
  const name = `session-2026-11-21T20-47-${id.slice(0, 8)}.jsonl`;
  const path = join(home.path, ".gemini/tmp", folder, "chats", name);
  Deno.mkdirSync(dirname(path), { recursive: true });
  const [startTime, timestamp] = ["2026-11-21T20:47:00.000Z", "2026-11-21T20:47:01.000Z"];
  const lines = [
    { sessionId: id, projectHash, startTime, lastUpdated: startTime, kind: "main" },
    { id: "m1", timestamp, type: "user", content: [{ text: "Go" }] },
    { id: "m2", timestamp, type: "gemini", content: "Yes", thoughts: [], model: "m" },
  ];
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
}

Deno.test("Gemini CLI's list leaves out chats of folders and hashes of other directories", async () => {
  await using home = new CliHome();
  const gone = join(home.path, "gone");
  const hash = pathHash(home.work);
  const [listed, copied, lost, orphan] = ["1", "2", "3", "4"].map(idOf) as [
    string,
    string,
    string,
    string,
  ];
  put(home, "work", listed, hash);
  put(home, "work", copied, pathHash("/other"));
  put(home, "gone", lost, pathHash(gone));
  put(home, pathHash("/unknown"), orphan, pathHash("/unknown"));
  Deno.writeTextFileSync(
    join(home.path, ".gemini/projects.json"),
    JSON.stringify({ projects: { [home.work]: "work", [gone]: "gone" } }),
  );
  assert.deepEqual(await hiddenIn(home, "gemini"), {
    sessions: 4,
    hidden: [
      [copied, `its project hash is that of another directory than ${home.work}`],
      [lost, `its directory is gone: ${gone}`],
      [orphan, `nothing names the directory of its folder: ${pathHash("/unknown")}`],
    ],
  });
});
