/** Describes agents that keep tasks as Cline's extension did, of which they are forks. */
import { familyMember } from "../contract/agent_family.ts";
import { inEditorFolders } from "../contract/editor_folders.ts";
import { cline } from "./descriptor.ts";

/** Roo Code, and where it keeps its tasks. Its setting `customStoragePath` is not looked at. */
export const roo = familyMember(cline, {
  name: "roo",
  title: "Roo Code",
  aliases: ["roo-code"],
  roots: inEditorFolders("globalStorage/rooveterinaryinc.roo-cline"),
  resumeCommand: () => undefined,
});

/** The extension of Kilo Code before 7.2, which kept its tasks as Roo Code does. */
export const kiloCode = familyMember(cline, {
  name: "kilo-code",
  title: "Kilo Code (extension)",
  roots: inEditorFolders("globalStorage/kilocode.kilo-code"),
  resumeCommand: () => undefined,
});
