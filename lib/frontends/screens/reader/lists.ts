/** The lists shown over a session: keys, prompts, threads, context, changed files and commits. */
import { present } from "../../../core/event/present.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import type { WindowPrompt } from "../../../library/handle/window/prompt.ts";
import type { WindowProgress } from "../../../library/handle/window/session_window.ts";
import type { SessionContext } from "../../../core/projection/context.ts";
import { shareName } from "../../../text/render/context_table.ts";
import { counted } from "../../../core/event/counted.ts";
import { relativePath } from "../../../text/render/path_text.ts";
import { formatTokens } from "../../../text/render/usage_text.ts";
import { type Commit, commitsIn } from "../../../core/workspace/git_commits.ts";
import { sessionDirectory } from "../../../core/workspace/session_directory.ts";
import type { SessionThread } from "../../../core/projection/session_thread.ts";
import type { ReaderListName, ReaderState } from "./session_state.ts";
import type { SessionReaderOptions } from "./actions.ts";
import type { ReaderView } from "./reader_view.ts";

const MOST_COMMITS = 200;
const INDENT = 2;

type Chosen = { item: number } | { thread: string | undefined } | { list: ReaderListName };

export class ReaderLists {
  readonly #options: Pick<SessionReaderOptions, "session" | "settings" | "screen">;
  readonly #session: SessionHandle;
  #threads: readonly SessionThread[] = [];
  #context: SessionContext | undefined;
  #changes: readonly string[] = [];
  #commits: DirectoryCommits = { commits: [] };
  /** The commit for which the list shows the sessions that wrote its lines. */
  #commit: Commit | undefined;

  constructor(options: Pick<SessionReaderOptions, "session" | "settings" | "screen">) {
    this.#options = options;
    this.#session = options.session;
  }

