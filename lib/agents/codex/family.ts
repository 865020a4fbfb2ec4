/** Describes agents that keep Codex's rollouts: TraeX and Open Interpreter, forks of it. */
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

/**
 * Open Interpreter, a fork of Codex since 2026, and its folder (interpreter-tui/src/main.rs). It names
 * that folder in CODEX_HOME for its own processes alone.
 */
export const openInterpreter = familyMember(codex, {
  name: "open-interpreter",
  title: "Open Interpreter",
  roots: [["$INTERPRETER_HOME", "$OPEN_INTERPRETER_HOME", "~/.openinterpreter"]],
  resumeCommand: ({ id }) => ({
    argv: ["interpreter", "resume", id],
    id_form: UUID,
    in_directory: false,
  }),
});
