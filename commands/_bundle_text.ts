/** Describes a session bundle to the user, before the bundle is written or imported. */
import type { BundleManifest } from "../lib/features/backup/bundle/manifest.ts";
import type { PatchFile } from "../lib/features/backup/bundle/work_tree.ts";
import { counted } from "../lib/core/event/counted.ts";

/** A file of a patch. `note` says why the user should review the file, and is empty otherwise. */
export interface NotedFile extends PatchFile {
  note: string;
}

const MOST_LISTED = 20;

export async function notedFiles(files: readonly PatchFile[]): Promise<NotedFile[]> {
  const { isExecuted } = await import("../lib/features/blame/files/executed_files.ts");
  return files.map((file) => {
    const runs = isExecuted(file.name, "") ? "other programs run this file automatically" : "";
    const note = file.link ? "a link" : runs;
    return { ...file, note };
  });
}

export async function bundleLines(
  { agent, id, title, cwd, git, parts }: BundleManifest,
  files: readonly NotedFile[],
): Promise<string[]> {
  const { formatBytes } = await import("../lib/text/render/byte_size.ts");
  const { Redactor } = await import("../lib/text/redaction/redactor.ts");
  // A title is often the first prompt, with a secret in it.
  const shown = title === undefined ? "" : `: ${new Redactor().text(title, "title")}`;
  const sized = (kind: string): string[] => {
    const found = parts.filter((part) => part.kind === kind);
    if (found.length === 0) return [];
    const bytes = formatBytes(found.reduce((sum, part) => sum + part.bytes, 0));
    const count = kind === "patch" ? files.length : found.length;
    const what = kind === "rows" ? "of the agent's database" : counted(count, "file");
    return [`  ${`${kind}:`.padEnd(11)}${what}, ${bytes}`];
  };
  const branch = git?.branch === undefined ? "" : ` of branch ${git.branch}`;
  const { sanitizeLine } = await import("../lib/text/render/sanitize.ts");
  return [
    `Session ${agent}:${id}${shown}`,
    ...(cwd === undefined ? [] : [`  directory: ${cwd}`]),
    ...(git === undefined ? [] : [`  commit:    ${git.commit.slice(0, 12)}${branch}`]),
    ...(git?.remote === undefined ? [] : [`  remote:    ${git.remote}`]),
    ...["session", "rows", "snapshot", "patch"].flatMap(sized),
    ...listed(files.map(({ name, note }) => `    ${name}${note === "" ? "" : ` (${note})`}`)),
  ].map(sanitizeLine);
}

export function listed(lines: readonly string[]): string[] {
  if (lines.length <= MOST_LISTED) return [...lines];
  return [...lines.slice(0, MOST_LISTED), `    … and ${lines.length - MOST_LISTED} more`];
}