  async open(
    of: ReaderListName,
    { window: { prompts }, place, thread }: ReaderView,
  ): Promise<Pick<ReaderState, "entries" | "cursor">> {
    if (of === "contents") {
      return { entries: prompts.length, cursor: Math.max(0, promptAt(prompts, place.item)) };
    }
    if (of === "context") {
      this.#context = await this.#session.context(present({ thread }));
      return { entries: contextEntries(this.#context).length, cursor: 0 };
    }
    if (of === "files") {
      this.#changes = await changedLines(this.#session);
      return { entries: this.#changes.length, cursor: 0 };
    }
    if (of === "commits") {
      this.#commits = await commitsOf(this.#session);
      return { entries: this.#commits.commits.length, cursor: 0 };
    }
    if (of === "writers") {
      this.#changes = await writerLines(this.#options, this.#commits, this.#commit);
      return { entries: this.#changes.length, cursor: 0 };
    }
    this.#threads = await this.#session.threads();
    const shown = this.#threads.findIndex(({ id }) => id === (thread ?? "main"));
    return { entries: this.#threads.length, cursor: Math.max(0, shown) };
  }

  shown({ mode, cursor }: ReaderState, { window }: ReaderView): ReaderList | undefined {
    if (mode === "keys") return { heading: "Keys", entries: KEYS };
    if (mode === "contents") return contentsList(window.prompts, window.progress, cursor);
    if (mode === "context") return this.#context && contextList(this.#context, cursor);
    if (mode === "files") {
      const heading = this.#changes.length === 0
        ? "The last turn changed no file"
        : "Files that the last turn changed";
      return { heading, entries: this.#changes, cursor };
    }
    if (mode === "commits") return commitList(this.#commits, cursor);
    if (mode === "writers") {
      const heading = `Who wrote ${this.#commit && commitText(this.#commit)}`;
      return { heading, entries: this.#changes, cursor };
    }
    if (mode !== "threads") return undefined;
    return { heading: "Threads", entries: this.#threads.map(threadText), cursor };
  }

  /** Returns the item, thread or list that an entry leads to. Undefined if it leads nowhere. */
  async chosen(
    of: ReaderListName,
    at: number,
    { window }: ReaderView,
  ): Promise<Chosen | undefined> {
    if (of === "files" || of === "writers") return undefined;
    if (of === "commits") {
      this.#commit = this.#commits.commits[at];
      return { list: "writers" };
    }
    if (of === "threads") return { thread: this.#threads[at]?.id };
    const { shares = [], dropped = [] } = this.#context ?? {};
    const seq = dropped[at - shares.length]?.from_seq;
    const item = of === "contents"
      ? window.prompts[at]?.item
      : seq === undefined
      ? undefined
      : await window.itemOf(seq);
    return item === undefined ? undefined : { item };
  }
}

export interface ReaderList {
  heading: string;
  entries: readonly string[];
  cursor?: number;
}

const KEYS: readonly string[] = [
  "↑ ↓  k j       scroll one row, at most until the last block is at the top",
  "PgUp PgDn u d  scroll one screen, or half a screen",
  "g G            go to the beginning or the end",
  "wheel          scroll three rows; m: let the mouse select text instead",
  "← →  K J       select the previous or the next block",
  "Enter          expand the selected block, or collapse it",
  "y Y            y: copy the selected block; Y: copy only its code or command",
  "o              open the file of an edit in $EDITOR, at its line",
  "/ n N          search; n: next match; N: previous match; Esc: end the search",
  "] [            go to the next or the previous prompt",
  "c              contents: all prompts",
  "t              threads: branches, subagents, and turns that were undone",
  "x              context: what the model sees now, and what was dropped",
  "F B            F: files that the last turn changed; B: who wrote a commit",
  "Tab            switch tool calls and thinking: shortened, collapsed, or full",
  "e T p          e: export to a file; T: edit the tags; p: pin or unpin",
  "r R            r: resume in the session's own agent; R: in another agent",
  "f              follow: show new messages as they arrive",
  "q Esc          back to the list; ^C quits, ^Z suspends",
];

async function changedLines(session: SessionHandle): Promise<string[]> {
  const { sessionFiles } = await import("../../../features/blame/files/session_files.ts");
  const { fileDiff } = await import("../../../features/blame/files/file_diff.ts");
  const { cwd, files } = await sessionFiles(session, { from: "last-turn" });
  return files.flatMap((file) => {
    const { added, removed, lines } = fileDiff(file);
    return [`${relativePath(file.path, cwd)}  +${added} −${removed}`, ...lines];
  });
}

/** The commits that were made in a session's directory, the newest first. */
interface DirectoryCommits {
  /** The directory on this machine. Absent if the session has no directory here. */
  directory?: string;
  commits: readonly Commit[];
}

async function commitsOf(session: SessionHandle): Promise<DirectoryCommits> {
  const directory = sessionDirectory((await session.summary()).cwd)?.local;
  if (directory === undefined) return { commits: [] };
  return { directory, commits: commitsIn(directory).toReversed().slice(0, MOST_COMMITS) };
}

function commitList({ commits }: DirectoryCommits, cursor: number): ReaderList {
  const heading = commits.length === 0
    ? "Git recorded no commits that were made in this directory"
    : "Commits of this directory";
  return { heading, entries: commits.map(commitText), cursor };
}

function commitText({ hash, subject }: Commit): string {
  return `${hash.slice(0, 8)}  ${subject}`;
}

async function writerLines(
  { settings: { library, now }, screen }: Pick<SessionReaderOptions, "settings" | "screen">,
  { directory = "" }: DirectoryCommits,
  commit: Commit | undefined,
): Promise<string[]> {
  const [{ blameCommits }, { costLines, writingSessions }, { renderCommitTable }] = await Promise
    .all([
      import("../../../features/blame/blame_commits.ts"),
      import("../../../features/blame/writing_sessions.ts"),
      import("../../../text/render/commit_table.ts"),
    ]);
  const found = await blameCommits(library, commit?.hash ?? "", {
    cwd: directory,
    variable: library.place.environment.variable,
    now: now().getTime(),
  });
  if (found === undefined) return ["The git repository no longer has this commit"];
  const look = {
    width: screen.width - INDENT,
    color: false,
    notes: await costLines(found.sessions),
  };
  const totals = { ...found, commits: found.commits.length };
  return renderCommitTable(writingSessions(library, found), totals, look).trimEnd().split("\n");
}

function threadText({ id, kind, records, title = "" }: SessionThread): string {
  return `${kind.padEnd(8)}  ${counted(records, "record").padStart(14)}  ${title || id}`;
}

/** Returns the sizes of the context by kind, then each dropped part. */
function contextEntries({ shares, dropped }: SessionContext): string[] {
  return [
    ...shares.map(({ kind, count, tokens }) =>
      `${shareName(kind).padEnd(16)} ${String(count).padStart(6)}  ~${formatTokens(tokens)} tokens`
    ),
    ...dropped.map(({ number, seq, reason, messages, tokens }) => {
      const cause = `${reason} ${number}`;
      const size = `${counted(messages, "message")} (about ${formatTokens(tokens)} tokens)`;
      return `At event #${seq}, ${cause} left out ${size}`;
    }),
  ];
}

function contextList(context: SessionContext, cursor: number): ReaderList {
  const { messages, tokens } = context;
  const heading = `The model's context has ${counted(messages, "message")}, about ${
    formatTokens(tokens)
  } tokens`;
  return { heading, entries: contextEntries(context), cursor };
}

function contentsList(
  prompts: readonly WindowPrompt[],
  { total }: WindowProgress,
  cursor: number,
): ReaderList {
  const so_far = total === undefined ? " so far; loading" : "";
  return {
    heading: `Contents · ${counted(prompts.length, "prompt")}${so_far}`,
    entries: prompts.map(({ text }, at) => `${at + 1}  ${text}`),
    cursor,
  };
}

/** Returns the index of an item's prompt. Returns the last prompt for a negative `item`. */
function promptAt(prompts: readonly WindowPrompt[], item: number): number {
  const after = item < 0 ? -1 : prompts.findIndex((prompt) => prompt.item > item);
  return Math.max(0, (after < 0 ? prompts.length : after) - 1);
}
