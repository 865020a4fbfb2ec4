/** Describes TraeX and Open Interpreter, forks of Codex that store sessions as Codex's rollouts. */
import { familyMember } from "../contract/agent_family.ts";
import { UUID } from "../contract/resume_command.ts";
import { codex } from "./descriptor.ts";

/** TraeX (TRAE CLI 2.0). The program agentsview finds TraeX's sessions in the same folders. */
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
 * Open Interpreter, a fork of Codex since 2026 (interpreter-tui/src/main.rs). The program sets
 * `CODEX_HOME` to its folder, but only for its own processes.
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
