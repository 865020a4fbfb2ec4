/**
 * Syncs files on disks that refuse a sync. Deno flushes a disk of macOS by `F_FULLFSYNC`
 * (fcntl(2)). Network disks refuse this call, but their server has the data by then.
 */
import { standardError } from "./standard_streams.ts";
import { isNotSupported } from "./system_error.ts";

type Synced = Pick<Deno.FsFile, "sync" | "syncSync" | "syncData" | "syncDataSync">;

let told = false;

function outlive(error: unknown, tell: (line: string) => void): void {
  const { code } = error as { code?: string };
  if (!isNotSupported(error) && code !== "EINVAL" && code !== "ENOTTY") throw error;
  if (told) return;
  told = true;
  tell(
    "reprise: this disk (a network disk?) cannot confirm that data is saved. If its file " +
      "server crashes, the data that was written last may be lost",
  );
}

function printError(line: string): void {
  standardError().writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Makes a file's syncs succeed if the disk refuses them. Reports only the first refusal. */
export function withSoftSync<File extends Synced>(
  file: File,
  tell: (line: string) => void = printError,
): File {
  for (const name of ["sync", "syncData"] as const) {
    const sync = file[name].bind(file);
    file[name] = () => sync().catch((error) => outlive(error, tell));
  }
  for (const name of ["syncSync", "syncDataSync"] as const) {
    const sync = file[name].bind(file);
    file[name] = () => {
      try {
        sync();
      } catch (error) {
        outlive(error, tell);
      }
    };
  }
  return file;
}
