/** Renders a page of a session. */
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { runningAmong } from "../../../library/running/running_among.ts";
import {
  contentsHtml,
  sessionTitle,
  skipHtml,
  type TurnLink,
  turnsHere,
  withoutMarks,
} from "../../../text/render/html_document/page.ts";
import { PAGE_SCRIPT } from "../../../text/render/html_document/page_script.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { createView } from "../../../text/render/html_document/view.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { firstLine } from "../../../text/render/text_width.ts";
import {
  barHtml,
  eventsHtml,
  htmlResponse,
  type PageResponse,
  sessionLink,
  siteFrame,
} from "../site_frame.ts";
import {
  type ItemLook,
  itemNumber,
  type ItemPage,
  pageAt,
  pageBefore,
  pageOfHit,
} from "./item_page.ts";
import { blameLink } from "./blame_page.ts";
import { railHtml } from "./rail.ts";
import { headHtml } from "./session_head.ts";
import type { OpenedSession } from "./opened_sessions.ts";
import { type HitStart, hitStep } from "./hit_page.ts";
import { eventAt, showsWords, unseenHtml } from "./hit_excerpt.ts";
import type { SiteContext } from "../site_context.ts";
import { numberIn, oddPlaces, wordsIn } from "./session_place.ts";
import { subagentsIn } from "./subagents.ts";
import { SITE_SCRIPT } from "../site_script.ts";

const FRAME = siteFrame(PAGE_SCRIPT + SITE_SCRIPT);

/** Maximum number of turns that the table of contents lists before the page, and after it. */
const NEAR = 100;
const TITLE = 90;
/** The anchor after the last item of a page. */
const END = "end";

export async function sessionPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const opened = await site.sessions.open(query.get("ref") ?? "", query.get("thread") ?? undefined);
  const { ref, thread } = opened;
  const { summary } = await opened.summary();
  // No file of the session shows that it has ended.
  const running = (await runningAmong(site.library, [summary], false)).get(summary.ref);
  const look = {
    view: () =>
      createView({
        ...{ tools: "full", format_time: site.format_time, renders_prompts: true },
        blame: (path) => blameLink(ref, path),
      }),
    link: (item: number) => sessionLink(ref, { ...thread, from: String(item), whole: "1" }),
    turns: (await opened.vitals()).totals,
    ...running && present({ runs_from: (await opened.vitals()).turns.at(-1)?.seq }),
    cwd: summary.cwd,
    subagents: subagentsIn(ref, await opened.threads()),
  };
  const { page, odd } = await placedItems(opened, query, look);
  const title = sessionTitle(summary);
  const steps = (side: string): SafeHtml =>
    stepsHtml(opened, page, { words: wordsIn(query), side });
  const html = safe`${
    FRAME.head({ title: `${title} · Reprise`, generator: `reprise ${site.version}` })
  }<body class="served" id="top"${eventsHtml(`events?${new URLSearchParams({ ref, ...thread })}`)}>
${skipHtml()}
${barHtml("session", { ref, ...thread })}
${await headHtml(opened, site, running)}
<main id="main">
${joinHtml(odd.map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>`))}
${steps("above")}
<div id="items" data-live="grow">
${page.html}
</div>
<span id="${END}"></span>
${steps("below")}
</main>
${contentsHtml(turnsAround(opened, page))}
${await railHtml(opened, summary)}${FRAME.script}</body>
</html>
`;
  return htmlResponse(html, FRAME.policy);
}

async function placedItems(
  opened: OpenedSession,
  query: URLSearchParams,
  look: ItemLook,
): Promise<{ page: ItemPage; odd: readonly string[] }> {
  const odd = oddPlaces(query);
  const page = await shownItems(opened, query, look);
  if (page.end > page.first || opened.items.progress.total === 0) return { page, odd };
  const [name, other] = page.first === 0
    ? ["start", await pageAt(opened, 0, look)]
    : ["end", await pageBefore(opened, undefined, look)];
  return {
    page: other,
    odd: [
      ...odd,
      `The session has no message or event at this place. Its ${name} is shown instead`,
    ],
  };
}

async function shownItems(
  opened: OpenedSession,
  query: URLSearchParams,
  look: ItemLook,
): Promise<ItemPage> {
  const before = numberIn(query, "before");
  if (before !== undefined || query.get("end") === "1") {
    return await pageBefore(opened, before, look);
  }
  const seq = numberIn(query, "seq");
  if (seq === undefined) {
    return await pageAt(opened, numberIn(query, "from") ?? 0, look, query.get("whole") === "1");
  }
  const item = await itemNumber(opened.items, seq);
  const words = wordsIn(query);
  // Events after the last item, such as a new title, are no items.
  const event = item === undefined ? await eventAt(opened, seq) : undefined;
  if (item === undefined && event === undefined) {
    throw new SessionError("not-found", `Cannot find event ${seq}: the session has fewer events`);
  }
  const page = item === undefined
    ? await pageBefore(opened, undefined, look)
    : await pageOfHit(opened, { ...look, hit: { item, words } });
  if (words.length === 0 || item !== undefined && showsWords(page.html, words)) return page;
  const unseen = unseenHtml(event ?? await eventAt(opened, seq), words);
  return { ...page, html: safe`${unseen}${page.html}` };
}

function stepsHtml(
  opened: OpenedSession,
  { first, next }: ItemPage,
  { words, side }: { words: readonly string[]; side: string },
): SafeHtml {
  const { ref, thread } = opened;
  const link = (text: string, more: Record<string, string>, anchor?: string): SafeHtml =>
    safe`<a href="${sessionLink(ref, { ...thread, ...more }, anchor)}">${text}</a>`;
  // The page's script puts the words of its search field into these links.
  const hit = (name: string, text: string, place: HitStart): SafeHtml[] => [
    safe`<a data-hit-page="${name}" href="${hitStep(opened, words, place)}"${
      words.length === 0 ? safe` hidden` : NOTHING
    }>${text}</a>`,
  ];
  const links = [
    ...(first === 0
      ? []
      : hit("previous", "Previous page with a match", { before: String(first) })),
    ...(first === 0 ? [] : [link("Start", {}), link("Earlier", { before: String(first) })]),
    ...(next === undefined
      ? []
      : [link("Later", { from: String(next) }), link("End", { end: "1" }, END)]),
    ...(next === undefined ? [] : hit("next", "Next page with a match", { from: String(next) })),
  ];
  // A session that grows may get these links later.
  return safe`<nav class="steps" id="steps-${side}" data-live=""${
    links.length === 0 ? safe` hidden` : NOTHING
  } aria-label="Pages of the session, ${side}">${joinHtml(links)}</nav>`;
}

/** Returns the page's turns, and up to `NEAR` known turns before the page and after it. */
function turnsAround(
  { ref, thread, items }: OpenedSession,
  { first, end, contents }: ItemPage,
): TurnLink[] {
  const turns = items.prompts.map(({ item, seq, text }, index) => ({
    item,
    number: index + 1,
    href: sessionLink(ref, { ...thread, from: String(item) }, `e${seq}`),
    title: firstLine(text, TITLE) || "(no text)",
  }));
  // If only the session's end was read, all known turns are before the page.
  const before = turns.filter(({ item }) => first < 0 || item < first).slice(-NEAR);
  const after = turns.filter(({ item }) => first >= 0 && item >= end).slice(0, NEAR);
  return [...before, ...turnsHere(contents), ...after]
    .map((turn) => ({ ...turn, title: withoutMarks(turn.title) }));
}
