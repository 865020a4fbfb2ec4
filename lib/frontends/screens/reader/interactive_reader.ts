/** Shows a session on the whole screen and handles its keys. */
import { errorText } from "../../../core/event/error_text.ts";
import type { HitPlace } from "../screen.ts";
import {
  copyBlock,
  editFile,
  marked,
  promptFor,
  type SessionReaderOptions,
  toggleMouse,
} from "./actions.ts";
import type { Key } from "../../ui/key.ts";
import { itemOfHit } from "./find_hit.ts";
import { HitSearch } from "./hit_search.ts";
import { type ReaderList, ReaderLists } from "./lists.ts";
import { readerPicture, readerSize, renderReader } from "./picture.ts";
import {
  initialReader,
  MOVES,
  pressReader,
  type ReaderListName,
  type ReaderState,
  type Wish,
} from "./session_state.ts";
import { ReaderView } from "./reader_view.ts";
import { FOLDINGS } from "./words.ts";

const PROGRESS_MS = 100;
/** Milliseconds after a key until the screen shows "Loading…". */
const PATIENCE_MS = 20;

export class InteractiveReader {
  readonly #options: SessionReaderOptions;
  readonly #view: ReaderView;
  readonly #search: HitSearch;
  #state: ReaderState = initialReader();
  readonly #lists: ReaderLists;
  #keys: Key[] = [];
  #working = false;
  #due = false;
  #closed = false;
  /** True while the last key only moves the view. Further keys are accepted meanwhile. */
  #moving = false;
  #waiting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stale = false;
  #watch: AbortController | undefined;

