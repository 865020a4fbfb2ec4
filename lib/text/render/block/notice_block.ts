/** Makes notices: lines about the state of a session, and items without another block. */
import { present } from "../../../core/event/present.ts";
import type { ContextSource } from "../../../core/event/payload.ts";
import type {
  BranchedItem,
  ClosedItem,
  CompactionItem,
  ContextItem,
  ExtensionItem,
  FailureItem,
  NoticeItem,
  ReplacedItem,
  UnreadableItem,
} from "../../../core/projection/transcript/item.ts";
import { formatBytes } from "../byte_size.ts";
import { formatTokens } from "../usage_text.ts";
import type { Block, BlockBase, NoticeBlock, ToolDetail, Word } from "./block.ts";
import { dataBlock } from "./call_block.ts";
import { FOLDS } from "../fold.ts";
import { blockName } from "./block_text.ts";
import { counted } from "../../../core/event/counted.ts";

type LineItem =
  | ContextItem
  | CompactionItem
  | ReplacedItem
  | BranchedItem
  | FailureItem
  | NoticeItem
  | ClosedItem
  | UnreadableItem
  | ExtensionItem;

type NoticeFields = Partial<Omit<NoticeBlock, "detail">> & {
  title: string;
  detail?: string | undefined;
};

/** Returns undefined if the notice is about a call and calls are left out. */
export function noticeBlock(
  item: LineItem,
  base: BlockBase,
  tools: ToolDetail = "full",
): NoticeBlock | undefined {
  const words = wordsOf(item);
  switch (item.type) {
    case "context":
      return contextBlock(item, base);
    case "compaction": {
      const { status, summary, guidance } = item;
      const title = status.trim() || "Conversation compacted";
      const short_title = "conversation compacted";
      const content = summaryBlocks(summary, base);
      return notice(base, { form: "rule", title, short_title, detail: guidance, words, content });
    }
    case "replaced": {
      const count = counted(item.messages, "message");
      const title = `conversation replaced${item.reason === "" ? "" : `: ${item.reason}`}`;
      return notice(base, { ink: "quiet", title: `${title} (${count})` });
    }
    case "branched":
      return notice(base, {
        ink: "quiet",
        title: `Continued from event ${item.from_seq}`,
        detail: item.reason?.trim(),
      });
    case "failure": {
      const was_stopped = item.reason === "cancelled";
      return notice(base, {
        ink: was_stopped ? "warn" : "fail",
        title: was_stopped ? "Turn cancelled" : "Turn failed",
        detail: item.message.trim(),
      });
    }
    case "notice": {
      const { title, level, text: detail } = item;
      return notice(base, {
        ink: level === "error" ? "fail" : "quiet",
        title,
        detail: detail.trim(),
      });
    }
    case "closed": {
      const [title, ink] = item.status === "failed"
        ? ["Session failed", "fail"] as const
        : ["Session completed", "ok"] as const;
      const content = summaryBlocks(item.summary, base);
      return notice(base, { form: "rule", title, ink, words, content });
    }
    case "unreadable": {
      // It may be a call, or what a call gave.
      const content = tools === "full" ? dataBlock("Payload", item.payload, { seq: base.seq }) : [];
      const title = `Unreadable ${item.kind}${blockName(base)}`;
      return notice(base, { ink: "warn", title, detail: item.reason, content });
    }
    case "extension": {
      if (tools === "none") return undefined;
      const content = tools === "full" ? dataBlock("Data", item.data, { seq: base.seq }) : [];
      const title = `${item.agent}: ${item.name}${blockName(base)}`;
      return notice(base, { ink: "quiet", title, content, hides_with_calls: true });
    }
  }
}

export function notice(base: BlockBase, block: NoticeFields): NoticeBlock {
  const { detail, ...rest } = block;
  return present({
    type: "notice" as const,
    ...base,
    form: "line" as const,
    words: [],
    content: [],
    ...rest,
    detail: detail || undefined,
  });
}

function summaryBlocks(text: string | undefined, base: BlockBase): Block[] {
  if (text === undefined || text.trim() === "") return [];
  const { seq } = base;
  const fold = FOLDS.summary;
  return [{ type: "prose", seq, text: text.trim(), markup: "plain", is_quiet: true, fold }];
}

/** Shows each file that failed to load on its own line. */
function contextBlock({ sources }: ContextItem, base: BlockBase): NoticeBlock {
  const loaded = sources.filter(({ error }) => error === undefined).map(describeSource);
  const content = sources.flatMap(({ path, error }) =>
    error === undefined ? [] : [
      notice({ seq: base.seq }, { ink: "fail", title: `Could not load ${path}`, detail: error }),
    ]
  );
  const detail = loaded.join(", ") || "no instructions";
  return notice(base, { ink: "quiet", title: "Loaded", detail, content });
}

function describeSource({ path, bytes, truncated }: ContextSource): string {
  return `${path} (${formatBytes(bytes)}${truncated ? ", cut" : ""})`;
}

function wordsOf(item: LineItem): Word[] {
  if (item.type === "closed") {
    return item.exit_code === undefined ? [] : [{ text: `exit ${item.exit_code}` }];
  }
  if (item.type !== "compaction") return [];
  const { tokens_before: before, tokens_after: after, trigger } = item;
  const size = before !== undefined && after !== undefined
    ? `${formatTokens(before)} → ${formatTokens(after)} tokens`
    : before !== undefined
    ? `${formatTokens(before)} tokens before`
    : after !== undefined
    ? `${formatTokens(after)} tokens after`
    : "";
  const words: Word[] = size === "" ? [] : [{ text: size }];
  return trigger === undefined ? words : [...words, { text: trigger, ink: "quiet" }];
}
