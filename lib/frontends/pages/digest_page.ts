/** Renders what was done in a timespan, project by project. */
import { errorText } from "../../core/event/error_text.ts";
import type { SessionError } from "../../core/event/session_error.ts";
import { loadPrices } from "../../library/counts/usage/load_prices.ts";
import {
  costOf,
  digestOf,
  type ProjectDigest,
  type SessionDigest,
} from "../../features/digest/digest.ts";
import { countsText, fileNames, openPoint } from "../../features/digest/digest_words.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../text/render/html_document/html.ts";
import { originTitle } from "../../text/render/origin_title.ts";
import { directoryText } from "../../text/render/path_text.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";

import { filterQuery, sinceOf, SPANS } from "./list/filter.ts";
import { whileRunning } from "./page_stream.ts";
import { costText } from "./cost_text.ts";
import { emptyHtml } from "./session_labels.ts";
import { commitLink } from "./session/commit_page.ts";
import type { SiteContext } from "./site_context.ts";
import { type PageResponse, sessionLink, sitePage } from "./site_frame.ts";

const USUAL_SPAN = "1d";
const CHOICES = [USUAL_SPAN, "7d", "30d"];
/** Maximum number of prompts that are listed of a session, and of files of a project. */
const MOST_PROMPTS = 30;
const MOST_FILES = 40;

export function digestPage(site: SiteContext, query: URLSearchParams): PageResponse {
  const chosen = query.get("since") ?? USUAL_SPAN;
  const span = CHOICES.includes(chosen) ? chosen : USUAL_SPAN;
  const links = CHOICES.map((one) => {
    const name = SPANS[one]?.name ?? one;
    const href = `digest${filterQuery({}, { since: one })}`;
    return one === span
      ? safe`<a href="${href}" aria-current="true">${name}</a>`
      : safe`<a href="${href}">${name}</a>`;
  });
  const body = safe`<h1>What was done</h1>
<nav class="pages" aria-label="Time">${joinHtml(links)}</nav>
`;
  const rest = (): AsyncIterable<SafeHtml> => stagesHtml(site, span);
  return sitePage({ title: "Digest", place: "digest", body, rest }, site.version);
}

/** Renders the progress while reading, then the digest. The style shows only the last stage. */
async function* stagesHtml(site: SiteContext, span: string): AsyncGenerator<SafeHtml> {
  let done = 0;
  const unread = new Set<string>();
  const reading = digestSince(site, span, {
    onProgress: (count) => done = count,
    onError: ({ message }) => unread.add(message),
  });
  for await (const _ of whileRunning(reading)) {
    const text = `Reading: ${done} sessions`;
    yield safe`<section class="stage"><p class="note" role="status">${text}</p></section>\n`;
  }
  try {
    const projects = await reading;
    const notices = [...unread].map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>\n`);
    const all = countsText(projects, costOf(projects.map(({ cost }) => cost)));
    if (projects.length === 0) {
      const [longer] = CHOICES.slice(CHOICES.indexOf(span) + 1);
      yield safe`<section class="stage">${joinHtml(notices)}${
        emptyHtml(
          "Nothing was done",
          `No session of any agent was active (${SPANS[span]?.name ?? span}).`,
          longer === undefined
            ? safe`<a class="act" href="./">Show all sessions</a>`
            : safe`<a class="act" href="digest${filterQuery({}, { since: longer })}">Show the ${
              SPANS[longer]?.name
            }</a>`,
        )
      }</section>`;
      return;
    }
    yield safe`<section class="stage" aria-label="Projects">
${joinHtml(notices)}<p class="note">${all}</p>
${joinHtml(projects.map((project) => projectHtml(site, project)))}</section>`;
  } catch (error) {
    yield safe`<section class="stage">
<p class="notice">${sanitizeLine(errorText(error))}</p></section>`;
  }
}

interface Told {
  onProgress: (count: number) => void;
  onError: (error: SessionError) => void;
}

async function digestSince(
  { library, now }: SiteContext,
  span: string,
  told: Told,
): Promise<ProjectDigest[]> {
  const since = sinceOf({ span }, now()) ?? new Date(0);
  const { entries } = await library.query({ since, archived: "any", onError: told.onError });
  const { estimate } = await loadPrices({ root: library.place.root });
  return await digestOf(library, entries, { since }, { estimate, ...told });
}

function projectHtml(site: SiteContext, project: ProjectDigest): SafeHtml {
  const { sessions, commits, cost } = project;
  const files = fileNames(project);
  const more = files.length - MOST_FILES;
  const [first] = sessions;
  const list = files.slice(0, MOST_FILES).map((name) => safe`<li><code>${name}</code></li>`);
  return safe`<section class="done">
<h2>${directoryText(project.project, site.home)}</h2>
<p class="note">${countsText([project], cost)}</p>
${joinHtml(sessions.map((session) => sessionHtml(site, session)))}
${
    list.length === 0 ? NOTHING : safe`<details><summary>Changed files</summary>
<ul>${joinHtml(list)}${more > 0 ? safe`<li>… ${more} more</li>` : NOTHING}</ul></details>
`
  }${
    commits.length === 0 ? NOTHING : safe`<details open><summary>Commits</summary>
<ul>${
      joinHtml(
        commits.map(({ hash, subject }) =>
          safe`<li><code>${
            first === undefined
              ? hash.slice(0, 8)
              : safe`<a href="${commitLink(first.row.ref, hash)}">${hash.slice(0, 8)}</a>`
          }</code> ${sanitizeLine(subject)}</li>`
        ),
      )
    }</ul></details>
`
  }</section>
`;
}

function sessionHtml(site: SiteContext, session: SessionDigest): SafeHtml {
  const { row, prompts, cost } = session;
  const point = openPoint(session);
  const about = [row.agent, row.git_branch ?? "", costText(cost)].filter((part) => part !== "");
  const more = prompts.length - MOST_PROMPTS;
  const items = prompts.slice(0, MOST_PROMPTS).map(({ time, text }) =>
    safe`<li>${time === undefined ? NOTHING : safe`<time>${site.format_time(time)}</time> `}${
      sanitizeLine(text)
    }</li>`
  );
  return safe`<h3><a href="${sessionLink(row.ref)}">${originTitle(row) || row.ref}</a></h3>
<p class="note">${sanitizeLine(about.join(", "))}${
    point === undefined ? NOTHING : safe` · <b class="${point.state}">${point.text}</b>`
  }</p>
${
    items.length === 0
      ? NOTHING
      : safe`<ul class="asked">${joinHtml(items)}${
        more > 0 ? safe`<li>… ${more} more</li>` : NOTHING
      }</ul>
`
  }`;
}
