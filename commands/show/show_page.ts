/** Prints a page of a session, as `show` shows it. */
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { Context } from "../_context.ts";
import { countDiagnostics } from "../_diagnostics.ts";
import { KeptText, printEndPage, printShownPage, shownPlace } from "./page.ts";
import { shownSession, tellLeftOut } from "./shown_session.ts";
import type { ShowFlags } from "./show_flags.ts";
import { factsForHead, isWhole, noSuchEvent, type UsedTokens, withView } from "./shown_view.ts";

/** Prints the page that the cursor names, or the first one. */
export async function showPage(
  context: Context,
  opened: SessionHandle,
  flags: ShowFlags,
  ref: string,
): Promise<void> {
  const diagnostics = countDiagnostics();
  const { report } = diagnostics;
  const text = new KeptText(context.stdout.width);
  const used: UsedTokens = { is_told: true };
  // A cursor counts the items from the start.
  if (flags.cursor === undefined && flags.last !== undefined) {
    const shown = await shownSession(opened, flags, report);
    const { end } = shown;
    const is_printed = end !== undefined &&
      await withView(
        { context, flags, output: text, used, shown },
        (view) => printEndPage(context, flags, { view, text, end }),
      );
    if (is_printed) {
      await diagnostics.tell(context, opened.ref);
      return await tellLeftOut(context, shown, flags);
    }
  }
  const source = await opened.atEvent();
  const page = { source, flags, width: context.stdout.width };
  const place = await shownPlace(page);
  const { last: _, ...form } = flags;
  const has_head = (place?.item ?? 0) === 0 && isWhole(flags, source);
  if (has_head && !flags.json && !flags.events) Object.assign(used, await factsForHead(source));
  const { thread } = flags;
  const options = thread === undefined ? { report } : { report, thread };
  const shown = { source, numbered: true };
  const seen = await withView(
    { context, flags: form, output: text, used, shown },
    (view) => printShownPage(context, page, { view, text, place, options }),
  );
  await diagnostics.tell(context, source.ref);
  if (place === undefined) await tellLeftOut(context, shown, flags);
  if (seen !== undefined && seen < (source.seq ?? 0)) throw noSuchEvent(ref, seen);
}
