/** The list of sessions on the whole screen. */
import type { Summary } from "../../lib/projection/summary_row.ts";
import { joinedText, type Key } from "../../lib/ui/key.ts";
import type { TerminalScreen } from "../../lib/ui/terminal_screen.ts";
import { type Context, wantsColor } from "../_context.ts";
import { timeFormat } from "../_time.ts";
import { PickerPreview } from "./preview.ts";
import { SaidSearch } from "./said_search.ts";
import { knownScope, readScope } from "./rows.ts";
import {
  highlighted,
  initialState,
  type PickerScope,
  type PickerState,
  pressKey,
  type SaidHit,
  type ScopeRows,
  scrolled,
  withRows,
  withSaid,
} from "./state.ts";
import { keysOf, noticeOf, SCOPES, whereOf } from "./words.ts";

/** What to choose from. */
export interface PickOptions {
  /** @default {"Sessions"} */
  title?: string;
  /** What Enter does, in a word. @default {"choose"} */
  action?: string;
  /** Where to begin; where a project has no session, all are shown. @default {"project"} */
  scope?: PickerScope;
}

/** A place in a session at which a text was found. */
export interface HitPlace extends Pick<SaidHit, "seq" | "thread"> {
  /** The text that was typed. */
  query: string;
}

/** Callbacks of a list. */
export interface ListListener {
  /** Takes a session, and where in it what was typed was found. */
  onChosen(row: Summary, at?: HitPlace): void;
  onCancelled(): void;
  onError(error: unknown): void;
}

type Drawing = typeof import("../../lib/render/session_choice.ts");

/** A list of sessions that typing narrows down. */
export class SessionList {
  readonly #context: Context;
  readonly #options: PickOptions;
  readonly #drawing: Drawing;
  readonly #screen: TerminalScreen;
  readonly #listener: ListListener;
  readonly #reading = new Set<PickerScope>();
  readonly #preview: PickerPreview;
  readonly #said: SaidSearch;
  readonly #format_time: (iso: string) => string;
  #state: PickerState;
  #shown = true;
  /** What there is to say, until the next key. */
  #message = "";

  private constructor(
    context: Context,
    options: PickOptions,
    { drawing, screen, listener }: {
      drawing: Drawing;
      screen: TerminalScreen;
      listener: ListListener;
    },
  ) {
    const { scope = "project" } = options;
    this.#context = context;
    this.#options = options;
    this.#drawing = drawing;
    this.#screen = screen;
    this.#listener = listener;
    this.#format_time = timeFormat(context);
    this.#state = initialState(SCOPES, scope);
    this.#preview = new PickerPreview(context, {
      onReady: () => this.#try(() => this.draw()),
      onError: listener.onError,
    });
    this.#said = new SaidSearch(context, {
      onHits: (said) =>
        this.#try(() => {
          this.#state = withSaid(this.#state, said);
          this.draw();
        }),
      onError: listener.onError,
    });
  }

  /** Loads what draws it. */
  static async load(): Promise<
    (
      context: Context,
      options: PickOptions,
      screen: TerminalScreen,
      listener: ListListener,
    ) => SessionList
  > {
    const drawing = await import("../../lib/render/session_choice.ts");
    return (context, options, screen, listener) =>
      new SessionList(context, options, { drawing, screen, listener });
  }

  /** Takes keys; whatever follows one that ends the choice is for what comes next. */
  press(keys: readonly Key[]): void {
    this.#message = "";
    for (const key of joinedText(keys)) {
      const after = pressKey(this.#state, key, this.#page());
      if (after === "cancelled") return this.#listener.onCancelled();
      if (after === "chosen") {
        const row = highlighted(this.#state);
        if (row !== undefined) this.#listener.onChosen(row, this.#hitPlace(row));
        return;
      }
      this.#state = after;
    }
    this.draw();
  }

  /** Shows it again, with what has changed since. */
  show(): void {
    this.#shown = true;
    this.#reading.clear();
    this.draw();
  }

  /** Says something, until the next key. */
  say(message: string): void {
    this.#message = message;
  }

  /** Draws nothing, until it is shown again. */
  hide(): void {
    this.#shown = false;
    this.#preview.close();
    this.#said.close();
  }

  /** Runs a step and reports its error, so that the terminal is restored first. */
  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#listener.onError(error);
    }
  }

  #page(): number {
    return this.#drawing.choiceLayout(this.#screen.height).page;
  }

  /** Draws it. */
  draw(): void {
    if (!this.#shown) return;
    const screen = this.#screen;
    this.#read(this.#state.scope);
    this.#said.want(this.#state.query, this.#state.scope);
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
    screen.draw({ rows: lines, cursor });
  }

  #choice(width: number): Parameters<Drawing["renderChoice"]>[0] {
    const state = this.#state;
    const { title = "Sessions", action = "choose" } = this.#options;
    return {
      heading: this.#message === "" ? `${title} · ${whereOf(state)}` : this.#message,
      query: state.query,
      rows: state.shown,
      top: state.top,
      cursor: state.cursor,
      notice: noticeOf(state),
      preview: this.#previewOf(highlighted(state), width),
      keys: keysOf(state, action),
      with_agent: new Set(state.shown.map(({ agent }) => agent)).size > 1,
      with_directory: state.scope !== "project",
    };
  }

  /** The preview: the first hit of the query, then the end of the session. */
  #previewOf(row: Summary | undefined, width: number): readonly string[] {
    const lines = this.#preview.linesOf(row, width);
    const hit = this.#hitIn(row);
    if (hit === undefined) return lines;
    const count = this.#drawing.choiceLayout(this.#screen.height).preview;
    return [this.#drawing.snippetText(hit.snippet, width), "", ...lines.slice(2 - count)];
  }

  #hitIn(row: Summary | undefined): SaidHit | undefined {
    const { query, said } = this.#state;
    return said?.query === query ? said.hits.get(row?.ref ?? "") : undefined;
  }

  #hitPlace(row: Summary): HitPlace | undefined {
    const hit = this.#hitIn(row);
    return hit === undefined ? undefined : { ...hit, query: this.#state.query };
  }

  /** Reads a scope, once. */
  #read(scope: PickerScope): void {
    if (this.#reading.has(scope)) return;
    this.#reading.add(scope);
    this.#readTwice(scope).catch(this.#listener.onError);
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
    this.draw();
  }
}
