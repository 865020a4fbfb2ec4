/** Shows the sessions that run now on the terminal's whole screen, kept up to date. */
import type {
  RunningSession,
  RunningSessions,
} from "../../lib/library/running/running_sessions.ts";
import type { Key } from "../../lib/ui/key.ts";
import { listTop, type ListView, movedCursor } from "../../lib/ui/list_view.ts";
import { scrollOf } from "../../lib/ui/pager.ts";
import type { TerminalScreen } from "../../lib/ui/terminal_screen.ts";
import { type Context, wantsColor } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import type { ListListener } from "../_picker/session_list.ts";
import { readFrom, type SessionChooser } from "../_reader.ts";
import { nextLook } from "./next_look.ts";

type Drawing = typeof import("../../lib/render/running_table.ts");

/**
 * Shows running sessions until `q` or ^C. Enter reads the one that is marked; after it the table is
 * there again.
 *
 * @throws {CommandExit} `cancelled`, `terminated`
 */
export async function watchOnScreen(context: Context, sessions: RunningSessions): Promise<void> {
  const drawing = await import("../../lib/render/running_table.ts");
  const status = await readFrom(
    context,
    (screen, listener) => new RunningList(context, sessions, drawing, screen, listener),
    STATUS.cancelled,
  );
  if (status !== STATUS.done) throw new CommandExit(status);
}

/** The table, kept up to date while it is shown. */
class RunningList implements SessionChooser {
  readonly #context: Context;
  readonly #sessions: RunningSessions;
  readonly #drawing: Drawing;
  readonly #screen: TerminalScreen;
  readonly #listener: ListListener;
  #running: readonly RunningSession[] | undefined;
  #marked: string | undefined;
  /** Ends looking; absent while nothing is drawn. */
  #stop: AbortController | undefined;
  /** What there is to say, until the next key. */
  #message = "";

  constructor(
    context: Context,
    sessions: RunningSessions,
    drawing: Drawing,
    screen: TerminalScreen,
    listener: ListListener,
  ) {
    this.#context = context;
    this.#sessions = sessions;
    this.#drawing = drawing;
    this.#screen = screen;
    this.#listener = listener;
  }

  show(): void {
    this.#stop = new AbortController();
    this.draw();
    this.#keepLooking(this.#stop.signal).catch(this.#listener.onError);
  }

  hide(): void {
    this.#stop?.abort();
    this.#stop = undefined;
  }

  say(message: string): void {
    this.#message = message;
  }

  press(keys: readonly Key[]): void {
    this.#message = "";
    // What follows the key that ends it is for what comes next.
    for (const key of keys) if (this.#stop !== undefined) this.#press(key);
    this.draw();
  }

  async #keepLooking(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const begun = performance.now();
      const running = await this.#sessions.look();
      if (signal.aborted) return;
      this.#running = running;
      this.draw();
      await nextLook(performance.now() - begun, signal);
    }
  }

  #press(key: Key): void {
    const { name, text, ctrl } = key;
    const { onChosen, onCancelled, onError } = this.#listener;
    if (ctrl && name === "c") return onError(new CommandExit(STATUS.cancelled));
    if (text === "q" || name === "escape") return onCancelled();
    if (name === "return" || name === "enter") {
      const chosen = this.#running?.[this.#list().cursor]?.row;
      if (chosen !== undefined) onChosen(chosen);
      return;
    }
    const step = scrollOf(key);
    if (step === undefined) return;
    const at = movedCursor(this.#list(), step, this.#page());
    this.#marked = this.#running?.[at]?.row.ref;
  }

  #list(): ListView {
    const rows = this.#running ?? [];
    const cursor = Math.max(0, rows.findIndex(({ row }) => row.ref === this.#marked));
    return { cursor, count: rows.length };
  }

  #page(): number {
    return Math.max(1, this.#screen.height - 3);
  }

  draw(): void {
    if (this.#stop === undefined) return;
    const { width, height } = this.#screen;
    const { variable } = this.#context;
    const home = variable("HOME");
    const list = this.#list();
    const [names = "", ...lines] = this.#drawing.renderRunningTable(this.#running ?? [], {
      width,
      color: wantsColor(this.#context, this.#context.stdout),
      now: this.#context.now().getTime(),
      cursor: list.cursor,
      ...(home === undefined ? {} : { home }),
    });
    const room = this.#page();
    const top = listTop(list, room);
    const notice = this.#running === undefined ? "Looking …" : "No session runs now";
    const shown = lines.length === 0 ? [notice] : [names, ...lines.slice(top, top + room)];
    const keys = lines.length === 0 ? "q ends" : "Enter read · Up Down choose · q end";
    const last = this.#drawing.renderNotice(this.#message || keys, width);
    const blank = Array.from({ length: Math.max(0, height - shown.length - 1) }, () => "");
    this.#screen.draw({ rows: [...shown, ...blank, last] });
  }
}
