/** Says "silent" once a pipe blocks the system's watch: run it without leave to call the C library. */
import { join } from "node:path";
import { WatchProbe } from "../../../lib/features/backup/root_watches.ts";
import { watchFolder } from "../../../lib/core/platform/watch_folder.ts";

const [folder = ""] = Deno.args;
const LOOK_MS = 20;
let noticed = 0;
using _watch = watchOf(join(folder, "sessions"));
using probe = new WatchProbe(join(folder, "backups"), { ask_ms: 50, answer_ms: 1500 });

function watchOf(path: string): Disposable {
  const watch = watchFolder(path, { onChange: () => void noticed++, onLost: () => {} });
  return { [Symbol.dispose]: () => watch.close() };
}

function say(word: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${word}\n`));
}

async function until(is: () => boolean): Promise<void> {
  while (!is()) {
    probe.ask();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

// It answers while nothing blocks it.
Deno.writeTextFileSync(join(folder, "sessions", "file"), "");
await until(() => noticed > 0);
if (probe.silent) Deno.exit(1);
say("watching");
await until(() => probe.silent);
say("silent");
// The thread that waits does not end by itself.
Deno.exit(0);
