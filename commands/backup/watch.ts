/** Backs up sessions continuously as they grow, and prints their changes. */
import type { KeptNews, WatchNews } from "../../lib/features/backup/watch_news.ts";
import { homeDirectory } from "./home_directory.ts";
import type { Context } from "../_context.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { contextLibrary } from "../_library.ts";
import { printJson, say } from "../_message.ts";
import { agentsOf } from "../_scope.ts";
import { contextStore } from "../_store.ts";
import { untilSignal } from "../_until_signal.ts";
import { present } from "../../lib/core/event/present.ts";

interface WatchFlags {
  agent?: string;
  json?: true;
}

/** Minimum number of milliseconds between two lines about the same growing session. */
const PRINT_MS = 10_000;

/**
 * Backs up sessions until ^C or SIGTERM.
 *
 * @throws {CommandExit} `cancelled` after ^C. SIGTERM is no failure, because it stops a service.
 */
export async function watchAll(context: Context, { agent, json }: WatchFlags): Promise<void> {
  const agents = agentsOf(agent);
  const { watchSessions } = await import("../../lib/features/backup/watch_sessions.ts");
  const print = await printer(context, json ?? false);
  await untilSignal(async (signal) => {
    const news = watchSessions(
      contextLibrary(context),
      contextStore(context),
      present({ signal, now: context.now, default_cwd: homeDirectory(context), agents }),
    );
    for await (const one of news) await print(one);
  });
}

async function printer(
  context: Context,
  json: boolean,
): Promise<(news: WatchNews) => Promise<void>> {
  if (json) return (news) => printJson(context, news);
  const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
  const { sanitizeLine } = await import("../../lib/text/render/sanitize.ts");
  const grown = new GrowthLines();
  return async (news) => {
    if (news.status === "trouble") {
      const about = news.ref === undefined ? "" : `${news.ref}: `;
      return await say(context, `reprise: ${about}${news.error}`);
    }
    if (news.status === "caught-up") {
      const what = `${counted(news.sessions, "session")}, ${formatBytes(news.added)} new`;
      return await say(context, `Watching ${what}; ^C ends`);
    }
    const added = grown.take(news);
    if (added === undefined) return;
    context.stdout.write(`${sanitizeLine(news.ref)}  ${lineOf(news, formatBytes(added))}\n`);
  };
}

/** Counter of each session's new bytes that no printed line has reported yet. */
class GrowthLines {
  readonly #printed = new Map<string, { at: number; added: number }>();

  /** Adds new bytes. Returns the sum, or undefined if the session's last line is too recent. */
  take({ ref, status, added, began }: KeptNews): number | undefined {
    const now = performance.now();
    const known = this.#printed.get(ref) ?? { at: -Infinity, added: 0 };
    const sum = known.added + added;
    const due = status === "gone" || began !== undefined || now - known.at >= PRINT_MS;
    this.#printed.set(ref, due ? { at: now, added: 0 } : { at: known.at, added: sum });
    return due ? sum : undefined;
  }
}

const BEGINNINGS: Readonly<Record<NonNullable<KeptNews["began"]>, string>> = {
  "first": "kept",
  "shrank": "was shortened",
  "rewritten": "was rewritten",
  "copy-damaged": "copied again, because the earlier copy was damaged",
};

function lineOf({ status, began, generation, session_id }: KeptNews, added: string): string {
  if (session_id !== undefined) return `imported as ${session_id.slice(0, 8)}`;
  if (status === "gone") return "deleted by its agent; the backup is kept";
  if (began === undefined) return `+${added}`;
  if (began === "first") return `kept, ${added}`;
  return `${BEGINNINGS[began]}: generation ${generation}, ${added}`;
}
