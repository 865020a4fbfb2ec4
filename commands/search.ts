/** `reprise search` */
import type { FileTouches } from "../lib/features/blame/mod.ts";
import type { SessionError } from "../lib/core/event/session_error.ts";
import type { Library } from "../lib/library/library.ts";
import type { FoundSessions, SessionEntry } from "../lib/library/query/query.ts";
import type { SearchHit } from "../lib/library/search/search_task.ts";
import type { TieredRequest, TieredResult } from "../lib/library/search/tiers.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { say } from "./_message.ts";
import { wantsPage } from "./_page.ts";
import { printPaged } from "./_pager.ts";
import { SEARCH_FLAGS, type SearchFlags } from "./search/search_flags.ts";
import { refuseBadQuery, tellLate } from "./search/find_hits.ts";
import { findInOrder, MOST_COMPARED, refuseSortedPage, searchOrder } from "./search/sort_hits.ts";
import { tellRest } from "./search/tell_rest.ts";
import {
  type FoundHit,
  hitAsJson,
  renderHits,
  renderHitSessions,
  snippetSize,
} from "./search/search_hits.ts";
import { contextLibrary } from "./_library.ts";
import { touching } from "./_touching.ts";
import { findScoped, sayDays, tellScope } from "./_scope.ts";
import { needsCounts } from "../lib/core/store/session_order.ts";
import { asksWords, wordsIn } from "../lib/core/store/session_words.ts";
import { present } from "../lib/core/event/present.ts";

const ALSO_ACROSS = "Sessions that contain all words, but in different messages:";
/** The regular expression for a search without words. It matches every text that is not blank. */
const ANY_TEXT = "\\S";

const SYNTAX = `
Searches ignore upper and lower case, and also find words inside other words. If
a session has all the words, but in different messages, it is shown below the
other hits. --exact leaves such sessions out. If no session has all the words,
the prompts and answers with the most similar wording are shown, so you can ask
in your own words.
Put the query in single quotes, so that the shell does not change it:
  'parse error'    both words            '"parse error"'   next to each other
  'parse OR scan'  either word           'parse -error'    parse, without error
  'pars*'          starts with pars      '(a OR b) NOT c'
Without words, the newest messages that match the flags are shown.
The exit status is 0 if a session has the words. It is 1 if none has, even if
messages with similar words are shown.

Examples:
  reprise search '"disk full"' --since last-week
  reprise search parseRef --agent claude --role tool
  reprise search 'why did we drop the retry queue?'
  reprise search --role user --since yesterday --until yesterday -n 1
  reprise search --regex 'TODO\\(\\w+\\)' --cwd . --json`;

export const searchCommand = defineCommand({
  description:
    "Search this project's sessions, of all agents. If nothing is found, search all projects.",
  arguments: [["[query...]", "words to search for"]],
  flags: SEARCH_FLAGS,
  notes: SYNTAX,
  run: (context, query, flags) => {
    const { words, tag } = withoutTag(query.join(" "));
    return search(context, words, present({ tag, ...flags }));
  },
});

