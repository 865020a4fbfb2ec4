/** Describes the forks of OpenCode that use its database format: Kilo CLI and MiMo Code. */
import { familyMember } from "../contract/agent_family.ts";
import { PLAIN_ID, resumedBy } from "../contract/resume_command.ts";
import { opencode } from "./descriptor.ts";

/** Kilo CLI. Its folders are as in packages/opencode/src/storage/db.ts of Kilo CLI 7.7.9. */
export const kilo = familyMember(opencode, {
  name: "kilo",
  title: "Kilo CLI",
  aliases: ["kilocode"],
  roots: [["$XDG_DATA_HOME/kilo", "~/.local/share/kilo"]],
  renames: { OPENCODE_DB: "KILO_DB" },
  resumeCommand: resumedBy(PLAIN_ID, "kilo", "--session"),
  loadWriter: async () => (await import("./write/opencode_writer.ts")).kiloWriter,
});

/** MiMo Code. Its folders are as in src/storage/db.ts of MiMo Code in mid-2026. */
export const mimo = familyMember(opencode, {
  name: "mimo",
  title: "MiMo Code",
  aliases: ["mimocode"],
  roots: [["$MIMOCODE_HOME/data", "$XDG_DATA_HOME/mimocode", "~/.local/share/mimocode"]],
  renames: { OPENCODE_DB: "MIMOCODE_DB" },
  resumeCommand: resumedBy(PLAIN_ID, "mimo", "--session"),
});
