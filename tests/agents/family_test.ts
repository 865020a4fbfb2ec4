/** Agents that keep another agent's format: each in its own folders, under its own name. */
import assert from "node:assert/strict";
import { join } from "node:path";
import type { AgentName } from "../../lib/core/event/agent_name.ts";
import { findInFile } from "../../lib/library/query/find_session.ts";
import { descriptorOf, loadAgent, OTHER_AGENTS } from "../../lib/library/machine/registry.ts";
import { Library } from "../../lib/library/library.ts";
import { agentPlaces } from "../../lib/agents/contract/agent_roots.ts";
import { checkedResumeCommand } from "../../lib/agents/contract/resume_command.ts";
import {
  type AgentCase,
  locateAll,
  makeHome,
  payloadsOf,
  readAll,
  testAgentContract,
} from "../_support/agent_contract.ts";
import { listed } from "../_support/listed.ts";
import { databaseOf, exported } from "./opencode/_store.ts";

function fixture(name: string): URL {
  return new URL(`../../testdata/agents/${name}`, import.meta.url);
}

interface Member {
  name: AgentName;
  /** Where its files are in a home, and what they are. */
  files: AgentCase["files"];
  id: string;
  variables?: AgentCase["variables"];
  /** What continues the session; the path of its file stands for `PATH`. */
  argv: readonly string[] | undefined;
  title: string;
  unit?: AgentCase["unit"];
}

const ROLLOUT = "0199aaaa-0000-7000-8000-000000000001";
const CLAUDE = "c0ffee00-0000-4000-8000-000000000002";
const IFLOW = `session-${CLAUDE}`;
const OMP = "01a21d99-1d40-70c7-af6c-f7c3e00fc271";
const OPENCLAW = "847d19de-2763-4aa5-b1ca-5c743dcfaa9d";
const DESKTOP = "config/Claude/local-agent-mode-sessions/org/space/local_7";
const EDITOR = "1f0e9d8c-5670-4fc6-b2db-2d7c5a55668e";
const PRIME = "0195a000-0000-7000-8000-000000000001";
const OMP_NAME = `2026-11-27T15-21-43-488Z_${OMP}.jsonl`;

const MEMBERS: readonly Member[] = [
  {
    name: "openclaude",
    files: { [`.openclaude/projects/-home-dev/${CLAUDE}.jsonl`]: fixture("claude/small.jsonl") },
    id: CLAUDE,
    argv: ["openclaude", "--resume", CLAUDE],
    title: "Hé",
  },
  {
    name: "iflow",
    files: { [`.iflow/projects/-w/${IFLOW}.jsonl`]: fixture("claude/iflow.jsonl") },
    id: IFLOW,
    argv: ["iflow", "--resume", IFLOW],
    title: "Set the variable",
  },
  {
    name: "qoder",
    files: {
      [`own/projects/-w/${CLAUDE}.jsonl`]: fixture("claude/small.jsonl"),
      [`own/projects/-w/${CLAUDE}-session.json`]: '{"title":"Says yes","working_dir":"/w"}',
    },
    variables: { QODER_CONFIG_DIR: "~/own" },
    id: CLAUDE,
    argv: ["qodercli", "--resume", CLAUDE],
    title: "Says yes",
  },
  {
    name: "claude-desktop",
    files: {
      [`${DESKTOP}/.claude/projects/-sessions-x/${CLAUDE}.jsonl`]: fixture("claude/small.jsonl"),
      [`${DESKTOP}.json`]: JSON.stringify({ cliSessionId: CLAUDE, title: "Named by hand" }),
    },
    variables: { XDG_CONFIG_HOME: "~/config" },
    id: CLAUDE,
    argv: undefined,
    title: "Named by hand",
  },
  {
    name: "traex",
    files: {
      [`.trae/cli/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${ROLLOUT}.jsonl`]: fixture(
        "codex/legacy.jsonl",
      ),
    },
    id: ROLLOUT,
    argv: ["traex", "resume", ROLLOUT],
    title: "",
  },
  {
    name: "kilo",
    files: { "state/elsewhere.db": databaseOf(exported("small")) },
    variables: { KILO_DB: "~/state/elsewhere.db", OPENCODE_DB: "~/state/none.db" },
    id: "ses_small",
    argv: ["kilo", "--session", "ses_small"],
    title: "",
    unit: "rows",
  },
  {
    name: "mimo",
    files: { "mimo/data/mimocode.db": databaseOf(exported("small")) },
    variables: { MIMOCODE_HOME: "~/mimo" },
    id: "ses_small",
    argv: ["mimo", "--session", "ses_small"],
    title: "",
    unit: "rows",
  },
  {
    name: "omp",
    files: { [`.omp/agent/sessions/-w/${OMP_NAME}`]: fixture("pi/omp.jsonl") },
    id: OMP,
    argv: ["omp", "--resume", "PATH"],
    title: "Write a greeting",
  },
  {
    name: "openclaw",
    files: {
      [`.openclaw/agents/main/sessions/${OPENCLAW}.jsonl`]: fixture("pi/openclaw.jsonl"),
      [`.openclaw/agents/main/sessions/${OPENCLAW}.checkpoint.1.jsonl`]: fixture("pi/turn.jsonl"),
      ".openclaw/agents/main/sessions/sessions.json": "{}",
    },
    id: OPENCLAW,
    argv: undefined,
    title: "Say something",
  },
  {
    name: "open-interpreter",
    files: {
      [`own/interpreter/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${ROLLOUT}.jsonl`]: fixture(
        "codex/legacy.jsonl",
      ),
    },
    variables: { OPEN_INTERPRETER_HOME: "~/own/interpreter" },
    id: ROLLOUT,
    argv: ["interpreter", "resume", ROLLOUT],
    title: "",
  },
  {
    name: "pearai",
    files: { [`.pearai/sessions/${EDITOR}.json`]: fixture("continue/editor.json") },
    id: EDITOR,
    argv: undefined,
    title: "Mend the parser",
  },
  {
    name: "prime",
    files: {
      [`.prime/agent/sessions/2026-07-01T00-00-00-000Z_${PRIME}.jsonl`]: fixture("pi/turn.jsonl"),
    },
    id: PRIME,
    argv: ["prime-agent", "--resume", "PATH"],
    title: "",
  },
];

