/** Redirects from a session to the one before or after it in the list. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, redirectResponse, sessionLink } from "../site_frame.ts";

export async function neighbourPage(
  { library }: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const ref = query.get("ref") ?? "";
  const { entries } = await library.query({});
  const at = entries.findIndex((entry) => entry.ref === ref);
  if (at < 0) throw new SessionError("not-found", `Cannot find session "${ref}" in the list`);
  const next = entries[at + (query.get("to") === "newer" ? -1 : 1)];
  return redirectResponse(next === undefined ? "./" : sessionLink(next.ref));
}
