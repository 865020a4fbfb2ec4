/** Makes blocks from the items of a transcript, one item after another. */
import type {
  GitInfo,
  ImportInfo,
  ParentInfo,
  SessionStartedPayload,
} from "../../../core/event/payload.ts";
import { present } from "../../../core/event/present.ts";
import type {
  DiffItem,
  SessionItem,
  TranscriptItem,
} from "../../../core/projection/transcript/item.ts";
import { FOLDS } from "../fold.ts";
import { relativePath } from "../path_text.ts";
import { firstLine } from "../text_width.ts";
import type { Block, BlockBase, BlockOptions, DiffBlock, Fact, HeadBlock } from "./block.ts";
import { callBlock, commandBlock } from "./call_block.ts";
import { attachedBlock, messageBlock } from "./message_block.ts";
import { noticeBlock } from "./notice_block.ts";
import { type BlockContext, Reminders } from "./reminders.ts";

/** Its memory use does not depend on the session's length. */
export class BlockMaker {
  readonly #context: BlockContext;

  constructor(options: BlockOptions = {}) {
    this.#context = { ...options, reminders: new Reminders() };
  }

  /** Returns the block that shows an item. Returns undefined if the item shows nothing. */
  blockOf(item: TranscriptItem): Block | undefined {
    // The directory of the first head counts: a copied one belongs to another session.
    if (item.type === "session") this.#context.cwd ??= item.session.cwd;
    return blockOf(item, this.#context);
  }
}

export function blockOfItem(item: TranscriptItem, options: BlockOptions = {}): Block | undefined {
  return new BlockMaker(options).blockOf(item);
}

function blockOf(item: TranscriptItem, context: BlockContext): Block | undefined {
  const base = blockBase(item, context.numbered ?? true);
  switch (item.type) {
    case "session":
      return headBlock(item, base, context.head_facts);
    case "message":
      return messageBlock(item, base, context);
    case "attached":
      return attachedBlock(item, base, context);
    case "reasoning":
      return item.text.trim() === ""
        ? undefined
        : { type: "thinking", ...base, text: item.text, fold: FOLDS.thinking };
    case "tool":
      return context.tools === "none" ? undefined : callBlock(item, base, context);
    case "bash":
      return context.tools === "none" ? undefined : commandBlock(item, base, context);
    case "diff":
      return context.tools === "none" ? undefined : diffBlock(item, base, context);
    default:
      return noticeBlock(item, base, context.tools);
  }
}

function blockBase(
  { seq, end_seq, id = "", integrity }: TranscriptItem,
  numbered: boolean,
): BlockBase {
  return present({
    seq,
    end_seq,
    id: numbered ? undefined : id,
    doubt: integrity === "mismatch" || integrity === "salvaged" ? integrity : undefined,
  });
}

function diffBlock(
  { path, lines }: DiffItem,
  base: BlockBase,
  { tools, cwd }: BlockContext,
): DiffBlock {
  return present({
    type: "diff" as const,
    ...base,
    path: path === undefined ? undefined : relativePath(path, cwd),
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
    lines: tools === "brief" ? [] : lines,
    fold: FOLDS.diff,
  });
}

/** Maximum columns of a title, as in lists. The title may be a long first message. */
const TITLE = 300;

function headBlock(
  { session }: SessionItem,
  base: BlockBase,
  more: readonly Fact[] = [],
): HeadBlock {
  const { app, git, parent, imported_from: origin } = session;
  const facts: Fact[] = [
    { name: "Session", value: session.session_id, is_in_header: true },
    { name: "Directory", value: session.cwd, form: "path", is_in_header: true },
    { name: "Created", value: session.created_at, form: "time", is_in_header: true },
    { name: "Branch", value: branchText(git) },
    { name: "Remote", value: git?.remote ?? "" },
    { name: "App", value: app === undefined ? "" : joinWords(app.name, app.version) },
    { name: "Parent", value: parentText(parent) },
    { name: "Imported", value: importText(origin) },
    { name: "From", value: origin?.path ?? "", form: "path" },
    { name: "Settings", value: settingsText(session) },
    ...more,
  ];
  return {
    type: "head",
    ...base,
    title: firstLine(session.title ?? "", TITLE),
    facts: facts.filter(({ value }) => value !== ""),
  };
}

function branchText(git: GitInfo | undefined): string {
  const commit = git?.commit?.slice(0, 8) ?? "";
  return git?.branch === undefined ? commit : joinWords(git.branch, commit && `(${commit})`);
}

function importText(origin: ImportInfo | undefined): string {
  if (origin === undefined) return "";
  const version = origin.agent_version;
  return joinWords(`${origin.agent}:${origin.id}`, version && `(version ${version})`);
}

function parentText(parent: ParentInfo | undefined): string {
  if (parent === undefined) return "";
  return joinWords(parentName(parent), parent.reason && `(${parent.reason})`);
}

function settingsText({ environment = {} }: SessionStartedPayload): string {
  return Object.entries(environment).map(([name, value]) =>
    `${name} ${typeof value === "string" ? value : JSON.stringify(value)}`
  ).join(" · ");
}

function joinWords(...words: (string | undefined)[]): string {
  return words.filter((word) => word).join(" ");
}

/**
 * Returns the parent's id and event number. A merge's event number belongs to the new session, so
 * it is left out.
 */
export function parentName({ session_id, seq, reason }: ParentInfo): string {
  return seq === undefined || reason === "merge" ? session_id : `${session_id}#${seq}`;
}
