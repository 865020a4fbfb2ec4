/** `reprise cache` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { SessionError } from "../lib/event/session_error.ts";
import type { CacheStatus } from "../lib/library/cache/cache_status.ts";
import { cacheFolderOf, indexLocked } from "./_cache_folder.ts";
import type { Context } from "./_context.ts";
import { contextLibrary, isCacheOff } from "./_library.ts";
import { printExact, say } from "./_message.ts";

/** The folder of what was read of sessions. */
export function cacheCommand(context: Context): Command {
  return new Command("cache")
    .summary("manage the cache: status, clear")
    .description(
      "Manage the cache: facts of sessions, so that none is read twice, and the search index. " +
        "It can be cleared at any time; every answer stays the same.",
    )
    .addCommand(statusCommand(context))
    .addCommand(clearCommand(context))
    .addHelpText(
      "after",
      "\nExamples:\n  reprise cache status\n  reprise cache clear",
    ) as unknown as Command;
}

function statusCommand(context: Context): Command {
  return new Command("status")
    .summary("show the cache folder and its size")
    .description("Show whether the cache is used, its folder, its size and the sessions it knows.")
    .option("--json", "as one JSON object")
    .addHelpText("after", "\nExamples:\n  reprise cache status\n  reprise cache status --json")
    .action((flags) => status(context, flags)) as unknown as Command;
}

function clearCommand(context: Context): Command {
  return new Command("clear")
    .summary("remove the cache")
    .description("Remove the cache, with the search index. The next commands are slower.")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise cache clear\n  reprise cache clear && reprise index build",
    )
    .action(() => clear(context)) as unknown as Command;
}

/** How the cache stands, with the reason why it is not used. */
type Standing =
  | CacheStatus & { state: "used" | "off" }
  | { state: "unusable"; reason: string };

async function standing(context: Context): Promise<Standing> {
  const cache = cacheFolderOf(contextLibrary(context));
  if (cache.reason !== undefined) return { state: "unusable", reason: cache.reason };
  const { cacheStatus } = await import("../lib/library/cache/cache_status.ts");
  const state = isCacheOff(context) ? "off" : "used";
  return { state, ...cacheStatus(cache.folder, context.version) };
}

async function status(context: Context, { json = false }: { json?: boolean }): Promise<void> {
  const found = await standing(context);
  const { stdout } = context;
  if (json) {
    const { toJsonLine } = await import("../lib/render/json_lines.ts");
    return stdout.write(toJsonLine(found));
  }
  if (found.state === "unusable") {
    return await say(context, `The cache cannot be used: ${found.reason}`);
  }
  const { formatBytes } = await import("../lib/render/byte_size.ts");
  stdout.write(found.state === "off" ? "The cache is switched off\n" : "The cache is in use\n");
  stdout.write(`sessions  ${found.sessions}\nsize      ${formatBytes(found.bytes)}\npath      `);
  await printExact(context, found.path);
}

async function clear(context: Context): Promise<void> {
  const { folder, reason } = cacheFolderOf(contextLibrary(context));
  if (folder === undefined) {
    throw new SessionError("unsafe-store", `Cannot clear the cache: ${reason}`);
  }
  const { dropIndex } = await import("../lib/search/index/index_status.ts");
  if (dropIndex(folder) === "locked") throw indexLocked(folder);
  const { clearCache } = await import("../lib/library/cache/cache_status.ts");
  await say(context, clearCache(folder) ? "The cache is cleared" : "There is no cache");
}
