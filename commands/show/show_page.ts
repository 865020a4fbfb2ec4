/** Prints a page of a session, as `show` shows it. */
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { Context } from "../_context.ts";
import { countDiagnostics } from "../_diagnostics.ts";
import { eventView, itemView } from "../_session_view.ts";
import { tellOthers } from "../_threads.ts";
import { KeptText, printShownPage, shownPlace } from "./page.ts";
import {
  fromNamed,
  isWhole,
  noSuchEvent,
  peopleView,
  type ShowFlags,
  usageForHead,
  type UsedTokens,
} from "./shown_view.ts";

/** Prints the page that the cursor names, or the first one. */
export async function showPage(
  context: Context,
  source: SessionHandle,
  flags: ShowFlags,
  ref: string,
): Promise<void> {
  const { width } = context.stdout;
  const shown = { source, flags, width };
  const place = await shownPlace(shown);
  const text = new KeptText(width);
  const { last: _, ...form } = flags;
  const has_head = (place?.item ?? 0) === 0 && isWhole(flags, source);
  const used: UsedTokens = { is_told: true };
  if (has_head && !flags.json && !flags.events) used.text = await usageForHead(source);
  const diagnostics = countDiagnostics();
  const { report } = diagnostics;
  const { thread } = flags;
  const options = thread === undefined ? { report } : { report, thread };
  const parts = { text, place, options };
  const seen = flags.events
    ? await printShownPage(context, shown, {
      ...parts,
      view: fromNamed(source, await eventView(text, true)),
    })
    : flags.json
    ? await printShownPage(context, shown, {
      ...parts,
      view: fromNamed(source, await itemView(text, true)),
    })
    : await printShownPage(context, shown, {
      ...parts,
      view: await peopleView(
        context,
        source,
        { ...form, used, numbered: true, amid_turn: false },
        text,
      ),
    });
  await diagnostics.tell(context, source.ref);
  if (place === undefined && thread === undefined) await tellOthers(context, source, "show");
  if (seen !== undefined && seen < (source.seq ?? 0)) throw noSuchEvent(ref, seen);
}
