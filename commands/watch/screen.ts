/** Shows the sessions that run now on the terminal's whole screen, kept up to date. */
import type {
  RunningSession,
  RunningSessions,
} from "../../lib/library/running/running_sessions.ts";
import type { Key } from "../../lib/screen/key.ts";
import { TerminalScreen } from "../../lib/screen/terminal_screen.ts";
import { type Context, wantsColor } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { contextTerminal } from "../_terminal.ts";
import { nextLook } from "./next_look.ts";

type Drawing = typeof import("../../lib/render/running_table.ts");

/**
 * Shows running sessions until `q` or ^C. Enter shows the one that is marked; after it the table is
 * there again.
 *
 * @throws {CommandExit} `cancelled`, `terminated`
 */
export async function watchOnScreen(context: Context, sessions: RunningSessions): Promise<void> {
  const drawing = await import("../../lib/render/running_table.ts");
  const { run } = await import("../_run.ts");
  for (;;) {
    const ref = await new WatchScreen(context, sessions, drawing).choose();
    if (ref === undefined) return;
    await run(["show", ref], context);
  }
}

/** The table until a session is chosen, or it is ended. */
class WatchScreen {
  readonly #context: Context;
  readonly #sessions: RunningSessions;
  readonly #drawing: Drawing;
  readonly #done = Promise.withResolvers<string | undefined>();
  readonly #stop = new AbortController();
  #screen: TerminalScreen | undefined;
  #running: readonly RunningSession[] | undefined;
  #marked: string | undefined;

  constructor(context: Context, sessions: RunningSessions, drawing: Drawing) {
    this.#context = context;
    this.#sessions = sessions;
    this.#drawing = drawing;
  }

  /** Returns the session to show; undefined at the end. */
  async choose(): Promise<string | undefined> {
    const { reject, promise } = this.#done;
    this.#screen = TerminalScreen.open(contextTerminal(this.#context), {
      onKeys: (keys) => {
        // What follows the key that ends it is for what comes next.
        for (const key of keys) if (!this.#stop.signal.aborted) this.#press(key);
      },
      onResize: () => this.#draw(),
      onEnd: (reason) =>
        this.#end(() =>
          reject(
            new CommandExit(reason === "interrupted" ? STATUS.cancelled : STATUS.terminated),
          )
        ),
      onError: reject,
    });
    try {
      this.#draw();
      this.#keepLooking().catch(reject);
      return await promise;
    } finally {
      this.#end(() => {});
    }
  }

  async #keepLooking(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      const begun = performance.now();
      this.#running = await this.#sessions.look();
      this.#draw();
      await nextLook(performance.now() - begun, signal);
    }
  }

  #end(settle: () => void): void {
    this.#stop.abort();
    this.#screen?.close();
    settle();
  }

  #press({ name, text, ctrl }: Key): void {
    const { resolve, reject } = this.#done;
    if (ctrl && name === "c") return this.#end(() => reject(new CommandExit(STATUS.cancelled)));
    if (text === "q" || name === "escape") return this.#end(() => resolve(undefined));
    if (name === "return" || name === "enter") {
      const chosen = this.#running?.[this.#cursor()]?.row.ref;
      if (chosen !== undefined) this.#end(() => resolve(chosen));
      return;
    }
    if (name === "down" || name === "wheeldown" || text === "j") this.#move(1);
    else if (name === "up" || name === "wheelup" || text === "k") this.#move(-1);
  }

  #cursor(): number {
    const rows = this.#running ?? [];
    return Math.max(0, rows.findIndex(({ row }) => row.ref === this.#marked));
  }

  #move(step: number): void {
    const rows = this.#running ?? [];
    const at = Math.min(Math.max(this.#cursor() + step, 0), rows.length - 1);
    this.#marked = rows[at]?.row.ref;
    this.#draw();
  }

  #draw(): void {
    const screen = this.#screen;
    if (screen === undefined || this.#stop.signal.aborted) return;
    const { width, height } = screen;
    const { variable } = this.#context;
    const home = variable("HOME");
    const cursor = this.#cursor();
    const [names = "", ...lines] = this.#drawing.renderRunningTable(this.#running ?? [], {
      width,
      color: wantsColor(this.#context, this.#context.stdout),
      now: this.#context.now().getTime(),
      cursor,
      ...(home === undefined ? {} : { home }),
    });
    const room = Math.max(1, height - 3);
    const top = Math.max(0, Math.min(cursor - room + 1, lines.length - room));
    const notice = this.#running === undefined ? "Looking …" : "No session runs now";
    const shown = lines.length === 0 ? [notice] : [names, ...lines.slice(top, top + room)];
    const keys = lines.length === 0 ? "q ends" : "Enter show · Up Down choose · q end";
    const blank = Array.from({ length: Math.max(0, height - shown.length - 1) }, () => "");
    screen.draw({ rows: [...shown, ...blank, keys.slice(0, width)] });
  }
}
