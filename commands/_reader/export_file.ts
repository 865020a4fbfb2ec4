/** Writes a session to a file while the screen is full: what the command would say is returned. */
import type { Context, Output } from "../_context.ts";
import { CommandExit, toFailure } from "../_failure.ts";
import type { ExportFlags } from "../export.ts";

/** Writes the file; returns what there is to say. */
export async function writeExport(
  context: Context,
  ref: string,
  flags: ExportFlags & { out: string },
): Promise<string> {
  const said: string[] = [];
  const quiet: Output = {
    terminal: false,
    width: 80,
    height: Infinity,
    write: (text) => void said.push(text),
  };
  try {
    const { exportSession } = await import("../export.ts");
    await exportSession({ ...context, stderr: quiet }, ref, flags);
    return `Written: ${flags.out}`;
  } catch (error) {
    if (error instanceof CommandExit) return "Not written";
    return toFailure(error).message.split("\n")[0] ?? "";
  }
}

/** The name of the file that is proposed. */
export function exportName(id: string): string {
  return `${id.replace(/[^\w.-]+/g, "-").slice(0, 40)}.html`;
}
