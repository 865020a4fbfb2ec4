/** The names of Crush's files. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** internal/db/connect.go. */
export const DATABASE = "crush.db";
/** internal/projects/projects.go. */
export const PROJECTS = "projects.json";
/** internal/config/config.go `defaultDataDirectory`. */
export const DATA_FOLDER = ".crush";

/** Finds the database of a directory: in it, or in the closest folder above (`LookupClosest`). */
export function databaseAround(cwd: string | undefined): string | undefined {
  for (let folder = cwd; folder !== undefined;) {
    const path = join(folder, DATA_FOLDER, DATABASE);
    if (existsSync(path)) return path;
    const above = dirname(folder);
    folder = above === folder ? undefined : above;
  }
  return undefined;
}
