/** Lists sessions on the whole screen. */
import { SessionError } from "../../../core/event/session_error.ts";
import { sessionOf } from "../../../library/query/query.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { relativeTime } from "../../../text/render/relative_time.ts";
import { joinedText, type Key } from "../../ui/key.ts";
import type { TerminalScreen } from "../../ui/terminal_screen.ts";
import { hitPlace, markedWords } from "./hit_words.ts";
import { PickerPreview } from "./preview.ts";
import { ScopeReader } from "./scope_reader.ts";
import { SaidSearch } from "./scope_sessions.ts";
import {
  attentionIn,
  highlighted,
  initialState,
  isSearched,
  lacksCounts,
  orderOf,
  type PickerScope,
  type PickerState,
  pressKey,
  type SaidHit,
  saidNow,
  type ScopeRows,
  scrolled,
  type SessionAction,
  withNextScope,
  withRows,
  withRunning,
  withSaid,
  withTouched,
} from "./state.ts";
import { TouchedSearch } from "./touched_search.ts";
import { choiceLayout, nowRows, renderChoice, type SessionChoice, snippetRows } from "./picture.ts";
import { helpOf, keysOf, noticeOf, whereOf } from "./texts.ts";
import { exportName, type ReaderActions } from "../reader/actions.ts";
import type { ListListener, ScreenSettings, SessionChooser } from "../screen.ts";

export interface PickOptions {
  /** The help text for Enter. @default {"choose"} */
  action?: string;
  actions?: ListActions;
}

type ListActions = Pick<ReaderActions, SessionAction>;

/** Empty list fields for a screen that shows only a text, such as the help. */
const NOTHING = {
  ...{ rows: [], words: [], top: 0, cursor: 0, preview: [] },
  ...{ with_agent: false, with_directory: false },
} as const;

export class SessionList implements SessionChooser {
  readonly #settings: ScreenSettings;
  readonly #options: PickOptions;
  readonly #screen: TerminalScreen;
  readonly #listener: ListListener;
  readonly #reader: ScopeReader;
  readonly #preview: PickerPreview;
  readonly #said: SaidSearch;
  readonly #touched: TouchedSearch;
  /** True if all projects are shown because this project had no hit. */
  #is_wide = false;
  #state: PickerState;
  #shown = true;
  #message = "";

