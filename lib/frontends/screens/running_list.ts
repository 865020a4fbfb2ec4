/** Shows the sessions that run now on the terminal's whole screen, kept up to date. */
import { planWindows } from "../../library/limits/plan/plan_windows.ts";
import { wrapWords } from "../../text/render/wrap.ts";
import { planLines } from "../../text/render/plan_text.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { cutText } from "../../text/render/text_width.ts";
import type { RunningSession, RunningSessions } from "../../library/running/running_sessions.ts";
import { type SharedFile, SharedFiles } from "../../features/blame/shared_files.ts";
import { renderRunningTable, sharedText } from "../../text/render/running_table.ts";
import { createStyle } from "../../text/render/style.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import type { Key } from "../ui/key.ts";
import { type ListCursor, listTop, movedCursor, scrollOf } from "../ui/pager.ts";
import type { TerminalScreen } from "../ui/terminal_screen.ts";
import type { ListListener, ScreenSettings, SessionChooser } from "./screen.ts";

export interface RunningListOptions {
  sessions: RunningSessions;
  /** Shows the terminal of a session's agent. Returns a message for the user. */
  go(row: Summary, screen: TerminalScreen): Promise<string>;
}

/** Milliseconds between two updates of the lines about subscription plans. */
const PLANS_MS = 60_000;

export class RunningList implements SessionChooser {
  readonly #settings: ScreenSettings;
  readonly #options: RunningListOptions;
  readonly #screen: TerminalScreen;
  readonly #listener: ListListener;
  #plan_lines: readonly string[] = [];
  /** Time of the last update of `#plan_lines`, in milliseconds of `performance.now()`. */
  #plans_seen = -Infinity;
  readonly #shared: SharedFiles;
  #shared_files: readonly SharedFile[] = [];
  #running: readonly RunningSession[] | undefined;
  #marked: string | undefined;
  /** Stops the updates. Undefined while the table is hidden. */
  #stop: AbortController | undefined;
  #message = "";

  constructor(
    settings: ScreenSettings,
    options: RunningListOptions,
    screen: TerminalScreen,
    listener: ListListener,
  ) {
    this.#settings = settings;
    this.#options = options;
    this.#shared = new SharedFiles(settings.library);
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
    const { sessions } = this.#options;
    while (!signal.aborted) {
      const begun = performance.now();
      const running = await sessions.look();
      if (signal.aborted) return;
      this.#running = running;
      this.draw();
      this.#shared_files = await this.#shared.look(running);
      this.draw();
      await this.#lookAtPlans();
      await sessions.next(performance.now() - begun, signal);
    }
  }

  /** Updates the lines about plans. Runs at most once a minute, because it lists all sessions. */
  async #lookAtPlans(): Promise<void> {
    if (performance.now() - this.#plans_seen < PLANS_MS) return;
    const { library, now } = this.#settings;
    const plans = planLines(await planWindows(library), now().getTime(), library);
    this.#plan_lines = plans.flatMap(({ line }) => wrapWords(line, this.#screen.width));
    this.#plans_seen = performance.now();
    this.draw();
  }

  #press(key: Key): void {
    const { name, text, ctrl } = key;
    const { onChosen, onCancelled } = this.#listener;
    if (ctrl && name === "c") return onCancelled(true);
    if (text === "q" || name === "escape") return onCancelled();
    const chosen = this.#running?.[this.#list().cursor]?.row;
    if (text === "r" && chosen !== undefined) return onChosen(chosen);
    if (name === "return" || name === "enter") {
      if (chosen !== undefined) this.#go(chosen).catch(this.#listener.onError);
      return;
    }
    const step = scrollOf(key);
    if (step === undefined) return;
    const at = movedCursor(this.#list(), step, this.#page());
    this.#marked = this.#running?.[at]?.row.ref;
  }

  async #go(row: Summary): Promise<void> {
    const screen = this.#screen;
    screen.pause();
    try {
      this.#message = await this.#options.go(row, screen);
    } finally {
      screen.goOn();
    }
    this.draw();
  }

  #list(): ListCursor {
    const rows = this.#running ?? [];
    const cursor = Math.max(0, rows.findIndex(({ row }) => row.ref === this.#marked));
    return { cursor, count: rows.length };
  }

  #page(): number {
    return Math.max(1, this.#screen.height - 4 - this.#plansShown().length);
  }

  #plansShown(): readonly string[] {
    return this.#plan_lines.slice(0, Math.max(0, this.#screen.height - 6));
  }

  draw(): void {
    if (this.#stop === undefined) return;
    const { width, height } = this.#screen;
    const { color, home, now } = this.#settings;
    const list = this.#list();
    const [names = "", ...lines] = renderRunningTable(this.#running ?? [], {
      width,
      color,
      now: now().getTime(),
      cursor: list.cursor,
      home,
    });
    const room = this.#page();
    const top = listTop(list, room);
    const notice = this.#running === undefined ? "Loading…" : "No session is running";
    const shown = lines.length === 0 ? [notice] : [names, ...lines.slice(top, top + room)];
    const keys = lines.length === 0
      ? "q quit"
      : "Enter go to its terminal · r read · ↑↓ select · q quit";
    const shared = sanitizeLine(sharedText(this.#shared_files, home));
    const warning = shared === ""
      ? []
      : [createStyle(color).paint("yellow", cutText(shared, width))];
    const last = cutText(sanitizeLine(this.#message || keys), width);
    const plans = this.#plansShown().map((line) => cutText(line, width));
    const foot = [...warning, ...plans, last];
    const blank = Array.from(
      { length: Math.max(0, height - shown.length - foot.length) },
      () => "",
    );
    this.#screen.draw({ rows: [...shown, ...blank, ...foot] });
  }
}
