/**
 * Choosing a session on a terminal: a list that typing narrows down.
 */
import type { Summary } from "../lib/projection/summary_row.ts";
import { type Context, wantsColor } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { PickerPreview } from "./_picker/preview.ts";
import { knownScope, readScope } from "./_picker/rows.ts";
import { hasScreen, PickerScreen } from "./_picker/screen.ts";
import {
  highlighted,
  initialState,
  type Key,
  type PickerScope,
  type PickerState,
  pressKey,
  type ScopeRows,
  scrolled,
  withRows,
} from "./_picker/state.ts";
import { keysOf, noticeOf, SCOPES, whereOf } from "./_picker/words.ts";
import { timeFormat } from "./_time.ts";

export type { PickerScope } from "./_picker/state.ts";

/** What to choose from. */
export interface PickOptions {
  /** @default {"Sessions"} */
  title?: string;
  /** What Enter does, in a word. @default {"choose"} */
  action?: string;
  /** Where to begin; where a project has no session, all are shown. @default {"project"} */
  scope?: PickerScope;
}

/**
 * Lets the person at the terminal choose a session. The terminal is as before at the end, however
 * it ends.
 *
 * @returns The session; undefined when nothing was chosen.
 * @throws {UsageError} where there is no terminal to ask at.
 * @throws {CommandExit} when the process is told to end.
 */
export async function pickSession(
  context: Context,
  options: PickOptions = {},
): Promise<Summary | undefined> {
  if (!hasScreen(context)) {
    throw new UsageError(
      "Cannot ask which session: this is not a terminal; give a REF (see: reprise list)",
    );
  }
  return await new Picker(context, options, await import("../lib/render/session_choice.ts"))
    .choose();
}

/**
 * The reference of a session that is chosen now.
 *
 * @throws {CommandExit} when none is chosen.
 */
export async function pickRef(context: Context, action: string): Promise<string> {
  const row = await pickSession(context, { action });
  if (row === undefined) throw new CommandExit(STATUS.cancelled);
  return row.ref;
}

type Drawing = typeof import("../lib/render/session_choice.ts");

/** One choice: it ends once, with a session, without one, or with an error. */
class Picker {
  readonly #context: Context;
  readonly #options: PickOptions;
  readonly #drawing: Drawing;
  readonly #done = Promise.withResolvers<Summary | undefined>();
  readonly #reading = new Set<PickerScope>();
  readonly #preview: PickerPreview;
  readonly #format_time: (iso: string) => string;
  #state: PickerState;
  #screen: PickerScreen | undefined;

  constructor(context: Context, options: PickOptions, drawing: Drawing) {
    const { scope = "project" } = options;
    this.#context = context;
    this.#options = options;
    this.#drawing = drawing;
    this.#format_time = timeFormat(context);
    this.#state = initialState(SCOPES, scope);
    this.#preview = new PickerPreview(context, {
      onReady: () => this.#try(() => this.#draw()),
      onError: this.#done.reject,
    });
  }

  async choose(): Promise<Summary | undefined> {
    const { resolve, reject, promise } = this.#done;
    this.#screen = await PickerScreen.open(this.#context, {
      onKey: (key) => this.#try(() => this.#press(key)),
      onResize: () => this.#try(() => this.#resize()),
      onEnd: (reason) =>
        reason === "interrupted" ? resolve(undefined) : reject(new CommandExit(STATUS.terminated)),
      onError: reject,
    });
    try {
      this.#try(() => this.#draw());
      return await promise;
    } finally {
      this.#preview.close();
      this.#screen.close();
    }
  }

  /** An error on the way ends the choice; it must not pass the terminal by. */
  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#end(() => this.#done.reject(error));
    }
  }

  /** Ends at once: whatever is typed from now on is for what comes next. */
  #end(settle: () => void): void {
    this.#preview.close();
    this.#screen?.close();
    settle();
  }

  #press(key: Key): void {
    const after = pressKey(this.#state, key, this.#page());
    if (after === "cancelled") return this.#end(() => this.#done.resolve(undefined));
    if (after === "chosen") {
      return this.#end(() => this.#done.resolve(highlighted(this.#state)));
    }
    this.#state = after;
    this.#draw();
  }

  #resize(): void {
    this.#screen?.forget();
    this.#draw();
  }

  #page(): number {
    return this.#drawing.choiceLayout(this.#screen?.height ?? 0).page;
  }

  #draw(): void {
    const screen = this.#screen;
    if (screen === undefined) return;
    this.#read(this.#state.scope);
    this.#state = scrolled(this.#state, this.#page());
    const { width, height } = screen;
    const home = this.#context.variable("HOME");
    const { lines, cursor } = this.#drawing.renderChoice(this.#choice(width), {
      width,
      height,
      color: wantsColor(this.#context, this.#context.stdout),
      format_time: this.#format_time,
      ...(home === undefined ? {} : { home }),
    });
    screen.draw(lines, cursor);
  }

  #choice(width: number): Parameters<Drawing["renderChoice"]>[0] {
    const state = this.#state;
    const { title = "Sessions", action = "choose" } = this.#options;
    return {
      heading: `${title} · ${whereOf(state)}`,
      query: state.query,
      rows: state.shown,
      top: state.top,
      cursor: state.cursor,
      notice: noticeOf(state),
      preview: this.#preview.linesOf(highlighted(state), width),
      keys: keysOf(state, action),
      with_agent: new Set(state.shown.map(({ agent }) => agent)).size > 1,
      with_directory: state.scope !== "project",
    };
  }

  /** Reads a scope, once. */
  #read(scope: PickerScope): void {
    if (this.#reading.has(scope)) return;
    this.#reading.add(scope);
    this.#readTwice(scope).catch(this.#done.reject);
  }

  /** Shows what is remembered of a scope at once, then what is there. */
  async #readTwice(scope: PickerScope): Promise<void> {
    const known = await knownScope(this.#context, scope);
    if (known !== undefined) this.#try(() => this.#take(scope, known));
    const rows = await readScope(this.#context, scope);
    this.#try(() => this.#take(scope, rows));
  }

  #take(scope: PickerScope, rows: ScopeRows): void {
    this.#state = withRows(this.#state, scope, rows);
    // A project without sessions is no place to begin: all are shown.
    if (scope === "project" && rows.rows.length === 0 && this.#state.scope === scope) {
      this.#state = { ...this.#state, scope: "all" };
    }
    this.#draw();
  }
}
