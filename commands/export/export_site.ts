/** Writes many sessions as a site: a folder of pages with lists and a search. */
import { join, resolve } from "node:path";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { present } from "../../lib/core/event/present.ts";
import type { SiteFolder } from "../../lib/features/export/site_folder.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import type { Library } from "../../lib/library/library.ts";
import type { SessionEntry } from "../../lib/library/query/query.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import { counted } from "../../lib/core/event/counted.ts";
import type { ToolDetail } from "../../lib/text/render/block/block.ts";
import type { SiteRow } from "../../lib/text/render/html_site/site_pages.ts";
import type { WriteFile } from "../../lib/text/render/html_site/word_index.ts";
import { collected, type Flags, type FlagsOf } from "../_command.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { findScoped } from "../_scope.ts";
import { asksWords, wordsIn } from "../../lib/core/store/session_words.ts";
import { refuseBadQuery } from "../search/find_hits.ts";
import { AGENT_FLAG, WORD_FLAGS } from "../_scope_flags.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { parseSince, parseUntil, TIMES } from "../_values.ts";
import { startProgress } from "../../lib/frontends/ui/progress.ts";
import {
  documentParts,
  exportReader,
  exportSummary,
  headerOf,
  surveyed,
  surveyKinds,
} from "./read_export.ts";

export const SITE_FLAGS = {
  "-a, --all":
    "write many sessions as a site (a folder of pages) into the folder --out; the flags below " +
    "choose the sessions",
  "--project <project>": "write the sessions of this project (its name or directory) as a site",
  ...AGENT_FLAG,
  "--since <time>": { help: `only sessions updated since this time: ${TIMES}`, parse: parseSince },
  "--until <time>": {
    help: "only sessions last updated at or before this time (same formats as --since)",
    parse: parseUntil,
  },
  "--title <text>": WORD_FLAGS["--title <text>"],
  "--branch <name>": WORD_FLAGS["--branch <name>"],
  "--model <text>": WORD_FLAGS["--model <text>"],
  "--tag <tag>": WORD_FLAGS["--tag <tag>"],
  "--query <words>": {
    help: "only sessions that match these search words",
    parse: collected,
  },
} as const satisfies Flags;

type SiteFlags = FlagsOf<typeof SITE_FLAGS>;

interface SitePlan extends SiteFlags {
  out: string;
  redact: boolean;
  tools?: ToolDetail | undefined;
}

export function choosesSessions(flags: SiteFlags): boolean {
  const { all, project, agent, since, until, query } = flags;
  const is_chosen = [all, project, agent, since, until, query].some((value) => value !== undefined);
  return is_chosen || asksWords(wordsIn(flags));
}

export async function exportSite(context: Context, plan: SitePlan): Promise<void> {
  const path = resolve(context.cwd, plan.out);
  const { entries, unread } = await chosen(context, plan);
  if (entries.length === 0) {
    if (unread.size === 0) return await say(context, "No session matches all of these flags");
    await say(context, "No session could be read. To see why: reprise doctor");
    throw new CommandExit(STATUS.failed);
  }
  const { SiteFolder } = await import("../../lib/features/export/site_folder.ts");
  using folder = new SiteFolder(path, plan.redact);
  const tally = { written: 0, unchanged: 0, secrets: 0, failed: 0 };
  const progress = await startProgress(context, "Writing sessions", String);
  try {
    await untilInterrupted(async (signal) => {
      for (const [at, entry] of entries.entries()) {
        signal.throwIfAborted();
        await writeOne(context, folder, entry, { plan, tally, signal });
        progress.show(at + 1, entries.length);
      }
    });
    await writeLists(context, folder);
  } catch (error) {
    progress.end();
    const left = entries.length - tally.written - tally.unchanged - tally.failed;
    if (left > 0) {
      await say(
        context,
        `${counted(left, "session")} not written yet. To continue, run the same command again`,
      );
    }
    throw error;
  }
  progress.end();
  await tell(context, join(plan.out, "index.html"), tally);
  // A site without the sessions of an agent is not what was asked for.
  if (tally.failed > 0 || unread.size > 0) throw new CommandExit(STATUS.failed);
}

type Tally = Record<"written" | "unchanged" | "secrets" | "failed", number>;

async function tell(
  context: Context,
  path: string,
  { written, unchanged, secrets, failed }: Tally,
): Promise<void> {
  const parts = [
    `${counted(written, "session")} written`,
    ...(unchanged > 0 ? [`${unchanged} unchanged`] : []),
    ...(failed > 0 ? [`${failed} left out`] : []),
    ...(secrets > 0 ? [`${counted(secrets, "secret")} replaced`] : []),
  ];
  await say(context, `Wrote ${path}: ${parts.join(", ")}`);
}

/**
 * Finds the sessions that the flags choose. Prints and returns the messages about unreadable
 * sessions.
 */
async function chosen(
  context: Context,
  { project, agent, since, until, query, ...words }: SitePlan,
): Promise<{ entries: readonly SessionEntry[]; unread: ReadonlySet<string> }> {
  const library = contextLibrary(context);
  const unread = new Set<string>();
  const onError = ({ message }: SessionError): unknown => unread.add(message);
  const scope = project === undefined ? { all: true as const } : { project };
  const asked = { since, until, ...wordsIn(words), onError };
  const { entries } = await findScoped(context, library, present({ ...scope, agent }), asked);
  const found = query === undefined
    ? entries
    : await withWords(context, library, entries, query.join(" "), unread);
  for (const message of unread) await say(context, `reprise: ${message}`);
  return { entries: found, unread };
}

