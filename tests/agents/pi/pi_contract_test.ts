import { piAgent } from "../../../lib/agents/pi/pi_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";

const FOLDER = ".pi/agent/sessions/--home-dev-src-app--";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/pi/${name}.jsonl`, import.meta.url);
}

function file(id: number | string): string {
  return `2026-03-01T10-00-00-000Z_0195a000-0000-7000-8000-00000000000${id}.jsonl`;
}

function id(number: number | string): string {
  return `0195a000-0000-7000-8000-00000000000${number}`;
}

testAgentContract("pi", {
  agent: piAgent,
  files: {
    [`${FOLDER}/${file(1)}`]: fixture("turn"),
    [`${FOLDER}/${file(2)}`]: fixture("small"),
    [`${FOLDER}/${file(3)}`]: fixture("tree"),
    [`${FOLDER}/${file(4)}`]: fixture("context_edit"),
    [`${FOLDER}/${file(5)}`]: fixture("compaction_chained"),
    [`.pi/agent/sessions/--home-dev-other--/${file(6)}`]: fixture("title_elsewhere"),
    [`.pi/agent/sessions/--home-dev-other--/${file(7)}`]: fixture("interrupted"),
    ".pi/agent/sessions/2025-11-01T10-00-00-000Z_old-1.jsonl": fixture("v1"),
    [`.pi/agent/sessions/--home-dev-src-app--/${file(9)}`]: fixture("extension_first"),
    ".pi/agent/sessions/--home-dev-src-app--/notes.txt": "no session",
    ".pi/agent/settings.json": "{ broken",
  },
  ids: [...[1, 2, 3, 4, 5, 6, 7, 9].map(id), "old-1"],
  cwd: "/home/dev/src/app",
  id: id(2),
});

testAgentContract("pi, by its tree", {
  agent: piAgent,
  files: { [`elsewhere/sessions/--x--/${file(3)}`]: fixture("tree") },
  ids: [id(3)],
  variables: { PI_CODING_AGENT_DIR: "~/elsewhere" },
});

testAgentContract("pi, by the first version", {
  agent: piAgent,
  files: { "flat/2025-11-01T10-00-00-000Z_old-1.jsonl": fixture("v1") },
  ids: ["old-1"],
  variables: { PI_CODING_AGENT_SESSION_DIR: "~/flat" },
  cwd: "/home/dev/src/app",
});

testAgentContract("pi, by its settings", {
  agent: piAgent,
  files: {
    ".pi/agent/settings.json": '{ "sessionDir": "~/flat" }',
    [`flat/${file("a")}`]: fixture("context_edit_amid_calls"),
  },
  ids: [id("a")],
});
