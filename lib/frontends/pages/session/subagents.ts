/** Renders the subagents that a call started, each as a section that unfolds below the call. */
import type { SessionThread } from "../../../core/projection/session_thread.ts";
import type { ToolItem, TranscriptItem } from "../../../core/projection/transcript/item.ts";
import { callKind } from "../../../text/render/block/known_tools.ts";
import { detailsHtml } from "../../../text/render/html_document/elements.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { firstLine } from "../../../text/render/text_width.ts";
import { sessionLink } from "../site_frame.ts";

const TITLE = 120;
/** Maximum number of characters of a subagent's task that are compared with a call's texts. */
const COMPARED = 1000;

export function subagentsIn(
  ref: string,
  threads: readonly SessionThread[],
): (item: TranscriptItem) => SafeHtml {
  const subagents = threads.filter(({ kind }) => kind === "subagent");
  return (item) =>
    item.type !== "tool" || callKind(item.name) !== "task"
      ? NOTHING
      : joinHtml(startedBy(subagents, item).map((one) => html(ref, one)));
}

/**
 * Returns the subagents whose ids a call contains. If there are none, returns those whose task
 * begins a text of the call. While the call runs, returns only the last of these subagents.
 */
function startedBy(
  subagents: readonly SessionThread[],
  { input, output }: ToolItem,
): readonly SessionThread[] {
  const texts = textsIn([input, output]);
  const named = subagents.filter(({ id }) => texts.some((text) => text.includes(id)));
  if (named.length > 0) return named;
  const lines = texts.map((text) => firstLine(text, COMPARED));
  const given = subagents.filter(({ title = "" }) => {
    const task = firstLine(title, COMPARED).replace(/…$/, "");
    return task !== "" && lines.some((line) => line.startsWith(task));
  });
  return output === undefined ? given.slice(-1) : given;
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Renders a subagent. The page's script adds its last messages, and keeps them up to date. */
function html(ref: string, { id, title = "" }: SessionThread): SafeHtml {
  const name = firstLine(title, TITLE) || sanitizeLine(id);
  const href = sessionLink(ref, { thread: id });
  const line =
    safe`<span class="name">Subagent</span> <span class="short" dir="auto">${name}</span>`;
  return safe`<div class="subagent" data-thread="${sessionLink(ref, { thread: id, end: "1" })}">${
    detailsHtml(
      "call k-task",
      line,
      safe`<p class="note"><a href="${href}">Show on its own page</a></p>`,
    )
  }</div>`;
}
