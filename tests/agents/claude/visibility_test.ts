import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type CliHome, inHome } from "../../_support/cli_home.ts";
import { hiddenIn } from "../../_support/hidden_in.ts";

type Json = Record<string, unknown>;

function idOf(digit: string): string {
  return `${digit.repeat(8)}-2222-4333-8444-555555555555`;
}

/** Puts records where Claude Code keeps a session of a directory. */
function put(home: CliHome, name: string, cwd: string, records: Json[], folder = cwd): void {
  const slug = folder.replace(/[^a-zA-Z0-9]/g, "-");
  const path = join(home.path, ".claude", "projects", slug, `${name}.jsonl`);
  Deno.mkdirSync(dirname(path), { recursive: true });
  const common = {
    sessionId: name,
    cwd,
    timestamp: "2026-11-21T20:00:00.000Z",
    version: "2.1.330",
  };
  const lines = records.map((record, index) =>
    JSON.stringify({
      ...{
        uuid: `u${index}`,
        parentUuid: index === 0 ? null : `u${index - 1}`,
        isSidechain: false,
      },
      ...common,
      ...record,
    })
  );
  Deno.writeTextFileSync(path, lines.join("\n") + "\n");
}

function said(content: unknown): Json {
  return { type: "user", message: { role: "user", content } };
}

function answered(text: string): Json {
  return { type: "assistant", message: { role: "assistant", content: [{ type: "text", text }] } };
}

inHome.test("Claude Code's list leaves out sessions of directories that are gone, or of another folder", async (home) => {
  const gone = join(home.path, "gone");
  put(home, idOf("1"), home.work, [said("Listed"), answered("Yes")]);
  put(home, idOf("2"), gone, [said("Moved"), answered("Yes")]);
  put(home, idOf("3"), home.work, [said("Copied"), answered("Yes")], "/other/project");
  assert.deepEqual(await hiddenIn(home, "claude"), {
    sessions: 3,
    hidden: [
      [idOf("2"), `the session's directory is gone: ${gone}`, `claude --resume ${idOf("2")}`],
      [
        idOf("3"),
        "the session's file is in another project's folder: -other-project",
        `claude --resume ${idOf("3")}`,
      ],
    ],
  });
});

inHome.test("a relinked session is where Claude Code does not look for it", async (home) => {
  const gone = join(home.path, "gone");
  put(home, idOf("2"), gone, [said("Moved"), answered("Yes")]);
  assert.equal((await home.run(["relink", gone, home.work])).status, 0);
  const [[, reason] = []] = (await hiddenIn(home, "claude")).hidden;
  assert.match(reason ?? "", /^the session's file is in another project's folder: .*gone$/);
});

inHome.test("Claude Code's list leaves out subagents' files and sessions without a title", async (home) => {
  const { work } = home;
  put(home, idOf("1"), work, [{ ...said("Task"), isSidechain: true }, said("Go"), answered("Yes")]);
  put(home, idOf("2"), work, [
    said("<local-command-stdout>x</local-command-stdout>"),
    answered("Hm"),
  ]);
  put(home, idOf("3"), work, [said("<tick>"), answered("Hm"), { type: "ai-title", aiTitle: "T" }]);
  put(home, "agent-a1", work, [
    { ...said("Task"), isSidechain: true, agentId: "a1" },
    answered("A"),
  ]);
  put(home, "renamed", work, [said("Go"), answered("Yes")]);
  const resume = (id: string): string => `cd ${work} && claude --resume ${id}`;
  assert.deepEqual(await hiddenIn(home, "claude"), {
    sessions: 5,
    hidden: [
      [idOf("1"), "the session's first record belongs to a subagent", resume(idOf("1"))],
      [
        idOf("2"),
        "the file has no title or prompt in its first and last 64 KiB",
        resume(idOf("2")),
      ],
      ["agent-a1", "the session belongs to a subagent whose parent session no longer exists"],
      ["renamed", "the file name is not a session id: renamed"],
    ],
  });
});

inHome.test("a prompt behind the first 64 KiB does not show a session", async (home) => {
  const notes = Array.from({ length: 200 }, () => answered("n".repeat(1000)));
  put(home, idOf("1"), home.work, [...notes.slice(0, 100), said("Late"), ...notes.slice(100)]);
  const [[, reason] = []] = (await hiddenIn(home, "claude")).hidden;
  assert.match(reason ?? "", /^the file has no title or prompt/);
});

inHome.test("Claude Desktop's list leaves out sessions whose own file is missing", async (home) => {
  const folder = join(home.path, ".config/Claude/local-agent-mode-sessions/account/workspace");
  for (const [digit, local] of [["1", "local_a"], ["2", "local_b"]] as const) {
    const path = join(folder, local, ".claude/projects/-work", `${idOf(digit)}.jsonl`);
    Deno.mkdirSync(dirname(path), { recursive: true });
    const record = {
      ...{ type: "user", uuid: "u1", parentUuid: null, isSidechain: false, cwd: home.work },
      ...{ sessionId: idOf(digit), timestamp: "2026-11-21T20:00:00.000Z" },
      message: { role: "user", content: "Go" },
    };
    Deno.writeTextFileSync(path, JSON.stringify(record) + "\n");
  }
  Deno.writeTextFileSync(join(folder, "local_a.json"), '{"title":"Listed"}');
  assert.deepEqual(await hiddenIn(home, "claude-desktop"), {
    sessions: 2,
    hidden: [[idOf("2"), "Claude Desktop's own file for the session is missing: local_b.json"]],
  });
});
