/** `reprise list --agent herdr`: the sessions in the panes of herdr, a terminal multiplexer. */
import type { NamedPointer } from "../../lib/library/machine/herdr_pointers.ts";
import type { Library } from "../../lib/library/library.ts";
import type { SessionEntry } from "../../lib/library/query/query.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";

const HERDR = "herdr";

export interface PointedEntries {
  entries: SessionEntry[];
  /** Names by session reference: `herdr:NAME`, or `herdr` if the terminal herdr has no name. */
  names: Map<string, string>;
}

/** Returns up to `most` sessions open in the terminal multiplexer herdr. Reports unknown ones. */
export async function pointedEntries(
  context: Context,
  library: Library,
  all: readonly SessionEntry[],
  most = Infinity,
): Promise<PointedEntries> {
  const { herdrPointers, isPointedAt, pointedRef } = await import(
    "../../lib/library/machine/herdr_pointers.ts"
  );
  const pointers = herdrPointers(library.place.environment);
  const names = new Map<string, string>();
  const entries = all.filter(({ session, ref }) => {
    const pointer = pointers.find((one) => isPointedAt(session, one));
    if (pointer !== undefined) {
      names.set(ref, [HERDR, ...namesOf(pointer).slice(0, 1)].join(":"));
    }
    return pointer !== undefined;
  });
  const known = await library.sessions();
  for (const pointer of pointers) {
    if (known.some((session) => isPointedAt(session, pointer))) continue;
    const [name] = namesOf(pointer);
    const pane = name === undefined ? "a pane" : `the pane "${name}"`;
    await say(
      context,
      `reprise: ${pane} of herdr (a terminal multiplexer) shows session ` +
        `${pointedRef(pointer)}, which does not exist`,
    );
  }
  return { entries: entries.slice(0, most), names };
}

function namesOf({ own_names, names_around }: NamedPointer): string[] {
  return [...own_names, ...names_around];
}
