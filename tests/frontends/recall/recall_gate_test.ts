/**
 * The attack test: what a cloned repository holds, and what others gave to this machine, changes no
 * byte of a hook's answer. Each planted session is later than the user's own, and claims the project.
 */
import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { AGENT_NAMES, REPRISE } from "../../../lib/core/event/agent_name.ts";
import { descriptorOf } from "../../../lib/library/machine/registry.ts";
import {
  outsideVariables,
  projectGround,
  RecallGate,
} from "../../../lib/frontends/recall/recall_gate.ts";
import { rootVariables } from "../../../lib/agents/contract/agent_roots.ts";
import { storeBytes } from "../../agents/crush/_store.ts";
import { mirror } from "../../_support/mirrored.ts";
import { needing, type Requirement, UNIX } from "../../_support/needing.ts";
import { inRecallHome, OTHER_ID, OWN_ID, PLANTED, RecallHome } from "./_recall_home.ts";

const ROOT: Requirement = {
  what: "files of another user",
  get: "run as root on Linux",
  met: Deno.build.os === "linux" && Deno.uid() === 0,
};

/** Runs both hooks before and after; `attack` may return variables for the second time. */
async function changesNothing(
  home: RecallHome,
  attack: () => Record<string, string> | void | Promise<Record<string, string> | void>,
): Promise<void> {
  home.claude();
  const own = { session_id: OWN_ID, source: "compact" };
  const before = [await home.told("start"), await home.told("compact", own)];
  assert.match(before[0] ?? "", /Make it faster/);
  assert.match(before[1] ?? "", /Make it faster/);
  const env = await attack() ?? {};
  const after = [await home.told("start", {}, { env }), await home.told("compact", own, { env })];
  assert.deepEqual(after, before);
  assert.equal(await home.told("compact", { session_id: OTHER_ID, source: "compact" }), "");
}

const AIDER = `# aider chat started at 2026-11-25 10:00:00\n\n#### ${PLANTED}\n\n${PLANTED}\n`;

/** A database of Crush whose sessions are later than all others. */
const CRUSH = storeBytes(`UPDATE sessions SET updated_at = 1795600000, title = '${PLANTED}';`);

inRecallHome.test("histories of Aider and Crush in a cloned repository", async (home) => {
  await changesNothing(home, () => {
    home.write("work/.aider.chat.history.md", AIDER);
    home.write("work/docs/history.md", AIDER);
    home.write("work/.aider.conf.yml", "chat-history-file: docs/history.md\n");
    home.write("work/.env", "AIDER_CHAT_HISTORY_FILE=docs/history.md\n");
    home.write("work/.crush/crush.db", CRUSH);
    // The user opened the repository in Crush once.
    const project = { path: home.work, data_dir: join(home.work, ".crush") };
    const projects = JSON.stringify({ projects: [project] });
    home.write(".local/share/crush/projects.json", projects);
    return {
      PWD: home.work,
      AIDER_CHAT_HISTORY_FILE: join(home.work, "docs/history.md"),
    };
  });
});

inRecallHome.test("a history of Aider and one of Crush in folders around the project", async (home) => {
  home.write(".aider.chat.history.md", AIDER);
  home.write(".crush/crush.db", CRUSH);
  await changesNothing(home, () => ({ PWD: home.work }));
});

inRecallHome.test("links from an agent's folder into the repository", async (home) => {
  await changesNothing(home, () => {
    const planted = home.plant("work/log.jsonl");
    Deno.symlinkSync(planted, join(home.path, `.claude/projects/-work/${OTHER_ID}.jsonl`));
    home.plant(`work/logs/${OTHER_ID}.jsonl`);
    Deno.symlinkSync(join(home.work, "logs"), join(home.path, ".claude/projects/-linked"));
    home.plant(`work/codebuddy/projects/work/${OTHER_ID}.jsonl`);
    Deno.symlinkSync(join(home.work, "codebuddy"), join(home.path, ".codebuddy"));
    Deno.mkdirSync(join(home.path, ".qoder"));
    home.plant(`work/projects/-work/${OTHER_ID}.jsonl`);
    Deno.symlinkSync(join(home.work, "projects"), join(home.path, ".qoder/projects"));
  });
});

