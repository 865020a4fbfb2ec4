import assert from "node:assert/strict";
import { join } from "node:path";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { hiddenIn } from "../../_support/hidden_in.ts";

const LISTED = "1767225600000";
const MISSING = "1767225700000";

/** Makes two tasks, and the list of tasks if its text is given. */
function makeTasks(home: CliHome, list?: string): string {
  const data = join(home.path, ".cline/data");
  for (const id of [LISTED, MISSING]) {
    const folder = join(data, "tasks", id);
    Deno.mkdirSync(folder, { recursive: true });
    const talk = [{ role: "user", content: [{ type: "text", text: "<task>Say yes</task>" }] }];
    Deno.writeTextFileSync(join(folder, "api_conversation_history.json"), JSON.stringify(talk));
  }
  const path = join(data, "state", "taskHistory.json");
  if (list !== undefined) {
    Deno.mkdirSync(join(data, "state"), { recursive: true });
    Deno.writeTextFileSync(path, list);
  }
  return path;
}

inHome.test("Cline's list leaves out tasks that its history lacks", async (home) => {
  const path = makeTasks(home, JSON.stringify([{ id: LISTED, task: "Say yes", ts: 1 }]));
  assert.deepEqual(await hiddenIn(home, "cline"), {
    sessions: 2,
    hidden: [[MISSING, `Cline's list of tasks does not contain this task: ${path}`]],
  });
});

inHome.test("tasks of Cline are not told as hidden where no list of them is", async (home) => {
  makeTasks(home);
  assert.deepEqual(await hiddenIn(home, "cline"), { sessions: 2, hidden: [] });
});

inHome.test("a damaged list of Cline's hides all tasks", async (home) => {
  const path = makeTasks(home, '[{"id":"17');
  const reason = `Cline's list of tasks is damaged: ${path}`;
  const { sessions, hidden } = await hiddenIn(home, "cline");
  assert.deepEqual([sessions, [...hidden].sort()], [2, [[LISTED, reason], [MISSING, reason]]]);
});
