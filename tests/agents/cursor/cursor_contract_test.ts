import { cursorAgent, cursorFormat } from "../../../lib/agents/cursor/cursor_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";
import {
  CHAT,
  chat,
  CHATS,
  COMPACTED,
  conversations,
  fixture,
  MAIN,
  OLD,
  talk,
  TRANSCRIPT,
  TRANSCRIPTS,
  USER,
} from "./_store.ts";

const TRUST = JSON.stringify({ workspacePath: "/home/dev/my-app" });

testAgentContract("cursor's editor", {
  agent: cursorAgent,
  format: cursorFormat,
  files: {
    [`${USER}/globalStorage/state.vscdb`]: conversations((database) =>
      database.exec(
        "UPDATE cursorDiskKV SET value = json_set(value, '$.workspaceIdentifier', " +
          `json('{"uri":{"fsPath":"/w"}}')) WHERE key = 'composerData:${OLD}'`,
      )
    ),
  },
  ids: [MAIN, OLD, COMPACTED],
  cwd: "/home/dev/my-app",
  unit: "rows",
});

testAgentContract("cursor's chats", {
  agent: cursorAgent,
  format: cursorFormat,
  files: {
    [`${CHATS}/${CHAT}/store.db`]: chat({ ...talk(), left: [] }),
    [`${CHATS}/${CHAT}/meta.json`]: JSON.stringify(talk().beside),
  },
  ids: [CHAT],
  cwd: "/home/dev/my-app",
  unit: "rows",
});

testAgentContract("cursor's transcripts", {
  agent: cursorAgent,
  format: cursorFormat,
  variables: { CURSOR_DATA_DIR: "~/.cursor" },
  files: {
    [`${TRANSCRIPTS}/${TRANSCRIPT}/${TRANSCRIPT}.jsonl`]: fixture("tools.jsonl"),
    [`${TRANSCRIPTS}/${TRANSCRIPT}/subagents/aa.jsonl`]: fixture("subagent.jsonl"),
    [`${TRANSCRIPTS}/flat.jsonl`]: fixture("tools.jsonl"),
    ".cursor/projects/home-dev-my-app/.workspace-trusted": TRUST,
  },
  ids: [TRANSCRIPT, "flat"],
  cwd: "/home/dev/my-app",
});
