import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { pathHash } from "../../../lib/agents/gemini/project_root.ts";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { hiddenIn } from "../../_support/hidden_in.ts";

function idOf(digit: string): string {
  return `${digit.repeat(8)}-0000-4000-8000-000000000000`;
}

/** Puts a chat into the folder of a project. */
function put(
  home: CliHome,
  folder: string,
  id: string,
  { kind = "main", projectHash = pathHash(home.work), said = true },
): void {
  const name = `session-2026-11-21T20-47-${id.slice(0, 8)}.jsonl`;
  const path = join(home.path, ".gemini/tmp", folder, "chats", name);
  Deno.mkdirSync(dirname(path), { recursive: true });
  const [startTime, timestamp] = ["2026-11-21T20:47:00.000Z", "2026-11-21T20:47:01.000Z"];
  const lines = [
    { sessionId: id, projectHash, startTime, lastUpdated: startTime, kind },
    ...(said
      ? [
        { id: "m1", timestamp, type: "user", content: [{ text: "Go" }] },
        { id: "m2", timestamp, type: "gemini", content: "Yes", thoughts: [], model: "m" },
      ]
      : [{ id: "m1", timestamp, type: "info", content: "Welcome" }]),
  ];
  Deno.writeTextFileSync(path, lines.map((line) => JSON.stringify(line) + "\n").join(""));
}

inHome.test("Gemini CLI's list leaves out other folders, subagents, and chats without message or hash", async (home) => {
  const gone = join(home.path, "gone");
  const unknown = pathHash("/unknown");
  put(home, "work", idOf("1"), {});
  put(home, "work", idOf("2"), { projectHash: pathHash("/other") });
  put(home, "work", idOf("3"), { projectHash: "" });
  put(home, "work", idOf("4"), { kind: "subagent" });
  put(home, "work", idOf("5"), { said: false });
  put(home, "gone", idOf("6"), {});
  put(home, unknown, idOf("7"), {});
  Deno.writeTextFileSync(
    join(home.path, ".gemini/projects.json"),
    JSON.stringify({ projects: { [home.work]: "work", [gone]: "gone" } }),
  );
  assert.deepEqual(await hiddenIn(home, "gemini"), {
    sessions: 7,
    hidden: [
      [
        idOf("3"),
        "the file's project hash (projectHash) does not match the session's directory, so Gemini CLI does not list the session",
      ],
      [idOf("4"), "the session belongs to a subagent"],
      [idOf("5"), "the session has no messages"],
      [idOf("6"), `the session's directory is gone: ${gone}`],
      [
        idOf("7"),
        `Gemini CLI has no file that records which project directory the session's folder belongs to: ${unknown}`,
      ],
    ],
  });
});
