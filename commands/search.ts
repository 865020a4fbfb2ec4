/** `reprise search` */
import type { FileTouches } from "../lib/blame/mod.ts";
import type { SessionError } from "../lib/event/session_error.ts";
import type { SearchResult } from "../lib/search/search.ts";
import { rowsOf } from "../lib/library/candidate.ts";
import type { SessionEntry } from "../lib/library/query.ts";
import type { SearchHit, SearchRequest } from "../lib/search/search_task.ts";
import type { SearchRole } from "../lib/search/searchable_text.ts";
import { TEAM_REF } from "../lib/source/ref.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { say } from "./_message.ts";
import { parseCount, parseSince } from "./_values.ts";
import { PAGE_FLAGS, wantsPage } from "./_page.ts";
import { printPaged } from "./_pager.ts";
import { findHits, refuseBadQuery, tellLate } from "./search/find_hits.ts";
import { type FoundHit, hitAsJson, renderHits } from "./search/search_hits.ts";
import { findWithMirror } from "./_mirrored.ts";
import { FILE_FLAG, SCOPE_FLAGS, TAG_FLAG } from "./_scope_flags.ts";
import { contextLibrary } from "./_library.ts";
import { touching } from "./_touching.ts";
import { present } from "../lib/event/present.ts";
import { counted } from "../lib/render/counted.ts";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** The changes of sessions in the file that was asked for. */
type Changes = ReadonlyMap<SessionEntry, FileTouches>;

const ROLES: readonly SearchRole[] = ["user", "assistant", "reasoning", "tool", "context"];
const USUAL_COUNT = 20;

const SYNTAX = `
Words match in any case, also inside other words; all must be in one message.
In single quotes the shell passes the query unchanged:
  'parse error'    both                  '"parse error"'   next to each other
  'parse OR scan'  either                'parse -error'    one, not the other
  'pars*'          words that start so   '(a OR b) NOT c'

Examples:
  reprise search '"disk full"' --since 7d
  reprise search parseRef --agent claude --role tool
  reprise search --regex 'TODO\\(\\w+\\)' --cwd . --json`;

const SEARCH_FLAGS = {
  ...SCOPE_FLAGS,
  "--since <time>": {
    help: "said or done since: 30m, 12h, 7d, 2w, or a date",
    parse: parseSince,
  },
  ...TAG_FLAG,
  ...FILE_FLAG,
  "--remote": {
    help: "the team's store: summaries and redacted copies there; nothing is downloaded",
    conflicts: [
      ...["here", "cwd", "agent", "since", "tag", "file"],
      ...["gone", "role", "regex", "sort", "count", "maxChars", "cursor"],
    ],
  },
  "--gone": "prompts of deleted sessions instead; see: reprise list --gone",
  "--role <role>": { help: "only texts of this role", choices: ROLES },
  "--regex": "the query is a regular expression, or /expression/flags",
  "-n, --number <count>": {
    help: "maximum number of hits",
    parse: parseCount,
    default: USUAL_COUNT,
  },
  "--sort <order>": {
    help: "the order of the hits",
    choices: ["relevance", "time"],
    default: "relevance",
  },
  "--count": {
    help: "print the number of all hits; no session is left out",
    conflicts: ["maxChars", "cursor"],
  },
  "--json": "one hit a line",
  ...PAGE_FLAGS,
} as const satisfies Flags;

type SearchFlags = FlagsOf<typeof SEARCH_FLAGS>;

export const searchCommand = defineCommand({
  summary: "search all sessions",
  description:
    "Search this project's sessions, of all agents; if it has none, search all sessions.",
  arguments: [["<query...>", "words to search for"]],
  flags: SEARCH_FLAGS,
  notes: SYNTAX,
  run: (context, query, flags) => {
    const { words, tag } = withoutTag(query.join(" "));
    return search(context, words, present({ tag, ...flags }));
  },
});

