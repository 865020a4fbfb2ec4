/** Renders and prints a session's events for `show`. */
import type { LogEvent } from "../lib/event/envelope.ts";
import type { EventKind } from "../lib/event/payload.ts";
import { transcript } from "../lib/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../lib/projection/transcript/transcript_item.ts";
import type { Context, Output } from "./_context.ts";
import { itemRenderer } from "./_transcript.ts";

/** Events to items, and items to text. */
export interface SessionView<Item> {
  /** Kinds that it needs; undefined for all. */
  needs: ReadonlySet<EventKind> | undefined;
  /** The items that these events complete. */
  take(events: readonly LogEvent[]): Item[];
  /** The items that are complete only because it is the end. */
  rest(): Item[];
  print(item: Item): void;
}

/** How to print. */
export interface ViewOptions {
  output: Output;
  json?: boolean;
  full?: boolean;
}

/** The events themselves, one a line. */
export async function eventView({ output }: ViewOptions): Promise<SessionView<LogEvent>> {
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  return {
    needs: undefined,
    take: (events) => [...events],
    rest: () => [],
    print({ form: _form, position: _position, ...fields }): void {
      output.write(toJsonLine(fields));
    },
  };
}

/** A view of the end of a session, read by itself: what its events' numbers are is not known. */
export function withoutNumbers<Item extends { seq: number }>(
  view: SessionView<Item>,
): SessionView<Item> {
  const unnumbered = (item: Item): Item => ({ ...item, seq: 0 });
  return {
    ...view,
    take: (events) => view.take(events).map(unnumbered),
    rest: () => view.rest().map(unnumbered),
  };
}

/** The transcript. */
export async function itemView(
  context: Context,
  options: ViewOptions,
): Promise<SessionView<TranscriptItem>> {
  const toText = await itemText(context, options);
  const projection = transcript();
  let state = projection.initial();
  return {
    needs: projection.needs,
    take(events): TranscriptItem[] {
      for (const event of events) state = projection.apply(state, event);
      return projection.take(state);
    },
    rest: () => projection.result(state),
    print(item): void {
      const text = toText(item);
      // Some items show nothing, such as a message that only calls tools.
      if (text !== "") options.output.write(text);
    },
  };
}

async function itemText(
  context: Context,
  { output, json, full = false }: ViewOptions,
): Promise<(item: TranscriptItem) => string> {
  if (!json) return await itemRenderer(context, output, { full });
  const { toJsonLine } = await import("../lib/render/json_lines.ts");
  return toJsonLine;
}