/** Splits terms such as `tag:bug` from a query. Tags belong to the session, not to its messages. */
function withoutTag(query: string): { words: string; tag: string | undefined } {
  const [found, , tag] = /(^|\s)tag:([^\s"]+)(?=\s|$)/.exec(query) ?? [];
  return { words: found === undefined ? query : query.replace(found, "").trim(), tag };
}

async function search(context: Context, query: string, flags: SearchFlags): Promise<void> {
  const request = toRequest(context, query, flags);
  refuseSortedPage(flags);
  await refuseBadQuery(request);
  if (!flags.count) await sayDays(context, flags);
  const library = contextLibrary(context);
  const told = new Set<string>();
  const onError = ({ message }: SessionError): unknown => told.add(message);
  const here = await locate(context, library, flags, onError);
  let [all, shown]: (Scope | undefined)[] = [undefined, here];
  const late = new Set<TieredResult>();
  let scanned_bytes = 0;
  const findIn = async (entries: Scope["entries"], asked: TieredRequest): Promise<TieredResult> => {
    const result = await findInOrder(context, library, entries, { asked, flags });
    if (result.searched_in_time !== undefined) late.add(result);
    scanned_bytes += result.scanned_bytes;
    for (const { message } of result.unread) told.add(message);
    return result;
  };
  const is_held = here.directories !== undefined &&
    (flags.here === true || (flags.cwd ?? flags.project) !== undefined);
  const findOthers = async (asked: TieredRequest): Promise<TieredResult> => {
    all ??= await locate(context, library, { ...flags, all: true }, onError);
    const known = new Set(here.entries.map(({ ref }) => ref));
    return await findIn(all.entries.filter(({ ref }) => !known.has(ref)), asked);
  };
  const { findTiers } = await import("./search/find_tiers.ts");
  const find = async (asked: TieredRequest): Promise<TieredResult> => {
    const result = await findTiers(asked, {
      findHere: (asked) => findIn(here.entries, asked),
      findOthers: is_held || here.directories === undefined ? undefined : findOthers,
    });
    shown = result.is_wide ? all : here;
    return result;
  };
  const { NEEDS_INDEX, tierText } = await import("../lib/library/search/tiers.ts");
  const tell = async (result: TieredResult): Promise<void> => {
    const { hits, needs_index } = result;
    for (const message of told) await say(context, `reprise: ${message}`);
    if (shown !== here) {
      await say(context, "Nothing in this project. In all projects:");
    }
    const about = hits.length > 0 ? tierText(result) : "";
    if (about !== "") await say(context, about);
    if (hits.length > 0 || late.size > 0) return;
    const is_searched = (all ?? here).entries.length > 0;
    if (!is_searched && told.size > 0) {
      return await say(context, "No session could be read. To see why: reprise doctor");
    }
    const none = is_searched ? noneText(query, is_held, flags.role) : nothingToSearch(flags, here);
    await say(context, none);
    if (needs_index) await say(context, NEEDS_INDEX);
  };
  const describeShown = (
    hits: readonly SearchHit[],
    from: Pick<TieredResult, "tier" | "strength">,
  ): Promise<FoundHit[]> => describe(hits, from, shown ?? here);
  let is_found: boolean;
  if (wantsPage(flags)) {
    const { searchPage } = await import("./search/search_page.ts");
    is_found = await searchPage(context, request, flags, { find, tell, describe: describeShown });
  } else {
    const result = await find(request);
    const { hits, tier, total } = result;
    is_found = hits.length > 0 && tier !== "wording";
    if (!flags.count || is_found) await tell(result);
    if (flags.count) {
      context.stdout.write(flags.json ? `${JSON.stringify({ hits: total })}\n` : `${total}\n`);
    } else await print(context, await describeShown(hits.slice(0, flags.limit), result), flags);
    if (late.size === 0 && mayShowMore(result, request, flags)) {
      const known = new Set([...hits.map(({ ref }) => ref), ...result.copies ?? []]);
      const others = (shown ?? here).entries.filter(({ ref }) => !known.has(ref));
      const limit = flags.limit - hits.length;
      const across = await findIn(others, { ...request, tiers: ["session"], limit });
      if (across.hits.length > 0) {
        await say(context, ALSO_ACROSS);
        await print(context, await describeShown(across.hits, across), flags);
      }
    }
    if (is_found && !flags.count && late.size === 0) await tellRest(context, result, flags);
    if (hits.length > 0 && shown === here) {
      await tellScope(context, here, flags, "searched");
    }
  }
  await tellLate(context, late, here.entries.length);
  // Prompts of deleted sessions are in no index.
  if (!flags.gone) {
    const { updateIndexLater } = await import("./search/background_index.ts");
    await updateIndexLater(context, (all ?? here).entries, { scanned_bytes });
  }
  if (!is_found) throw new CommandExit(STATUS.failed);
}

/**
 * True if sessions that have the words in different messages may follow the printed hits. Always
 * false for JSON and counts, because programs read that output.
 */
function mayShowMore(
  { hits, tier: answering }: TieredResult,
  { query, regex, tiers }: TieredRequest,
  { count, json, limit }: SearchFlags,
): boolean {
  if (count || json || regex || tiers !== undefined || answering !== "message") return false;
  return hits.length > 0 && hits.length < limit && /\S\s+\S/.test(query);
}

/** The sessions to search. With `--file`, also each session's changes to that file. */
interface Scope extends Pick<FoundSessions, "entries" | "directories"> {
  changes?: ReadonlyMap<SessionEntry, FileTouches>;
}

async function locate(
  context: Context,
  library: Library,
  { here, cwd, project, ...others }: SearchFlags,
  onError: (error: SessionError) => void,
): Promise<Scope> {
  const { gone, file, all, sort } = others;
  const flags = all ? others : present({ here, cwd, project, ...others });
  const exact = needsCounts(sort);
  const asked = {
    ...wordsIn(others),
    archived: "any" as const,
    gone,
    exact,
    members: true,
    onError,
  };
  const found = await findScoped(context, library, flags, asked);
  if (file === undefined) return found;
  const changes = await touching(context, found.entries, file, onError);
  return { ...found, entries: [...changes.keys()], changes };
}

async function print(
  context: Context,
  found: readonly FoundHit[],
  { json, sessions }: SearchFlags,
): Promise<void> {
  if (json) { for (const one of found) context.stdout.write(await hitAsJson(one)); }
  else if (sessions) await printPaged(context, await renderHitSessions(context, found));
  else if (found.length > 0) await printPaged(context, await renderHits(context, found));
}

function nothingToSearch(flags: SearchFlags, { directories }: Scope): string {
  const { agent = "all", file, tag } = flags;
  if (asksWords({ ...wordsIn(flags), tag: undefined })) {
    const place = directories === undefined ? "" : ` of ${directories[0]}`;
    const elsewhere = directories === undefined ? "" : "\nSearch all projects: add --all";
    return `No session${place} matches all of these flags${elsewhere}`;
  }
  const by = agent === "all" ? "" : ` by ${agent}`;
  const tagged = tag === undefined ? by : `${by} with the tag ${tag}`;
  const who = file === undefined ? tagged : `${tagged} that changed ${file}`;
  if (directories === undefined) return `There are no sessions${who} to search`;
  return `No sessions of ${directories[0]}${who}. To search all projects, add --all`;
}

function noneText(query: string, is_held: boolean, role: string | undefined): string {
  const what = query === "" ? "has such a message" : `mentions: ${query}`;
  const none = is_held
    ? `No session of this project ${what}\nSearch all projects: add --all`
    : `No session ${what}`;
  const only = `Only messages with the role ${role} were searched`;
  return role === undefined ? none : `${none}\n${only}. To search all messages, omit --role`;
}

function toRequest(context: Context, query: string, flags: SearchFlags): TieredRequest {
  const { since, until, role, count: count_all = false, sessions = false, limit } = flags;
  const is_any = query === "";
  const is_chosen = asksWords(flags) || [role, since, until, flags.file].some(Boolean);
  if (is_any && !is_chosen) {
    throw new UsageError("give words to search for: reprise search WORDS");
  }
  return present({
    query: is_any ? ANY_TEXT : query,
    regex: is_any || (flags.regex ?? false),
    sort: searchOrder(flags) ?? (is_any ? "time" : "relevance"),
    limit: sessions ? Infinity : count_all ? MOST_COMPARED : limit,
    count_all: count_all || sessions,
    by_session: sessions || undefined,
    tiers: flags.exact ? ["message"] : flags.any ? ["wording"] : undefined,
    snippet_size: snippetSize(context, flags),
    now: context.now().getTime(),
    roles: role === undefined ? undefined : [role],
    since: since?.getTime(),
    until: until?.getTime(),
  });
}

async function describe(
  hits: readonly SearchHit[],
  { tier, strength }: Pick<TieredResult, "tier" | "strength">,
  { entries, changes }: Scope,
): Promise<FoundHit[]> {
  if (hits.length === 0) return [];
  const { hitRows } = await import("../lib/library/search/hit_rows.ts");
  const rows = await hitRows(entries, new Set(hits.map(({ ref }) => ref)));
  const changed = new Map(entries.map((entry) => [entry.ref, changes?.get(entry)]));
  return hits.flatMap((hit) => {
    const row = rows.get(hit.ref);
    return row === undefined
      ? []
      : [{ hit, tier, strength, ...row, changed: changed.get(hit.ref) }];
  });
}