inRecallHome.test("variables that the project's settings may set", async (home) => {
  await changesNothing(home, () => {
    const planted = join(home.work, "planted");
    home.plant(`work/planted/projects/-work/${OTHER_ID}.jsonl`);
    home.plant(`work/planted/.claude/projects/-work/${OTHER_ID}.jsonl`);
    const names = AGENT_NAMES.flatMap((name) => rootVariables(descriptorOf(name)));
    const env = Object.fromEntries(names.map((name) => [name, planted]));
    return { ...env, REPRISE_HOME: planted, REPRISE_CACHE: planted, XDG_CACHE_HOME: planted };
  });
});

inRecallHome.test("a relative variable counts as one of the project, too", async (home) => {
  await changesNothing(home, () => {
    home.plant(`work/planted/projects/-work/${OTHER_ID}.jsonl`);
    return { CLAUDE_CONFIG_DIR: "planted", QODER_CONFIG_DIR: "./planted", CODEX_HOME: "planted" };
  });
});

inRecallHome.test("a variable that leads into a folder around the directory", async (home) => {
  home.claude({ cwd: join(home.work, "inner") });
  Deno.mkdirSync(join(home.work, "inner"));
  const cwd = join(home.work, "inner");
  const before = await home.told("start", { cwd });
  assert.match(before, /Make it faster/);
  home.plant(`work/planted/projects/-work/${OTHER_ID}.jsonl`, { cwd });
  const env = { QODER_CONFIG_DIR: join(home.work, "planted") };
  assert.equal(await home.told("start", { cwd }, { env }), before);
});

inRecallHome.test("a variable that leads around the home, or into another repository", async (home) => {
  await changesNothing(home, () => {
    home.plant(`projects/-work/${OTHER_ID}.jsonl`);
    home.plant(`clone/planted/projects/-work/${OTHER_ID}.jsonl`);
    Deno.mkdirSync(join(home.path, "clone/.git"));
    const planted = join(home.path, "clone/planted");
    return { CLAUDE_CONFIG_DIR: `${home.path}/.`, QODER_CONFIG_DIR: planted, CODEX_HOME: planted };
  });
});

inRecallHome.test("a work tree in an agent's own folder has no less to be told of", async (home) => {
  const cwd = join(home.path, ".claude/worktrees/one/repository");
  Deno.mkdirSync(cwd, { recursive: true });
  home.claude({ cwd });
  const before = await home.told("start", { cwd }, { cwd });
  assert.match(before, /Make it faster/);
  const planted = home.plant(".claude/worktrees/one/repository/log.jsonl", { cwd });
  Deno.symlinkSync(planted, join(home.path, `.claude/projects/-work/${OTHER_ID}.jsonl`));
  assert.equal(await home.told("start", { cwd }, { cwd }), before);
});

inRecallHome.test("roots that the user added, such as a backup's", async (home) => {
  await changesNothing(home, async () => {
    home.plant(`backup/projects/-work/${OTHER_ID}.jsonl`);
    const backup = join(home.path, "backup");
    await home.succeed(["config", "set", "agents.claude.roots", backup]);
    return { CLAUDE_CONFIG_DIRS: backup };
  });
});

inRecallHome.test("sessions of the store: imported, pulled, and written there", async (home) => {
  await changesNothing(home, async () => {
    const events = [
      { kind: "user_message", payload: { content: PLANTED } },
      { kind: "assistant_message", payload: { content: PLANTED } },
    ] as const;
    const created = new Date("2026-11-25T10:00:00Z");
    home.keep("a1b2c3d4-1111-4111-8111-111111111111", events, { created });
    mirror(home.store, { session: "ann:a1b2c3d4", cwd: home.work }, events);
    const file = home.plant("elsewhere/session.jsonl");
    await home.succeed(["import", file]);
    const { stdout } = await home.succeed(["list", "--all"]);
    assert.match(stdout, /PLANTED/);
  });
});

inRecallHome.test("a session that was handed over to an agent", async (home) => {
  await changesNothing(home, async () => {
    const file = home.plant("elsewhere/session.jsonl");
    for (const [agent, folder] of [["codex", ".codex"], ["pi", ".pi/agent"]] as const) {
      Deno.mkdirSync(join(home.path, folder), { recursive: true });
      await home.succeed(["handover", file, "--to", agent, "--cwd", home.work]);
    }
    const { stdout } = await home.succeed(["list", "--all", "--agent", "codex"]);
    assert.match(stdout, /PLANTED/);
  });
});

