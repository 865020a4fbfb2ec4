/** Homes in which a client ran. */
import type { CliHome } from "../_support/cli_home.ts";
import { eventually } from "../_support/eventually.ts";

/** Removes a home at its end, and ends what the client left running there. */
export function removedHome(home: CliHome): AsyncDisposable {
  return {
    async [Symbol.asyncDispose](): Promise<void> {
      // A client that was ended writes on for a moment.
      await eventually(async () => {
        endProgramsOf(home.path);
        return await home[Symbol.asyncDispose]().then(() => true, () => false);
      });
    },
  };
}

/** Ends the programs that lie in a home: Codex 0.169 puts a server there, and starts it for good. */
function endProgramsOf(home: string): void {
  if (Deno.build.os !== "linux") return;
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (Deno.readLinkSync(`/proc/${name}/exe`).startsWith(`${home}/`)) {
        Deno.kill(Number(name), "SIGKILL");
      }
    } catch {
      // It has ended, or is another user's.
    }
  }
}
