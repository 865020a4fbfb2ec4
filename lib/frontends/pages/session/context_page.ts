/** Renders what the model's context has of a session, and what was dropped from it. */
import type { DroppedContext, SessionContext } from "../../../core/projection/context.ts";
import { recordedText, shareName } from "../../../text/render/context_table.ts";
import { counted } from "../../../core/event/counted.ts";
import { timeHtml } from "../../../text/render/html_document/elements.ts";
import { sessionTitle } from "../../../text/render/html_document/page.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { formatTokens } from "../../../text/render/usage_text.ts";
import type { SiteContext } from "../site_context.ts";
import { shareBar } from "../stats/charts.ts";
import { type PageResponse, sessionLink, sitePage } from "../site_frame.ts";

export async function contextPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const opened = await site.sessions.open(query.get("ref") ?? "", query.get("thread") ?? undefined);
  const { ref, handle, thread, summary } = opened;
  const context = await handle.context(thread);
  const title = `Context of ${sessionTitle((await summary()).summary)}`;
  const dropped = context.dropped.map((one) => droppedHtml(ref, thread, one, site));
  const most = context.shares.reduce((largest, { tokens }) => Math.max(largest, tokens), 0);
  const body = safe`<h1 dir="auto">${title}</h1>
<p>The model's context has ${counted(context.messages, "message")}, about ${
    formatTokens(context.tokens)
  } tokens${recordedHtml(context)}.</p>
<table class="sums shares">
<thead><tr><th class="name" scope="col">Part</th><th scope="col">Count</th><th scope="col">Tokens</th></tr></thead>
<tbody>
${joinHtml(context.shares.map((one) => shareHtml(one, most)), "\n")}
</tbody>
</table>
<h2>Dropped</h2>
${
    dropped.length === 0
      ? safe`<p>Nothing was dropped.</p>`
      : safe`<ul class="rows">\n${joinHtml(dropped, "\n")}\n</ul>`
  }
<p class="note">Tokens are estimated, as one for every four characters. <a href="${
    sessionLink(ref, thread)
  }">Back to the session</a></p>`;
  return sitePage({ title, place: "session", body }, site.version);
}

function recordedHtml(context: SessionContext): SafeHtml {
  const text = recordedText(context);
  return text === undefined ? NOTHING : safe`; ${text[0]?.toLowerCase()}${text.slice(1)}`;
}

function shareHtml(
  { kind, count, tokens }: SessionContext["shares"][number],
  most: number,
): SafeHtml {
  return safe`<tr><th class="name" scope="row">${shareName(kind)}</th><td>${
    String(count)
  }</td><td>${formatTokens(tokens)}${shareBar(tokens, most)}</td></tr>`;
}

function droppedHtml(
  ref: string,
  thread: { thread?: string },
  { number, from_seq, seq, time, reason, messages, tokens }: DroppedContext,
  { format_time }: SiteContext,
): SafeHtml {
  const name = `${number}. ${counted(messages, "message")}, about ${formatTokens(tokens)} tokens`;
  const href = sessionLink(ref, { ...thread, seq: String(from_seq) }, `e${from_seq}`);
  return safe`<li><a href="${href}"><span>${name}</span></a><p class="meta"><span>by ${reason} at event #${
    String(seq)
  }</span>${timeHtml(time, format_time)}</p></li>`;
}
