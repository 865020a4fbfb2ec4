/** `reprise index` */
import { counted } from "../lib/core/event/counted.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import type { Library } from "../lib/library/library.ts";
import type { IndexStatus } from "../lib/library/search/index/index_status.ts";
import type { AgentSession } from "../lib/agents/contract/agent.ts";
import { cacheFolderOf, contextLibrary, indexLocked, isCacheOff } from "./_library.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { printFitted, printJson, say } from "./_message.ts";
import { giveWay } from "../lib/core/platform/process.ts";
import { withProgress } from "../lib/frontends/ui/progress.ts";
import { present } from "../lib/core/event/present.ts";

export const indexCommand = defineCommand({
  description:
    "Manage the search index. The index is made from the sessions, so you can remove it and " +
    "build it again at any time.",
  commands: {
    build: defineCommand({
      summary: "index new and changed sessions",
      description:
        "Index all sessions of all agents. You can stop the build. The next build continues " +
        "where this one stopped.",
      flags: {
        "--fresh": "rebuild from scratch",
        "--background": { help: "run at low priority, and print nothing", hidden: true },
      },
      examples: ["reprise index build", "reprise index build --fresh"],
      run: async (context, { fresh = false, background }) => {
        const { updateIndex } = await import("../lib/library/search/index/index_update.ts");
        const library = contextLibrary(context);
        if (background) giveWay();
        const cache = cacheOf(library);
        if (isCacheOff(context)) {
          const message =
            "Cannot build the index: the cache is switched off. Leave out --no-cache, or run: " +
            "reprise config set cache.enabled true";
          throw new SessionError("invalid-config", message);
        }
        const sessions = await library.sessions();
        const { kept } = library;
        if (background) return void await updateIndex(cache, sessions, { kept, tidy: true });
        const started = performance.now();
        const result = await withProgress(
          context,
          "Indexing",
          (onProgress) => updateIndex(cache, sessions, { kept, fresh, tidy: true, onProgress }),
        );
        if (result.state === "locked") throw indexLocked(cache);
        const { formatBytes } = await import("../lib/text/render/byte_size.ts");
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        await say(context, `Read ${formatBytes(result.read_bytes)} in ${seconds} s`);
        await printStatus(context, cache, sessions);
      },
    }),
    status: defineCommand({
      summary: "show what is indexed",
      description: "Show what is indexed, and how many sessions are not indexed yet.",
      flags: { "--json": "print one JSON object" },
      examples: ["reprise index status", "reprise index status --json"],
      run: async (context, { json = false }) => {
        const library = contextLibrary(context);
        const cache = cacheOf(library);
        const sessions = await library.sessions();
        if (!json) return await printStatus(context, cache, sessions);
        const { indexStatus } = await import("../lib/library/search/index/index_status.ts");
        await printJson(context, indexStatus(cache, sessions));
      },
    }),
    drop: defineCommand({
      summary: "remove the index",
      description: "Remove the index. Without the index, searches find the same results but are " +
        "slower.",
      examples: ["reprise index drop", "reprise index drop && reprise index build"],
      run: async (context) => {
        const { dropIndex } = await import("../lib/library/search/index/index_status.ts");
        const cache = cacheOf(contextLibrary(context));
        const result = dropIndex(cache);
        if (result === "locked") throw indexLocked(cache);
        await say(context, result === "dropped" ? "The index is removed" : "There is no index");
      },
    }),
  },
  examples: ["reprise index build", "reprise index status --json"],
});

const STATES: Readonly<Record<IndexStatus["state"], string>> = {
  absent: "There is no index yet. To make searches faster: reprise index build",
  damaged: "The index is damaged and not used. To build it again: reprise index build",
  current: "The index is up to date",
  behind: "The index is out of date. To make searches faster: reprise index build",
};

async function printStatus(
  context: Context,
  cache: string,
  all: readonly AgentSession[],
): Promise<void> {
  const { indexStatus } = await import("../lib/library/search/index/index_status.ts");
  const { formatBytes } = await import("../lib/text/render/byte_size.ts");
  const found = indexStatus(cache, all);
  const { state, sessions, texts, bytes, behind_sessions, behind_bytes, passed_over } = found;
  const { stdout } = context;
  stdout.write(`${STATES[state]}\n`);
  if (state === "absent" || state === "damaged") return;
  stdout.write(`sessions  ${sessions} of ${all.length}\ntexts     ${texts}\n`);
  stdout.write(`size      ${formatBytes(bytes)}\n`);
  if (behind_sessions > 0) {
    stdout.write(
      `behind    ${counted(behind_sessions, "session")}, ${formatBytes(behind_bytes)}\n`,
    );
  }
  if (passed_over > 0) stdout.write(`scanned   ${passed_over} sessions that cannot be indexed\n`);
  await printFitted(context, `path      ${found.path}`);
}

function cacheOf(library: Library): string {
  const cache = cacheFolderOf(library);
  if (cache.reason === undefined) return cache.folder;
  const message = `Cannot use the index, because the cache folder cannot be used: ${cache.reason}`;
  throw new SessionError("unsafe-store", message, present({ path: library.place.cache }));
}