const ALL: AgentCase["files"] = Object.assign({}, ...MEMBERS.map(({ files }) => files));
const VARIABLES: Record<string, string> = Object.assign(
  {},
  ...MEMBERS.map(({ variables }) => variables),
);

/** They keep Cline's tasks, and have their tests beside it. */
const BESIDE_CLINE: ReadonlySet<string> = new Set(["roo", "kilo-code"]);

Deno.test("each agent that keeps another one's format has a session here", () => {
  const members = OTHER_AGENTS.filter((name) =>
    descriptorOf(name).format !== undefined && !BESIDE_CLINE.has(name)
  );
  assert.deepEqual(members.sort(), MEMBERS.map(({ name }) => name).sort());
});

for (const { name, files, id, variables = {}, unit = "bytes", argv, title } of MEMBERS) {
  // The others' readers and sessions are damaged where Claude Code, Codex and OpenCode are tested.
  const damage = name === "omp" || name === "openclaw";
  testAgentContract(name, {
    agent: await loadAgent(name),
    files,
    ids: [id],
    variables,
    unit,
    damage,
  });

  Deno.test(`${name} is found beside all others, under its name, with its title and command`, async () => {
    await using home = await makeHome(ALL, VARIABLES);
    const { environment } = home;
    const place = { root: undefined, cache: undefined, environment, agents: OTHER_AGENTS };
    const rows = await listed(new Library(place, home.path), { cwd: "any" } as const);
    const row = rows.find(({ agent }) => agent === name);
    assert.equal(rows.length, MEMBERS.length);
    assert.equal(row?.ref, `${name}:${id}`);
    if (title !== "") assert.equal(row?.title, title);
    const [session] = await locateAll(await loadAgent(name), environment);
    assert.ok(session !== undefined);
    const command = descriptorOf(name).resumeCommand(session);
    assert.deepEqual(
      command && checkedResumeCommand(name, session, command).argv,
      argv?.map((word) => word === "PATH" ? session.path : word),
    );
    const { events } = await readAll(await loadAgent(name), session);
    const [started] = payloadsOf(events, "session_started");
    assert.equal(started?.app?.name, name);
  });
}

Deno.test("OpenClaude deletes its sessions by its own settings", async () => {
  await using home = await makeHome({
    ".openclaude/settings.json": '{"cleanupPeriodDays":7}',
    "work/.openclaude/settings.json": '{"cleanupPeriodDays":3}',
    "work/.claude/settings.json": '{"cleanupPeriodDays":1}',
  });
  const openclaude = descriptorOf("openclaude");
  const read = await openclaude.loadExpiry?.();
  const [place] = agentPlaces(openclaude, home.environment);
  assert.ok(read !== undefined && place !== undefined);
  const days = [undefined, "work"].map((cwd) =>
    read(place, cwd && join(home.path, cwd))?.after_days
  );
  assert.deepEqual(days, [7, 3]);
});

Deno.test("a file in an agent's folder is that agent's, and a copy elsewhere the format's agent's", async () => {
  await using home = await makeHome({ ...ALL, "copies/one.jsonl": fixture("pi/omp.jsonl") });
  const { environment } = home;
  const place = { root: undefined, environment, agents: OTHER_AGENTS };
  const agentOf = async (path: string): Promise<string> =>
    (await findInFile(place, join(home.path, path))).reader.session.agent;
  const found = await Promise.all(
    [`.omp/agent/sessions/-w/${OMP_NAME}`, "copies/one.jsonl"].map(agentOf),
  );
  assert.deepEqual(found, ["omp", "pi"]);
});
