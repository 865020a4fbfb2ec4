/**
 * Compresses rollouts in the form that Codex reads since 0.137
 * (codex-rs/rollout/src/compression.rs). Codex's decoder accepts windows of up to 128 MB. Codex
 * 0.169 listed, read, forked and resumed rollouts with windows of 8, 32 and 128 MB. It refused a
 * window of 256 MB. When Codex resumes a thread, it decompresses the rollout.
 */
import { join } from "node:path";
import type { AgentPlace } from "../contract/agent_environment.ts";
import type { SessionPacking } from "../contract/session_packing.ts";
import type { RepairedFile } from "../contract/session_repair.ts";
import { rolloutFiles, rolloutForm } from "./rollout_files.ts";
import { holdRollout } from "./rollout_hold.ts";

export const codexPacking: SessionPacking = {
  suffix: ".zst",
  window_log: 27,
  since: "0.137",
  files: plainRollouts,
  hold: holdRollout,
};

function* plainRollouts({ folder }: AgentPlace): Generator<RepairedFile> {
  for (const name of ["sessions", "archived_sessions"]) {
    for (const [id, path] of rolloutFiles(join(folder, name))) {
      if (rolloutForm(path) === "lines") yield { id, path };
    }
  }
}
