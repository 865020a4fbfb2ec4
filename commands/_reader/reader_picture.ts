/** Describes what the screen shows of a session. */
import type { ReaderList, ReaderScreen } from "../../lib/render/reader_screen.ts";
import type { SessionReaderOptions } from "./reader_options.ts";
import type { ReaderState } from "./session_state.ts";
import type { SessionView } from "./session_view.ts";
import { keysOf, placeText } from "./words.ts";

/** What is shown beside the session's rows. */
export interface Beside {
  state: ReaderState;
  /** A list that stands over the session. */
  list: ReaderList | undefined;
  /** How many blocks hold what is looked for. */
  found: string;
}

/** Puts together all parts of the screen. */
export function readerPicture(
  { title, directory, session }: SessionReaderOptions,
  { thread, shown, place, window }: SessionView,
  { state, list, found }: Beside,
): ReaderScreen {
  const { mode, message, input, query, follow } = state;
  const where = placeText(shown.at(-1)?.item ?? place.item, window.progress);
  return {
    title,
    facts: [session.agent_title, thread === undefined ? "" : `thread ${thread}`, directory]
      .filter((fact) => fact !== ""),
    rows: shown.map(({ text }) => text),
    query,
    ...(list === undefined ? {} : { list }),
    ...(mode === "find" ? { prompt: { label: "/", input } } : {}),
    ...(mode === "export" ? { prompt: { label: "Export to: ", input } } : {}),
    message: message === "" ? found : message,
    place: follow ? `following · ${where}` : where,
    keys: keysOf(state),
  };
}