/** Returns the entries that match `query`, in their order. Adds read errors' messages to `told`. */
async function withWords(
  context: Context,
  { cache, kept, marks }: Library,
  entries: readonly SessionEntry[],
  query: string,
  told: Set<string>,
): Promise<readonly SessionEntry[]> {
  const { EXACT_TIERS, searchTiers, tierText } = await import("../../lib/library/search/tiers.ts");
  const request = { query, limit: Infinity, by_session: true, now: context.now().getTime() };
  await refuseBadQuery(request);
  const options = { cache, kept, marks };
  const { hits, tier, unread } = await searchTiers(
    entries,
    { ...request, count_all: true, tiers: EXACT_TIERS },
    options,
  );
  if (tier === "session") await say(context, tierText({ tier }));
  for (const { message } of unread) told.add(message);
  const refs = new Set(hits.map(({ ref }) => ref));
  return entries.filter(({ ref }) => refs.has(ref));
}

/** Skips pages that are up to date. Prints an error and continues, unless the disk is full. */
async function writeOne(
  context: Context,
  folder: SiteFolder,
  entry: SessionEntry,
  { plan, tally, signal }: { plan: SitePlan; tally: Tally; signal: AbortSignal },
): Promise<void> {
  const { siteDigest, siteName } = await import("../../lib/features/export/site_folder.ts");
  const name = siteName(entry.ref);
  try {
    const row = await entry.row();
    const { changed: _, ...state } = entry.state ?? { changed: 0 };
    const shape = [context.version, plan.tools ?? "full"];
    const digest = siteDigest([row?.title, row?.updated_at, state, ...shape]);
    if (folder.has(name, digest)) {
      tally.unchanged++;
      return;
    }
    await folder.writeSession(name, digest, async (write) => {
      const source = await entry.open();
      return await rowOf(await writePages(context, source, { plan, tally, signal, write }));
    });
    tally.written++;
  } catch (error) {
    // A full disk stops all; a session that cannot be read does not.
    if (!(error instanceof SessionError) || error.code === "disk-full") throw error;
    tally.failed++;
    await say(context, `reprise: ${error.message}`);
  }
}

/** Returns the summary that the written pages show. Counts replaced secrets in `tally`. */
async function writePages(
  context: Context,
  source: SessionHandle,
  { plan, tally, signal, write }: {
    plan: SitePlan;
    tally: Tally;
    signal: AbortSignal;
    write: WriteFile;
  },
): Promise<Summary> {
  const { exportDocument } = await import("../../lib/features/export/export_document.ts");
  const { SITE_INDEX } = await import("../../lib/features/export/site_folder.ts");
  const summary = await exportSummary(source, "html");
  const read = await exportReader(source, { all: true });
  const found = { add: () => void tally.secrets++ };
  const redactor = plan.redact
    ? await surveyed(read(() => {}, surveyKinds(source)), summary, found)
    : undefined;
  const header = headerOf(context, summary, redactor);
  const { tools } = plan;
  const document = await exportDocument(
    "html",
    present({ tools, onPage: write, site: SITE_INDEX }),
  );
  document.begin(header);
  for await (const _ of documentParts(document, read(() => {}, document.needs), redactor)) {
    signal.throwIfAborted();
  }
  document.end();
  return header.summary;
}

async function rowOf(summary: Summary): Promise<Omit<SiteRow, "href">> {
  const { sessionTitle } = await import("../../lib/text/render/html_document/page.ts");
  const { formatCost } = await import("../../lib/text/render/usage_text.ts");
  const { agent, cwd = "", updated_at = "", models = [] } = summary;
  const facts = [...models, formatCost(summary)];
  return { title: sessionTitle(summary), agent, project: cwd, updated_at, facts };
}

async function writeLists(context: Context, folder: SiteFolder): Promise<void> {
  const pages = await import("../../lib/text/render/html_site/site_pages.ts");
  const { searchPage } = await import("../../lib/text/render/html_site/search_page.ts");
  const { passagesOf, WordIndex } = await import("../../lib/text/render/html_site/word_index.ts");
  const generator = `reprise ${context.version}`;
  folder.writeIndex(generator, (write) => {
    const sessions = folder.sessions.toSorted(({ row: one }, { row: other }) =>
      one.updated_at < other.updated_at ? 1 : one.updated_at > other.updated_at ? -1 : 0
    );
    const rows = sessions.map(({ row }) => row);
    for (const [name, text] of pages.sitePages(rows, generator)) write(name, text);
    write("search.html", searchPage(pages.siteTitle(rows), generator, pages.listLinks("search")));
    const index = new WordIndex(write);
    for (const session of sessions) {
      const { title, agent, project, updated_at } = session.row;
      const note = [updated_at.slice(0, 10), agent, project].filter((text) => text !== "");
      for (const page of session.pages) {
        const href = `sessions/${session.name}/${page}.html`;
        const of_several = page === "index" ? "" : ` · page ${page}`;
        index.add(
          { href, title: title + of_several, note: note.join(" · ") },
          passagesOf(folder.passages(session, page)),
        );
      }
    }
    index.end();
  });
}
