/** The names of Crush's files. */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";

/** Name of the database file (internal/db/connect.go). */
export const DATABASE = "crush.db";
/** Name of the file that lists the projects (internal/projects/projects.go). */
export const PROJECTS = "projects.json";
/** Name of a project's data folder (internal/config/config.go `defaultDataDirectory`). */
export const DATA_FOLDER = ".crush";

/** Returns the database path of a directory or its closest ancestor (`LookupClosest`), if any. */
export function databaseAround(cwd: string | undefined): string | undefined {
  for (let folder = cwd; folder !== undefined;) {
    const path = join(folder, DATA_FOLDER, DATABASE);
    if (existsSync(path)) return path;
    const above = dirname(folder);
    folder = above === folder ? undefined : above;
  }
  return undefined;
}
