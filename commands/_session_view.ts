/** Renders and prints a session's events for `show`. */
import { recordName } from "../lib/event/record_name.ts";
import type { LogEvent } from "../lib/event/envelope.ts";
import type { EventKind } from "../lib/event/payload.ts";
import { transcript } from "../lib/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../lib/projection/transcript/transcript_item.ts";
import type { Block, Fact, ToolDetail } from "../lib/render/block/block.ts";
import type { Context, Output } from "./_context.ts";
import { blockPrinter } from "./_transcript.ts";

/** What is shown of a session: an event, an item or a block. */
export interface Shown {
  seq: number;
  end_seq?: number;
}

/** Events to what is shown, and that to text. */
export interface SessionView<Item extends Shown> {
  /** Kinds that it needs; undefined for all. */
  needs: ReadonlySet<EventKind> | undefined;
  /** What these events complete. */
  take(events: readonly LogEvent[]): Item[];
  /** What is complete only because it is the end. */
  rest(): Item[];
  print(item: Item): void;
}

/** How a person wants a session shown. */
export interface BlockViewOptions {
  output: Output;
  full?: boolean;
  tools?: ToolDetail;
  /** False where the events before the first one were not counted. */
  numbered: boolean;
  /** True where only the session's end is read, which may begin within a turn. */
  amid_turn: boolean;
  /** What else is known of the session, for its head. */
  head_facts: readonly Fact[];
}

/** The events themselves, one a line; where they are not numbered, by the names of their records. */
export async function eventView(
  output: Output,
  numbered: boolean,
): Promise<SessionView<LogEvent>> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  return {
    needs: undefined,
    take: (events) => [...events],
    rest: () => [],
    print(event): void {
      const { form: _form, position: _position, ...fields } = event;
      output.write(toJsonLine(numbered ? fields : withoutNumbers(fields, recordName(event))));
    },
  };
}

/** The items of the transcript, one a line; where they are not numbered, by the names of their records. */
export async function itemView(
  output: Output,
  numbered: boolean,
): Promise<SessionView<TranscriptItem>> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  const projection = transcript();
  let state = projection.initial();
  return {
    needs: projection.needs,
    take(events): TranscriptItem[] {
      for (const event of events) state = projection.apply(state, event);
      return projection.take(state);
    },
    rest: () => projection.result(state),
    print: (item) => output.write(toJsonLine(numbered ? item : withoutNumbers(item, item.id))),
  };
}

/** Leaves out the numbers of what was read from the end: they count from where reading began. */
function withoutNumbers(
  { seq: _, end_seq: __, ...rest }: Shown & { payload?: unknown },
  id: string | undefined,
): object {
  const { payload } = rest;
  if (typeof payload !== "object" || payload === null) return { id, ...rest };
  return { id, ...rest, payload: { ...payload, first_kept_seq: undefined } };
}

/** The transcript for a person. */
export async function blockView(
  context: Context,
  { output, ...options }: BlockViewOptions,
): Promise<SessionView<Block>> {
  const { SessionBlocks } = await import("../lib/render/block/session_blocks.ts");
  const { loadPrices } = await import("../lib/library/usage/load_prices.ts");
  const { estimate } = await loadPrices();
  const attached_hint = options.full ? undefined : "show --full has them";
  const session = new SessionBlocks({ ...options, estimate, attached_hint });
  const toText = await blockPrinter(context, output, { ...options, colored_code: true });
  return {
    needs: session.needs,
    take: (events) => session.take(events),
    rest: () => session.rest(),
    print: (block) => output.write(toText(block)),
  };
}
