/** Says what would leave with a project: how much, in which form, to whom, with which secrets. */
import type { SharedProject } from "../../lib/team/shared_project.ts";
import { counted } from "../../lib/render/counted.ts";
import type { SharePreview } from "./preview.ts";

/** Most directories that are named. */
const NAMED = 8;

/** The lines of a preview. */
export function previewLines(
  project: SharedProject,
  preview: SharePreview,
  formatBytes: (bytes: number) => string,
): string[] {
  const { left_out, others, unread, sessions } = preview;
  return [
    `${project.project}  ${project.directory}: ${amountText(preview, formatBytes)}`,
    ...project.work_trees === undefined
      ? []
      : [`With its git work trees: ${project.work_trees.join(", ")}`],
    ...directoryLines(project, Object.keys(preview.directories)),
    ...(left_out === 0 ? [] : [`${ofOthers(left_out)} cannot be sealed and stay here`]),
    ...(others === 0
      ? []
      : [`${ofOthers(others)} stay here; to send redacted copies of them, too: --agent all`]),
    formText(project, preview),
    ...(preview.shared_otherwise === 0 ? [] : [
      `But ${counted(preview.shared_otherwise, "session")} of them may be in the store otherwise ` +
      "already, and stay so: see reprise sync status",
    ]),
    ...unread.map((message) => `reprise: ${message}`),
    ...(sessions === 0 ? [] : [secretsText(project, preview)]),
  ];
}

function amountText(
  { sessions, bytes, agents }: SharePreview,
  formatBytes: (bytes: number) => string,
): string {
  if (sessions === 0) return "no session yet; those to come are shared";
  const by = Object.entries(agents).map(([agent, count]) => `${count} ${agent}`).join(", ");
  return `${counted(sessions, "session")}, ${formatBytes(bytes)} (${by})`;
}

function ofOthers(count: number): string {
  return `${counted(count, "session")} of other agents`;
}

/** The directories, unless all sessions are of the project's own. */
function directoryLines({ directory }: SharedProject, paths: readonly string[]): string[] {
  if (paths.every((path) => path === directory)) return [];
  const more = paths.length > NAMED ? `, and ${paths.length - NAMED} more` : "";
  const noun = paths.length === 1 ? "directory" : "directories";
  return [`Their ${noun}: ${paths.slice(0, NAMED).join(", ")}${more}`];
}

function formText(
  { form, visible, recipients = [] }: SharedProject,
  { agents }: SharePreview,
): string {
  const readers = visible === "private" ? "you alone" : "all who may read the project";
  if (form === "copy") return `Redacted copies leave, for ${readers}`;
  if (form === "sealed") {
    return `The sessions themselves leave, sealed for ${
      counted(recipients.length, "recipient")
    }; ` +
      "the server's owner sees their sizes and times";
  }
  const has_others = Object.keys(agents).some((agent) => agent !== "reprise");
  return has_others
    ? `Sessions of Reprise leave byte for byte, others as redacted copies, for ${readers}`
    : `The sessions themselves leave, byte for byte, for ${readers}`;
}

function secretsText(
  { form }: SharedProject,
  { secrets, unreplaced }: SharePreview,
): string {
  const limits = "the known forms are not complete";
  const kinds = Object.entries(secrets).map(([kind, count]) => `${count} ${kind}`);
  if (kinds.length === 0) return `No secrets were found; ${limits}`;
  const total = Object.values(secrets).reduce((sum, count) => sum + count, 0);
  const replaced = total - unreplaced;
  const way = form === "sealed" ? "encrypted" : "unchanged";
  const fate = [
    ...(unreplaced === 0 ? [] : [`${unreplaced} would leave ${way}`]),
    ...(replaced === 0 ? [] : [`${replaced} replaced by placeholders`]),
  ].join(", ");
  return `Found ${counted(total, "secret")} (${kinds.join(", ")}): ${fate}; ${limits}`;
}
