/** Describes an agent that keeps Codex's rollouts: TraeX, a fork of it. */
import { familyMember } from "../contract/agent_family.ts";
import { UUID } from "../contract/resume_command.ts";
import { codex } from "./descriptor.ts";

/** TraeX (TRAE CLI 2.0), and where it keeps its sessions: as agentsview finds them. */
export const traex = familyMember(codex, {
  name: "traex",
  title: "TraeX",
  roots: [["$TRAE_HOME/cli", "~/.trae/cli"]],
  resumeCommand: ({ id }) => ({
    argv: ["traex", "resume", id],
    id_form: UUID,
    in_directory: false,
  }),
});