  constructor(options: SessionReaderOptions) {
    this.#options = options;
    this.#lists = new ReaderLists(options);
    const { session, drawing, onError } = options;
    this.#view = new ReaderView(session, drawing, {
      onProgress: () => this.#drawSoon(),
      onError: (error) => this.#tell(errorText(error)),
    });
    this.#search = new HitSearch(this.#view, drawing, {
      say: (message) => this.#tell(message),
      onCounted: () => this.#drawSoon(),
      onError,
    });
  }

  /** Shows the session's end and reads the rest. If a hit was given, moves to the hit. */
  async open(): Promise<void> {
    const { at } = this.#options;
    if (at?.thread !== undefined) this.#view.reopen(at.thread);
    await this.#paint();
    this.#view.readOn();
    if (at !== undefined) this.#goToHit(at).catch((error) => this.#tell(String(error)));
    // The first screen does not wait for the colours of code.
    this.#options.drawing.loadColors().then((colored) => {
      if (!colored) return;
      this.#view.renderAnew();
      this.draw();
    }).catch(this.#options.onError);
  }

  /** Handles keys. Reads no further keys until these are handled. */
  press(keys: readonly Key[]): void {
    // Nobody has to wait to get out.
    if (this.#waiting && keys.some(({ name, ctrl = false }) => ctrl && name === "c")) {
      this.close();
      return this.#options.onLeave(true);
    }
    for (const one of keys) this.#keys.push(one);
    this.#view.touch();
    this.#options.screen.pause();
    this.draw();
  }

  draw(): void {
    this.#work().catch((error) => {
      // What was waited for may be closed already.
      if (!this.#closed) this.#options.onError(error);
    });
  }

  close(): void {
    this.#closed = true;
    this.#search.stop();
    this.#watch?.abort();
    clearTimeout(this.#timer);
    this.#view.close();
  }

  async #work(): Promise<void> {
    this.#due = true;
    if (this.#working || this.#closed) return;
    this.#working = true;
    const patience = setTimeout(() => this.#wait(), PATIENCE_MS);
    try {
      while (this.#due) {
        this.#due = false;
        await this.#takeKeys();
        if (this.#closed) return;
        if (this.#stale) this.#reopen(this.#view.thread);
        await this.#paint();
      }
    } finally {
      clearTimeout(patience);
      this.#waiting = false;
      this.#working = false;
      this.#options.screen.goOn();
    }
    await this.#view.prepare();
  }

  /** Shows "Loading…" below the last rows, while a key that moves the view is handled. */
  #wait(): void {
    if (this.#closed || !this.#moving) return;
    this.#waiting = true;
    this.#draw();
    this.#options.screen.goOn();
  }

  async #takeKeys(): Promise<void> {
    for (let key = this.#keys.shift(); key !== undefined; key = this.#keys.shift()) {
      const { follow, folding } = this.#state;
      const { state, wish } = pressReader(this.#state, key, readerSize(this.#options).page);
      this.#state = state;
      if (folding !== state.folding) this.#say(FOLDINGS[state.folding]);
      if (follow !== state.follow) this.#followed(state.follow);
      this.#moving = wish !== undefined && MOVES.has(wish.type);
      if (wish !== undefined) await this.#fulfil(wish);
      if (this.#closed) return;
      // What the next key does may depend on what is shown.
      if (this.#keys.length > 0) await this.#fit();
    }
  }

  async #fulfil(wish: Wish): Promise<void> {
    const view = this.#view;
    const { actions, session } = this.#options;
    switch (wish.type) {
      case "scroll":
      case "page":
      case "edge":
      case "prompt":
      case "select":
        return this.#say(await view.move(wish));
      case "hit":
        return this.#search.start(this.#state.query, wish.step);
      case "stop":
        view.hit = undefined;
        return this.#search.stop();
      case "unfold":
        return view.rows.toggle(view.current);
      case "list":
        return await this.#open(wish.of);
      case "choose":
        return await this.#choose(wish.of, wish.at);
      case "copy":
        return this.#say(await copyBlock(this.#options, view, wish.part));
      case "edit":
        return this.#say(await editFile(this.#options, view));
      case "export":
        return this.#say(await actions.export(session, wish.path, view.thread));
      case "ask_export":
      case "ask_tags":
        this.#state = { ...this.#state, ...await promptFor(wish.type, session) };
        return;
      case "tag":
        return this.#say(await marked(this.#options, actions.tag(session, wish.tags)));
      case "pin":
        return this.#say(await marked(this.#options, actions.pin(session)));
      case "resume":
      case "hand_over":
        return await this.#continue(wish.type);
      case "mouse":
        return this.#say(toggleMouse(this.#options));
      case "leave":
      case "quit":
        this.close();
        return this.#options.onLeave(wish.type === "quit");
    }
  }

  #say(message: string): void {
    this.#state = { ...this.#state, message };
  }

  /** Shows a message that is not the answer to a key. */
  #tell(message: string): void {
    this.#say(message);
    this.#drawSoon();
  }

  #drawSoon(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.draw();
    }, PROGRESS_MS);
  }

  async #fit(): Promise<void> {
    await this.#view.fit({ ...readerSize(this.#options), folding: this.#state.folding });
  }

  async #paint(): Promise<void> {
    await this.#fit();
    this.#waiting = false;
    if (!this.#closed) this.#draw();
  }

  #draw(): void {
    const { screen, settings: { color } } = this.#options;
    const { width, height } = screen;
    const list = this.#listShown();
    const state = this.#waiting ? { ...this.#state, message: "Loading…" } : this.#state;
    const beside = { list, state, found: this.#search.text };
    const picture = readerPicture(this.#options, this.#view, beside);
    screen.draw(renderReader(picture, { width, height, color }));
  }

  #listShown(): ReaderList | undefined {
    // More prompts may have been met meanwhile.
    if (this.#state.mode === "contents") {
      this.#state = { ...this.#state, entries: this.#view.window.prompts.length };
    }
    return this.#lists.shown(this.#state, this.#view);
  }

  async #open(of: ReaderListName): Promise<void> {
    this.#state = { ...this.#state, mode: of, ...await this.#lists.open(of, this.#view) };
  }

  async #choose(of: ReaderListName, at: number): Promise<void> {
    const chosen = await this.#lists.chosen(of, at, this.#view);
    if (chosen === undefined) return;
    if ("list" in chosen) return await this.#open(chosen.list);
    if ("item" in chosen) return this.#view.select({ item: chosen.item, row: 0 });
    this.#reopen(chosen.thread);
    this.#view.readOn();
  }

  async #continue(how: "resume" | "hand_over"): Promise<void> {
    const { actions, session, screen } = this.#options;
    const refused = await actions[how](session, screen);
    if (refused !== "") return this.#say(refused);
    this.#reopen(this.#view.thread);
    this.#view.readOn();
  }

  #followed(follow: boolean): void {
    this.#watch?.abort();
    if (!follow) return this.#view.readOn();
    this.#watch = new AbortController();
    this.#keepUp(this.#watch.signal).catch(this.#options.onError);
  }

  async #keepUp(signal: AbortSignal): Promise<void> {
    for await (const _ of this.#options.session.changes(signal)) {
      this.#stale = true;
      this.draw();
    }
  }

  /**
   * Reads the session again. Must run between two drawings, because a drawing would wait for the
   * closed reader.
   */
  #reopen(thread: string | undefined): void {
    this.#stale = false;
    this.#search.stop();
    this.#view.reopen(thread);
  }

  /** Moves to a hit once the session is read that far, unless a key was pressed meanwhile. */
  async #goToHit(at: HitPlace): Promise<void> {
    const state = { ...this.#state, message: `Loading the session up to the match “${at.query}”` };
    this.#state = state;
    const { item, text = "" } = await itemOfHit(this.#view, this.#options.drawing, at) ?? {};
    if (item === undefined || this.#state !== state) return;
    const message = text === "" ? "The match is in collapsed text: press Enter to expand it" : "";
    this.#state = { ...state, query: text, message };
    this.#view.select({ item, row: 0 });
    if (text !== "") this.#search.startIn(item, text);
    this.draw();
  }
}