  constructor(
    settings: ScreenSettings,
    options: PickOptions,
    screen: TerminalScreen,
    listener: ListListener,
  ) {
    this.#settings = settings;
    this.#options = options;
    this.#screen = screen;
    this.#listener = listener;
    this.#state = initialState();
    this.#preview = new PickerPreview(settings, {
      onReady: () => this.#try(() => this.draw()),
      onError: listener.onError,
    });
    this.#reader = new ScopeReader(settings, {
      onRows: (scope, rows) => this.#try(() => this.#take(scope, rows)),
      onRunning: (running) =>
        this.#try(() => {
          this.#state = withRunning(this.#state, running);
          this.draw();
        }),
      onError: listener.onError,
    });
    this.#touched = new TouchedSearch(settings, {
      onTouched: (touched) =>
        this.#try(() => {
          this.#state = withTouched(this.#state, touched);
          this.#widenIfNone();
          this.draw();
        }),
      onError: listener.onError,
    });
    this.#said = new SaidSearch(settings, {
      onHits: (said) =>
        this.#try(() => {
          this.#state = withSaid(this.#state, said);
          this.#widenIfNone();
          this.draw();
        }),
      onError: listener.onError,
    });
  }

  /** Reports that all projects are listed. For an empty query, lists the current project. */
  #tellWide(): void {
    if (!this.#is_wide) return;
    const { scope, query } = this.#state;
    this.#is_wide = scope === "all" && query !== "";
    if (this.#is_wide) this.say("Nothing in this project. In all projects:");
    else if (scope === "all") this.#state = withNextScope(this.#state);
  }

  /** Switches to all projects once this project was searched without a match for the query. */
  #widenIfNone(): void {
    const { scope, shown, query } = this.#state;
    // The last hit may have left the list by an action, and what that says is to be read.
    if (this.#message !== "" || scope === "all") return;
    if (shown.length > 0 || query.trim() === "" || !isSearched(this.#state)) return;
    this.#state = withNextScope(this.#state);
    this.#is_wide = true;
    this.#tellWide();
  }

  /** Handles keys up to one that chooses, cancels or starts an action. Ignores the later keys. */
  press(keys: readonly Key[]): void {
    this.#message = "";
    for (const key of joinedText(keys)) {
      const after = pressKey(this.#state, key, this.#page());
      if (after === "cancelled") return this.#listener.onCancelled(key.ctrl);
      if (after === "chosen") {
        const row = highlighted(this.#state);
        if (row === undefined) return;
        const hit = this.#hitIn(row);
        this.#listener.onChosen(row, hit && hitPlace(hit, this.#state.filter));
        return;
      }
      if (typeof after === "string") {
        const row = highlighted(this.#state);
        if (row === undefined || this.#options.actions === undefined) continue;
        if (after === "tag" && this.#state.tags === undefined) {
          this.#state = { ...this.#state, tags: row.tags?.join(" ") ?? "" };
          continue;
        }
        return void this.#act(after, row).catch(this.#listener.onError);
      }
      this.#state = after;
    }
    this.#tellWide();
    this.#widenIfNone();
    this.draw();
  }

  async #act(action: SessionAction, row: Summary): Promise<void> {
    const { actions } = this.#options;
    const screen = this.#screen;
    if (actions === undefined) return;
    const { tags = "" } = this.#state;
    screen.pause();
    try {
      this.#state = { ...this.#state, tags: undefined };
      const session = await this.#settings.library.entry(sessionOf(row)).open();
      const result = action === "export"
        ? actions.export(session, exportName(session.id), undefined)
        : action === "tag"
        ? actions.tag(session, tags)
        : actions[action](session, screen);
      this.say(await result);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      this.say(error.message);
    } finally {
      screen.goOn();
    }
    this.show();
  }

  show(): void {
    this.#shown = true;
    this.#reader.forget();
    this.draw();
  }

  say(message: string): void {
    this.#message = message;
  }

  hide(): void {
    this.#shown = false;
    this.#preview.close();
    this.#said.close();
    this.#touched.close();
  }

  /** Runs a step. Reports its error instead of throwing, so the terminal is restored first. */
  #try(step: () => void): void {
    try {
      step();
    } catch (error) {
      this.#listener.onError(error);
    }
  }

  #page(): number {
    return choiceLayout(this.#screen.height).page;
  }

  draw(): void {
    if (!this.#shown) return;
    const screen = this.#screen;
    this.#reader.read(this.#state.scope);
    if (lacksCounts(this.#state)) this.#reader.count(this.#state.scope);
    this.#touched.want(this.#state.filter.file, this.#state.scope);
    this.#said.want(this.#state.filter.text, this.#state.scope);
    this.#state = scrolled(this.#state, this.#page());
    const { width, height } = screen;
    const { color, home } = this.#settings;
    const format_time = relativeTime(this.#settings.now().getTime());
    const options = { width, height, color, home, format_time };
    screen.draw(renderChoice(this.#choice(width), options));
  }

  #choice(width: number): SessionChoice {
    const state = this.#state;
    const { action = "choose", actions } = this.#options;
    if (state.help) {
      const notice = helpOf(state, action, actions !== undefined);
      return {
        ...NOTHING,
        heading: "Keys",
        query: state.query,
        notice,
        keys: [...state.is_asking ? ["type words to search all sessions"] : [], "any key: back"],
      };
    }
    return {
      heading: this.#message === "" ? `Sessions · ${whereOf(state)}` : this.#message,
      query: state.tags ?? state.query,
      prompt: state.tags === undefined ? undefined : "Tags: ",
      words: state.filter.words,
      isAcross: ({ ref }) => saidNow(state)?.hits.get(ref)?.is_across === true,
      rows: state.shown,
      attentionOf: attentionIn(state),
      order: orderOf(state),
      top: state.top,
      cursor: state.cursor,
      notice: noticeOf(state),
      preview: this.#previewOf(highlighted(state), width),
      keys: keysOf(state, action),
      with_agent: new Set(state.shown.map(({ agent }) => agent)).size > 1,
      with_directory: state.scope !== "project",
    };
  }

  #previewOf(row: Summary | undefined, width: number): readonly string[] {
    const lines = this.#preview.linesOf(row, width);
    const hit = this.#hitIn(row);
    const running = this.#state.running?.get(row?.ref ?? "");
    if (hit === undefined && running === undefined) return lines;
    const count = choiceLayout(this.#screen.height).preview;
    const { color } = this.#settings;
    const first = hit === undefined
      ? nowRows(running, width)
      : snippetRows(hit.snippet, markedWords(hit, this.#state.filter), { width, color });
    return [...first, "", ...lines.slice(first.length + 1 - count)];
  }

  #hitIn(row: Summary | undefined): SaidHit | undefined {
    return saidNow(this.#state)?.hits.get(row?.ref ?? "");
  }

  #take(scope: PickerScope, rows: ScopeRows): void {
    this.#state = withRows(this.#state, scope, rows);
    // A project without sessions is no place to begin: all are shown.
    if (scope === "project" && rows.rows.length === 0 && this.#state.scope === scope) {
      this.#state = { ...this.#state, scope: "all" };
    }
    this.#widenIfNone();
    this.draw();
  }
}
