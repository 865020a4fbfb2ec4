/** Describes forks of Cline's extension. They store tasks in the same form as the extension. */
import { familyMember } from "../contract/agent_family.ts";
import { inEditorFolders } from "../contract/editor_folders.ts";
import { cline } from "./descriptor.ts";

/** Roo Code. Its setting `customStoragePath` is not read. */
export const roo = familyMember(cline, {
  name: "roo",
  title: "Roo Code",
  aliases: ["roo-code"],
  roots: inEditorFolders("globalStorage/rooveterinaryinc.roo-cline"),
  resumeCommand: () => undefined,
});

/** The extension of Kilo Code before 7.2. It stored its tasks as Roo Code does. */
export const kiloCode = familyMember(cline, {
  name: "kilo-code",
  title: "Kilo Code (extension)",
  roots: inEditorFolders("globalStorage/kilocode.kilo-code"),
  resumeCommand: () => undefined,
});