inRecallHome.test("a backup of a session that its agent deleted", async (home) => {
  await changesNothing(home, async () => {
    const path = home.plant(`.claude/projects/-work/${OTHER_ID}.jsonl`);
    await home.succeed(["backup", "--agent", "claude"]);
    Deno.removeSync(path);
    const { stdout } = await home.succeed(["list", "--all"]);
    assert.match(stdout, /PLANTED/);
  });
});

Deno.test(needing("a session of another user", ROOT), async () => {
  await using home = new RecallHome();
  await changesNothing(home, () => {
    const path = home.plant(`.claude/projects/-work/${OTHER_ID}.jsonl`);
    Deno.chownSync(path, 12_345, 12_345);
  });
});

inRecallHome.test("the starting session, subagents, and what a person did not write in", async (home) => {
  home.claude();
  const before = await home.told("start");
  home.plant(`.claude/projects/-work/${OTHER_ID}.jsonl`);
  assert.equal(await home.told("start", { session_id: OTHER_ID }), before);
  Deno.renameSync(
    join(home.path, `.claude/projects/-work/${OTHER_ID}.jsonl`),
    join(home.path, ".claude/projects/-work/agent-0a1b2c3d.jsonl"),
  );
  assert.equal(await home.told("start"), before);
  assert.equal(await home.told("start", { agent_id: "a1" }), "");
  const meta = (payload: object): string =>
    [
      { type: "session_meta", payload: { id: OTHER_ID, cwd: home.work, ...payload } },
      { type: "event_msg", payload: { type: "user_message", message: PLANTED } },
      {
        type: "response_item",
        payload: {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: PLANTED }],
        },
      },
    ].map((record) => JSON.stringify({ timestamp: "2026-11-24T10:00:00.000Z", ...record }) + "\n")
      .join("");
  const rollout = `.codex/sessions/2026/11/24/rollout-2026-11-24T10-00-00-${OTHER_ID}.jsonl`;
  home.write(
    rollout,
    meta({ source: { subagent: { thread_spawn: { parent_thread_id: OWN_ID } } } }),
  );
  assert.equal(await home.told("start"), before);
  // As a session of its own it would be the last one.
  home.write(rollout, meta({}));
  assert.match(await home.told("start"), /PLANTED/);
});

Deno.test(needing("no agent has a folder in the project, whatever variables say", UNIX), () => {
  const home = Deno.realPathSync(Deno.makeTempDirSync());
  try {
    const cwd = join(home, "work");
    const planted = join(cwd, "planted");
    Deno.mkdirSync(planted, { recursive: true });
    const ground = projectGround(cwd, { home, os: Deno.build.os });
    assert.deepEqual(ground, [cwd]);
    const variable = outsideVariables(() => planted, { cwd, home, ground });
    const gate = new RecallGate({ home, os: Deno.build.os, variable }, ground);
    const raw = new RecallGate({ home, os: Deno.build.os, variable: () => planted }, ground);
    const in_projects = AGENT_NAMES.filter((name) => gate.foldersOf(name).length === 0);
    for (const name of AGENT_NAMES) {
      for (const one of [gate, raw]) {
        const inside = one.foldersOf(name).filter((folder) => folder.startsWith(cwd));
        assert.deepEqual(inside, [], name);
      }
    }
    // A root around all projects would bring in the files of each of them.
    const wide = new RecallGate({ home, os: Deno.build.os, variable: () => home }, ground);
    for (const name of AGENT_NAMES) assert.ok(!wide.foldersOf(name).includes(home), name);
    // Those whose descriptors name no folder of sessions, have no root, or are our own.
    const without = AGENT_NAMES.filter((name) => {
      const { watched, roots } = descriptorOf(name);
      return watched === undefined || (typeof roots !== "function" && roots.length === 0);
    });
    for (const name of without) assert.ok(in_projects.includes(name), name);
    assert.ok(without.includes("aider") && without.includes("crush"));
    assert.ok(AGENT_NAMES.length - in_projects.length > 25, in_projects.join(" "));
    assert.ok(dirname(cwd) === home && AGENT_NAMES.includes(REPRISE));
  } finally {
    Deno.removeSync(home, { recursive: true });
  }
});
