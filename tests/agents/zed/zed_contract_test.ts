import { zedAgent, zedFormat } from "../../../lib/agents/zed/zed_agent.ts";
import { testAgentContract } from "../../_support/agent_contract.ts";
import { FOLDER, FULL, OLD, OLDEST, threadsDatabase } from "./_store.ts";

// Threads of before the column was there have no directory.
const BYTES = threadsDatabase((database) =>
  database.exec("UPDATE threads SET folder_paths = '/home/dev/lib' WHERE folder_paths IS NULL")
);

testAgentContract("zed", {
  agent: zedAgent,
  format: zedFormat,
  files: { [`${FOLDER}/threads.db`]: BYTES },
  ids: [FULL, OLD, OLDEST],
  cwd: "/home/dev/my-app",
  unit: "rows",
});
