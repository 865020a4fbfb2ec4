/** Renders which sessions and prompts wrote the lines that commits add. */
import { basename } from "node:path";
import { errorText } from "../../../core/event/error_text.ts";
import { present } from "../../../core/event/present.ts";
import { quoteWord } from "../../../core/platform/shell_word.ts";
import { type Commit, commitsIn } from "../../../core/workspace/git_commits.ts";
import { sessionDirectory } from "../../../core/workspace/session_directory.ts";
import { commonGitFolder } from "../../../core/workspace/project.ts";
import {
  blameCommits,
  type CommitBlame,
  type PromptLines,
  type SessionLines,
} from "../../../features/blame/blame_commits.ts";
import { costLines } from "../../../features/blame/writing_sessions.ts";
import { totalLines } from "../../../text/render/commit_table.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { originTitle } from "../../../text/render/origin_title.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { costText } from "../../../text/render/session_table.ts";
import { firstLine } from "../../../text/render/text_width.ts";
import { whileRunning } from "../page_stream.ts";
import { agentHtml, agoHtml } from "../session_labels.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, sessionLink, sitePage } from "../site_frame.ts";

const MOST_COMMITS = 50;
const PROMPT = 160;

export function commitLink(ref: string, revision?: string): string {
  return `commit?${new URLSearchParams(present({ ref, rev: revision }))}`;
}

/** Renders the blame of a revision in a session's repository; without one, lists the commits. */
export async function commitPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const { ref, handle } = await site.sessions.open(query.get("ref") ?? "");
  const revision = query.get("rev")?.trim() ?? "";
  const { cwd } = await handle.summary();
  const directory = sessionDirectory(cwd)?.local;
  const is_hash = /^[0-9a-f]{12,}$/.test(revision);
  const shown = sanitizeLine(is_hash ? revision.slice(0, 12) : revision);
  const title = revision === "" ? "Commits" : `Who wrote ${shown}`;
  const body = safe`<h1 dir="auto">${title}</h1>
<form class="revision" action="commit"><input type="hidden" name="ref" value="${ref}">
<label>Commit, range or branch <input name="rev" value="${revision}" placeholder="main..HEAD" maxlength="300" spellcheck="false"></label> <button>Show</button></form>
<p class="note">${
    revision === ""
      ? safe`Choose a commit to see which sessions and prompts wrote its lines.`
      : safe`<a href="${commitLink(ref)}">All commits</a>`
  } · <a href="${sessionLink(ref)}">Back to the session</a></p>`;
  const page = { title, place: "session" as const };
  if (directory === undefined || commonGitFolder(directory) === undefined) {
    const notice =
      safe`<p class="notice">The session\'s directory is in no git repository here.</p>`;
    return sitePage({ ...page, body: safe`${body}\n${notice}` }, site.version);
  }
  if (revision === "") {
    const list = commitsHtml(site, ref, commitsIn(directory));
    return sitePage({ ...page, body: safe`${body}\n${list}` }, site.version);
  }
  const rest = (signal: AbortSignal): AsyncIterable<SafeHtml> =>
    stagesHtml(site, directory, revision, signal);
  return sitePage({ ...page, body, rest }, site.version);
}

function commitsHtml(site: SiteContext, ref: string, commits: readonly Commit[]): SafeHtml {
  if (commits.length === 0) {
    return safe`<p class="note">Git recorded no commits that were made in this directory.</p>`;
  }
  const rows = commits.toReversed().slice(0, MOST_COMMITS).map(({ hash, at, subject }) =>
    safe`<li data-row><a href="${commitLink(ref, hash)}"><code>${hash.slice(0, 8)}</code> ${
      sanitizeLine(subject)
    }</a> ${agoHtml(new Date(at).toISOString(), site)}</li>\n`
  );
  return safe`<ul class="commits">\n${joinHtml(rows)}</ul>`;
}

/** Yields progress while reading sessions, then the sessions that wrote the revision's lines. */
async function* stagesHtml(
  site: SiteContext,
  cwd: string,
  revision: string,
  signal: AbortSignal,
): AsyncGenerator<SafeHtml> {
  const unread = new Set<string>();
  let progress = "";
  const blaming = blameCommits(site.library, revision, {
    cwd,
    variable: site.library.place.environment.variable,
    now: site.now().getTime(),
    signal,
    onError: ({ message }) => unread.add(message),
    onProgress: (done, all) => progress = `: ${done} of ${all}`,
  });
  for await (const _ of whileRunning(blaming)) {
    yield safe`<section class="stage"><p class="note" role="status">Reading sessions${progress}</p></section>\n`;
  }
  try {
    const found = await blaming;
    if (found === undefined) {
      return yield safe`<section class="stage"><p class="notice">Git knows no commit, range or branch of this name in ${
        sanitizeLine(basename(cwd))
      }.</p></section>`;
    }
    const notes = [...unread].map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>\n`);
    yield safe`<section class="stage" aria-label="Sessions">${joinHtml(notes)}${await tableHtml(
      found,
    )}</section>`;
  } catch (error) {
    if (signal.aborted) return;
    yield safe`<section class="stage"><p class="notice">${
      sanitizeLine(errorText(error))
    }. The command line may show more: <code>reprise blame ${
      quoteWord(revision)
    }</code></p></section>`;
  }
}

async function tableHtml(found: CommitBlame): Promise<SafeHtml> {
  const totals = totalLines({ ...found, commits: found.commits.length });
  const costs = await costLines(found.sessions);
  const lines = (texts: readonly string[]): SafeHtml =>
    joinHtml(texts.map((text) => safe`<p class="note">${text}</p>\n`));
  if (found.sessions.length === 0) return lines(totals);
  return safe`${
    lines(totals)
  }<div class="wide"><table class="writers"><caption class="unseen">Sessions that wrote lines</caption>
<thead><tr><th scope="col">Proven</th><th scope="col">Likely</th><th scope="col">Cost</th><th scope="col">Session, prompts</th></tr></thead>
<tbody>
${joinHtml(found.sessions.map(sessionRows))}</tbody></table></div>
${lines(costs)}`;
}

function sessionRows({ ref, agent, row, prompts, ...lines }: SessionLines): SafeHtml {
  const name = (row === undefined ? "" : originTitle(row)) || ref;
  const asked = prompts.map((prompt) =>
    safe`<tr class="asked">${countsHtml(prompt)}<td></td><td><a href="${
      promptLink(ref, prompt)
    }" dir="auto">${
      firstLine(sanitizeLine(prompt.prompt?.text ?? ""), PROMPT) || "(no prompt)"
    }</a></td></tr>\n`
  );
  return safe`<tr data-row>${countsHtml(lines)}<td>${
    row === undefined ? NOTHING : costText(row)
  }</td><th scope="row">${agentHtml(agent)}<a href="${sessionLink(ref)}" dir="auto">${
    sanitizeLine(name)
  }</a></th></tr>\n${joinHtml(asked)}`;
}

function promptLink(ref: string, { thread, prompt }: PromptLines): string {
  if (prompt === undefined) return sessionLink(ref, present({ thread }));
  return sessionLink(ref, present({ thread, seq: String(prompt.seq) }), `e${prompt.seq}`);
}

function countsHtml({ proven, likely }: Pick<SessionLines, "proven" | "likely">): SafeHtml {
  const cell = (count: number): SafeHtml => safe`<td>${count === 0 ? "–" : String(count)}</td>`;
  return safe`${cell(proven)}${cell(likely)}`;
}
