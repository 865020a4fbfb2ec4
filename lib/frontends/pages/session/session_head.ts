/** Renders the head of a session: its title, its sums, and links to act on it. */
import type { SessionContext } from "../../../core/projection/context.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { present } from "../../../core/event/present.ts";
import { counted } from "../../../core/event/counted.ts";
import { factsHtml, timeHtml } from "../../../text/render/html_document/elements.ts";
import {
  headerFacts,
  sessionTitle,
  withoutMarks,
} from "../../../text/render/html_document/page.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { createView } from "../../../text/render/html_document/view.ts";
import { directoryText } from "../../../text/render/path_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { commitLink } from "./commit_page.ts";
import type { RunningSession } from "../../../library/running/running_sessions.ts";
import { firstLine } from "../../../text/render/text_width.ts";
import { doingText } from "../../../text/render/running_table.ts";
import { formatTokens } from "../../../text/render/usage_text.ts";
import { costText } from "../cost_text.ts";
import { stripHtml } from "./rail.ts";
import type { OpenedSession } from "./opened_sessions.ts";
import { markForms } from "../mark_page.ts";
import { modelName, resumeCommand, senderHtml, tagHtml } from "../session_labels.ts";
import type { SiteContext } from "../site_context.ts";
import { sessionLink } from "../site_frame.ts";

const TITLE = 60;

/** The text in place of token counts if the session is too long to be read for them. */
const UNCOUNTED =
  safe`<p class="note">For tokens and cost, see <a href="stats?since=all">Statistics</a>.</p>\n`;

/** Renders the head of a session. The page's script replaces it when the session changes. */
export async function headHtml(
  opened: OpenedSession,
  site: SiteContext,
  running: RunningSession | undefined,
): Promise<SafeHtml> {
  const { summary, is_counted } = await opened.summary();
  const { note } = summary;
  const view = createView({ tools: "full", format_time: site.format_time });
  return safe`<header class="top" id="head" data-live="">
<div class="title"><h1 dir="auto">${sessionTitle(summary)}</h1>${actionsHtml(summary)}</div>
${await lineHtml(opened, summary, site, running)}
${note === undefined ? NOTHING : safe`<p class="note" dir="auto">${note}</p>\n`}${
    is_counted ? NOTHING : UNCOUNTED
  }<div class="under"><details class="more"><summary>Details</summary>${
    factsHtml(headerFacts(summary, view))
  }</details>${markForms(site, opened.ref, summary)}
${await linksHtml(opened, summary)}</div>${await stripHtml(opened)}</header>`;
}

function actionsHtml({ ref }: Summary): SafeHtml {
  return safe`<span class="acts"><button type="button" data-copy="${
    resumeCommand(ref)
  }">Copy resume command</button><button type="button" data-copy="${ref}">Copy name</button></span>`;
}

async function lineHtml(
  opened: OpenedSession,
  summary: Summary,
  { format_time, home }: SiteContext,
  running: RunningSession | undefined,
): Promise<SafeHtml> {
  const { agent, models = [], message_count, usage, updated_at, cwd, git_branch } = summary;
  const cost = costText(summary);
  const pieces = [
    safe`<b>${sanitizeLine(agent)}</b>`,
    senderHtml({ ref: summary.ref, ...present({ machine: opened.handle.session.machine }) }),
    running === undefined ? NOTHING : stateHtml(running),
    summary.pinned ? safe`<b>pinned</b>` : NOTHING,
    models.length === 0 ? NOTHING : safe`<span>${models.map(modelName).join(", ")}</span>`,
    message_count === undefined ? NOTHING : safe`<span>${counted(message_count, "message")}</span>`,
    usage?.output === undefined
      ? NOTHING
      : safe`<span>${formatTokens(usage.output)} tokens out</span>`,
    // A cost without any known price is not shown.
    cost === "" || cost === "?" ? NOTHING : safe`<span>${cost}</span>`,
    contextHtml(opened, await opened.context()),
    timeHtml(updated_at, format_time),
    cwd === undefined ? NOTHING : safe`<span class="where">${directoryText(cwd, home)}</span>`,
    git_branch === undefined
      ? NOTHING
      : safe`<span class="where">${sanitizeLine(git_branch)}</span>`,
    ...(summary.tags ?? []).map(tagHtml),
  ];
  return safe`<p class="meta">${joinHtml(pieces.filter(({ markup }) => markup !== ""))}</p>`;
}

function stateHtml(running: RunningSession): SafeHtml {
  return running.attention.state === "waits"
    ? safe`<b class="waits">${withoutMarks(doingText(running))}</b>`
    : safe`<b class="ok running">running</b>`;
}

function contextHtml(
  { ref, thread }: OpenedSession,
  context: SessionContext | undefined,
): SafeHtml {
  const { tokens = 0, recorded_tokens = tokens, recorded_as, window_tokens } = context ?? {};
  // The sum of a turn's requests does not show the size of one request.
  const size = recorded_as === "turn" ? tokens : recorded_tokens;
  const words = context === undefined
    ? "context"
    : `${formatTokens(size)}${
      window_tokens === undefined ? "" : ` of ${formatTokens(window_tokens)}`
    } in context`;
  return safe`<a href="context?${new URLSearchParams({ ref, ...thread }).toString()}">${words}</a>`;
}

async function linksHtml(opened: OpenedSession, summary: Summary): Promise<SafeHtml> {
  const { ref, thread } = opened;
  const shown = thread.thread && (await opened.threads()).find(({ id }) => id === thread.thread);
  const name = shown && shown.title ? withoutMarks(firstLine(shown.title, TITLE)) : thread.thread;
  const whole = thread.thread === undefined
    ? NOTHING
    : safe`<span dir="auto">Thread: ${name}</span><a href="${sessionLink(ref)}">Main thread</a>`;
  const step = (to: string): string => `neighbour?${new URLSearchParams({ ref: summary.ref, to })}`;
  return safe`<nav class="threads" aria-label="Session"><a class="to-contents" href="#contents">Contents</a>${whole}<a href="threads?${
    new URLSearchParams({ ref }).toString()
  }">Threads</a><a href="files?${
    new URLSearchParams({ ref }).toString()
  }">Changed files</a><a href="${commitLink(ref)}">Commits</a><a data-step="earlier" href="${
    step("newer")
  }">Newer</a><a data-step="later" href="${step("older")}">Older</a></nav>\n`;
}