/** Takes `tag:bug` out of a query: it is about the session, not about its messages. */
function withoutTag(query: string): { words: string; tag: string | undefined } {
  const [found, , tag] = /(^|\s)tag:([^\s"]+)(?=\s|$)/.exec(query) ?? [];
  const words = found === undefined ? query : query.replace(found, "").trim();
  return words === "" ? { words: query, tag: undefined } : { words, tag };
}

async function search(context: Context, query: string, flags: SearchFlags): Promise<void> {
  const request = toRequest(context, query, flags);
  await refuseBadQuery(request);
  if (flags.remote) {
    if (flags.tag !== undefined) throw new UsageError("--remote finds no tags: leave out tag:");
    const { searchRemote } = await import("./search/remote.ts");
    return await searchRemote(context, query, flags);
  }
  const library = contextLibrary(context);
  const told = new Set<string>();
  const onError = ({ message }: SessionError): unknown => told.add(message);
  const located = await findWithMirror(context, library, flags, {
    ...{ archived: "any" as const, tag: flags.tag, gone: flags.gone, onError },
  });
  const { directories } = located;
  const late = new Set<SearchResult>();
  const find = async (asked: SearchRequest): Promise<SearchResult> => {
    const result = await findHits(context, library, entries, asked);
    if (result.searched_in_time !== undefined) late.add(result);
    return result;
  };
  const changes = flags.file === undefined
    ? undefined
    : await touching(context, located.entries, flags.file, onError);
  const entries = changes === undefined ? located.entries : [...changes.keys()];
  if (entries.length === 0) {
    for (const message of told) await say(context, `reprise: ${message}`);
    const none = told.size > 0 ? "No session could be read" : nothingToSearch(flags, directories);
    return await say(context, none);
  }
  if (wantsPage(flags)) {
    const { searchPage } = await import("./search/search_page.ts");
    await searchPage(context, request, flags, {
      ...{ told, find },
      describe: (hits) => describe(hits, entries, changes),
    });
    return await tellLate(context, late, entries.length);
  }
  const result = await find(request);
  for (const { message } of result.unread) told.add(message);
  for (const message of told) await say(context, `reprise: ${message}`);
  if (flags.count) context.stdout.write(countText(result, flags));
  else {
    await print(context, await describe(result.hits, entries, changes), flags);
    if (late.size === 0) await tellRest(context, result, query);
    await tellUnsearched(context, library.root, flags);
  }
  await tellLate(context, late, entries.length);
  // Prompts of deleted sessions are in no index.
  if (flags.gone) return;
  const { updateIndexLater } = await import("./search/background_index.ts");
  await updateIndexLater(context, located.entries, result);
}

/** Returns the message for a scope without sessions. */
function nothingToSearch(
  { agent = "all", file, tag }: SearchFlags,
  directories: readonly string[] | undefined,
): string {
  const by = agent === "all" ? "" : ` by ${agent}`;
  const tagged = tag === undefined ? by : `${by} with the tag ${tag}`;
  const who = file === undefined ? tagged : `${tagged} that changed ${file}`;
  if (directories === undefined) return `There are no sessions${who} to search`;
  return `No sessions of ${directories[0]}${who}; search all directories: the same with --all`;
}

function toRequest(context: Context, query: string, flags: SearchFlags): SearchRequest {
  const { since, role, regex = false, sort, number: limit, count: count_all = false } = flags;
  return present({
    ...{ query, regex, sort, limit, count_all, now: context.now().getTime() },
    roles: role === undefined ? undefined : [role],
    since: since?.getTime(),
  });
}

/** Returns the hits with the names and summaries of their sessions. */
async function describe(
  hits: readonly SearchHit[],
  entries: readonly SessionEntry[],
  changes: Changes | undefined,
): Promise<FoundHit[]> {
  if (hits.length === 0) return [];
  const { shortIds } = await import("../lib/render/short_id.ts");
  const distinct = withoutTwins(hits);
  const hit_refs = new Set(distinct.map(({ ref }) => ref));
  const short = shortIds(
    entries.map(({ session: { agent, id: session_id }, ref }) => ({ agent, session_id, ref })),
  );
  const names = new Map(entries.map(({ ref }, index) => [ref, short[index] ?? ""]));
  const hit_entries = entries.filter(({ ref }) => hit_refs.has(ref));
  const changed_by = new Map(hit_entries.map((entry) => [entry.ref, changes?.get(entry)]));
  const rows = await rowsOf(hit_entries);
  const places = new Map(
    rows.map((summary) => [summary.ref, { summary, name: names.get(summary.ref) ?? "" }]),
  );
  return distinct.flatMap((hit) => {
    const place = places.get(hit.ref);
    return place === undefined ? [] : [{ hit, ...place, changed: changed_by.get(hit.ref) }];
  });
}

/** Leaves out a team's copies of hits in local sessions. */
function withoutTwins(hits: readonly SearchHit[]): SearchHit[] {
  const keyOf = (id: string, { seq, role, time }: SearchHit): string =>
    `${id}\0${seq}\0${role}\0${time}`;
  const here = new Set(
    hits.filter(({ ref }) => !ref.startsWith(TEAM_REF)).map((hit) => keyOf(hit.ref, hit)),
  );
  return hits.filter((hit) =>
    !hit.ref.startsWith(TEAM_REF) || !here.has(keyOf(hit.session_id, hit))
  );
}

async function print(
  context: Context,
  found: readonly FoundHit[],
  { json }: SearchFlags,
): Promise<void> {
  if (!json) return await printPaged(context, await renderHits(context, found));
  for (const one of found) context.stdout.write(await hitAsJson(one));
}

function countText({ total }: SearchResult, { json }: SearchFlags): string {
  return json ? `${JSON.stringify({ hits: total })}\n` : `${total}\n`;
}

/** Says that a team's store has more than what was pulled, as far as the last pull knows. */
async function tellUnsearched(
  context: Context,
  root: string,
  { gone, json }: SearchFlags,
): Promise<void> {
  if (gone || json || !existsSync(join(root, "sync.json"))) return;
  const { unsearchedSessions } = await import("../lib/team/unsearched_sessions.ts");
  const { sessions, is_all } = unsearchedSessions(root);
  if (is_all && sessions === 0) return;
  const number = `${is_all ? "" : "at least "}${counted(sessions, "shared session")}`;
  const what = sessions === 0 ? "shared sessions that were not pulled" : number;
  await say(context, `Not searched: ${what}; reprise search --remote asks the store`);
}

/** Says how many hits were not shown. */
async function tellRest(
  context: Context,
  { hits, total, possible }: SearchResult,
  query: string,
): Promise<void> {
  if (hits.length === 0) await say(context, `No session has: ${query}`);
  else if (possible > total) {
    await say(context, `at least ${total}; --count counts all; see more with -n`);
  } else if (total > hits.length) {
    const more = total - hits.length;
    await say(context, `${more} more; see more with -n, or narrow it: reprise search --help`);
  }
}
