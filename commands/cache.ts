/** `reprise cache` */
import { SessionError } from "../lib/core/event/session_error.ts";
import type { CacheStatus } from "../lib/library/catalogue/cache/cache_status.ts";
import { cacheFolderOf, contextLibrary, indexLocked, isCacheOff } from "./_library.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { printFitted, printJson, say } from "./_message.ts";

export const cacheCommand = defineCommand({
  description: "Manage the cache. It contains data read from sessions, and the search index. You " +
    "can clear the cache at any time: commands then print the same results, but are slower.",
  commands: {
    status: defineCommand({
      summary: "show the cache folder and its size",
      description:
        "Show whether the cache is used, its folder, its size and its number of sessions.",
      flags: { "--json": "print one JSON object" },
      examples: ["reprise cache status", "reprise cache status --json"],
      run: status,
    }),
    clear: defineCommand({
      summary: "remove the cache",
      description: "Remove the cache and the search index. The next commands are slower.",
      examples: ["reprise cache clear", "reprise cache clear && reprise index build"],
      run: async (context) => {
        const { folder, reason } = cacheFolderOf(contextLibrary(context));
        if (folder === undefined) {
          throw new SessionError("unsafe-store", `Cannot clear the cache: ${reason}`);
        }
        const { dropIndex } = await import("../lib/library/search/index/index_status.ts");
        if (dropIndex(folder) === "locked") throw indexLocked(folder);
        const { clearCache } = await import("../lib/library/catalogue/cache/cache_status.ts");
        await say(context, clearCache(folder) ? "The cache is cleared" : "There is no cache");
      },
    }),
  },
  examples: ["reprise cache status", "reprise cache clear"],
});

type Standing =
  | CacheStatus & { state: "used" | "off" }
  | { state: "unusable"; reason: string };

async function standing(context: Context): Promise<Standing> {
  const cache = cacheFolderOf(contextLibrary(context));
  if (cache.reason !== undefined) return { state: "unusable", reason: cache.reason };
  const { cacheStatus } = await import("../lib/library/catalogue/cache/cache_status.ts");
  const state = isCacheOff(context) ? "off" : "used";
  return { state, ...cacheStatus(cache.folder, context.version) };
}

async function status(context: Context, { json = false }: { json?: boolean }): Promise<void> {
  const found = await standing(context);
  const { stdout } = context;
  if (json) return await printJson(context, found);
  if (found.state === "unusable") {
    return await say(context, `The cache cannot be used: ${found.reason}`);
  }
  const { formatBytes } = await import("../lib/text/render/byte_size.ts");
  stdout.write(
    found.state === "off" ? "The cache is switched off\n" : "The cache is switched on\n",
  );
  stdout.write(`sessions  ${found.sessions}\nsize      ${formatBytes(found.bytes)}\n`);
  await printFitted(context, `path      ${found.path}`);
}
