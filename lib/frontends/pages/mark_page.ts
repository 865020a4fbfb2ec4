/** Sets the title, tags, note and flags of a session as a page's form asks. */
import { SessionError } from "../../core/event/session_error.ts";
import type { Annotation } from "../../library/handle/annotate.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../text/render/html_document/html.ts";
import type { SiteContext } from "./site_context.ts";
import { type PageResponse, redirectResponse, sessionLink } from "./site_frame.ts";

/** Maximum number of characters of a tag, a title, and a note. */
const MOST_TAG = 40;
const MOST_TITLE = 400;
const MOST_NOTE = 8000;

export async function markPage(
  site: SiteContext,
  query: URLSearchParams,
  form: URLSearchParams,
): Promise<PageResponse> {
  if (site.mark === undefined) {
    throw new SessionError("unsupported-source", "Cannot mark: shared sessions are read-only");
  }
  const { ref, handle } = await site.sessions.open(query.get("ref") ?? "");
  for (const mark of marksIn(form, await handle.summary())) await site.mark(handle, mark);
  return redirectResponse(sessionLink(ref));
}

function marksIn(form: URLSearchParams, { title, tags = [], note = "" }: Summary): Annotation[] {
  const marks: Annotation[] = [];
  const given = {
    title: form.get("title")?.replaceAll(/\s+/g, " ").trim().slice(0, MOST_TITLE),
    note: form.get("note")?.replaceAll("\r\n", "\n").trim().slice(0, MOST_NOTE),
    tags: form.has("tags") ? tagsIn(form.get("tags") ?? "") : undefined,
  };
  if (given.title !== undefined && given.title !== title) marks.push({ title: given.title });
  if (given.tags !== undefined && given.tags.join() !== tags.join()) {
    marks.push({ tags: given.tags });
  }
  if (given.note !== undefined && given.note !== note) marks.push({ note: given.note });
  for (const flag of ["pinned", "archived"] as const) {
    const value = form.get(flag);
    if (value !== null) marks.push({ [flag]: value === "1" } as Annotation);
  }
  return marks;
}

function tagsIn(text: string): string[] {
  const tags = text.split(/[,\s]+/).map((tag) => tag.replace(/^#/, ""))
    .filter((tag) => tag !== "" && tag.length <= MOST_TAG && !/\p{Cc}/u.test(tag));
  return [...new Set(tags)];
}

/** Renders the forms that edit a session; nothing if sessions are read-only. */
export function markForms(site: SiteContext, ref: string, summary: Summary): SafeHtml {
  if (site.mark === undefined) return NOTHING;
  const { title, tags = [], note = "", pinned = false, archived = false } = summary;
  const action = `mark?${new URLSearchParams({ ref })}`;
  const flags = ([
    ["pinned", pinned, "Pin", "Unpin"],
    ["archived", archived, "Archive", "Unarchive"],
  ] as const).map(([name, is_set, set, unset]) =>
    safe`<button name="${name}" value="${is_set ? "0" : "1"}">${is_set ? unset : set}</button>`
  );
  return safe`<form class="acts" method="post" action="${action}">${joinHtml(flags)}</form>
<details class="marks"><summary>Edit</summary><form method="post" action="${action}">
<label>Title <input name="title" value="${title}" maxlength="${MOST_TITLE}" dir="auto" autocomplete="off"></label>
<label>Tags, separated by spaces <input name="tags" value="${
    tags.join(" ")
  }" autocomplete="off"></label>
<label>Note <textarea name="note" rows="3" maxlength="${MOST_NOTE}" dir="auto">${note}</textarea></label>
<button>Save</button></form></details>`;
}
