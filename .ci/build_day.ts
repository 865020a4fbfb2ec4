/** The day of a build, which is that of its source, so that the same source gives the same bytes. */
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** The text for which a build puts its day: see `commands/version.ts`. */
const PLACEHOLDER = "BUILD_DAY_OF_SOURCE";

/** Returns the day of the last commit; undefined without git. `SOURCE_DATE_EPOCH` replaces it. */
function sourceDay(): string | undefined {
  const seconds = Deno.env.get("SOURCE_DATE_EPOCH");
  if (seconds !== undefined) return new Date(Number(seconds) * 1000).toISOString().slice(0, 10);
  try {
    const args = ["log", "-1", "--format=%cs"];
    const { success, stdout } = new Deno.Command("git", { args, cwd: ROOT, stderr: "null" })
      .outputSync();
    return success ? new TextDecoder().decode(stdout).trim() : undefined;
  } catch {
    // There is no git.
    return undefined;
  }
}

/** Puts the day into a text of a bundle. */
export function withBuildDay(text: string): string {
  const day = text.includes(PLACEHOLDER) ? sourceDay() : undefined;
  return day === undefined ? text : text.replaceAll(PLACEHOLDER, day);
}
