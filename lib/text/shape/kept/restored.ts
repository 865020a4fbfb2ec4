/**
 * Restores messages of a shape in their original form. All other messages pass a stage that makes
 * any conversation fit for the provider.
 */
import type { AttachmentPart, Message, Part } from "../../../core/event/message.ts";
import { isMadeUp } from "../../../core/projection/conversation/paired_messages.ts";
import { partsOf } from "../../../core/projection/said_parts.ts";
import type { Stage } from "../stage.ts";
import { ATTACHED, type CallIds, callIds, spokenOutput } from "../usual/settled_call.ts";
import { isBlankText, type KeptData, keptOf } from "./kept.ts";
import { callsIn, type Piece, type ResultPiece } from "./piece.ts";

export type Side = "system" | "user" | "assistant";

/** An output message to which more pieces may still be added. */
export interface Written<Native> {
  native: Native;
  side: Side;
  /** True if the message restores an original message of the writer's shape. */
  kept: boolean;
  /** True if the message's first piece was moved away, as a result is moved to its call. */
  headless?: boolean;
  /** True if the message's first piece is the result of a call. */
  answers?: boolean;
}

export interface PieceWriter<Native> {
  shape: string;
  begin(piece: Piece): Native[];
  /** Adds a piece to the last message. Returns false if that is impossible. Changes only `last`. */
  join(last: Written<Native>, piece: Piece): boolean;
  /** Returns a result's files that the API does not accept in the result itself. */
  filesOf?(output: ResultPiece["output"]): AttachmentPart[];
  /** True if texts between the results of a response are written after all results. */
  results_first?: boolean;
  /**
   * Adds a result to a message that begins with a result, because all results of a response are one
   * message. Absent if each result may be a message.
   */
  gather?: ((last: Written<Native>, piece: ResultPiece) => void) | undefined;
  refuses_blank?: boolean;
  /** True if calls may lack a result. Then calls of the writer's shape get no made-up results. */
  history?: boolean;
  /**
   * Adds `next` to the last message. Both have one side, such as the user. Returns false if the
   * messages must stay separate. `kept` is true if `next` restores an original message.
   */
  append?(last: Written<Native>, next: Native, kept: boolean): boolean;
  /** Copies a message, so that additions do not change the original. */
  copy(native: Native): Native;
  sideOf(native: Native): Side;
}

/** A finished message, or a piece that belongs after the next `later` pieces. */
type Waiting<Native> = { piece: Piece; later: number } | { native: Native; later: 0 };

interface State<Native> {
  /** Converter of messages from other origins. Undefined after a message of the writer's shape. */
  usual: Stage<Message, Native> | undefined;
  /** True if the last response has the writer's shape. Then its calls' results are restored. */
  answered: boolean;
  begun: boolean;
  ids: CallIds;
  waiting: Waiting<Native>[];
  last: Written<Native> | undefined;
}

/**
 * Returns a stage that restores original messages of `writer.shape`. `usual` makes the stage that
 * converts all other messages. Its argument is true if the conversation has begun.
 */
export function restored<Native>(
  writer: PieceWriter<Native>,
  usual: (begun: boolean) => Stage<Message, Native>,
  state: State<Native> = {
    usual: undefined,
    answered: false,
    begun: false,
    ids: callIds(),
    waiting: [],
    last: undefined,
  },
): Stage<Message, Native> {
  const out = new Output(writer, state);
  const endUsual = (): Native[] => {
    const rest = state.usual?.end() ?? [];
    state.usual = undefined;
    return rest;
  };
  return {
    add(message): Native[] {
      const pieces = piecesOf(message, writer, state.answered);
      if (message.role === "assistant") state.answered = pieces !== undefined;
      if (pieces === undefined) {
        state.usual ??= usual(state.begun);
        state.begun = true;
        const natives = state.usual.add(uniquelyCalled(message, state.ids));
        return natives.flatMap((native) => out.add({ native, later: 0 }));
      }
      const before = endUsual().flatMap((native) => out.add({ native, later: 0 }));
      if (pieces.length > 0) state.begun = true;
      for (const { call_id } of callsIn(message.content)) state.ids.unique(call_id);
      return [...before, ...pieces.flatMap((piece) => out.add(waiting(piece)))];
    },
    end(): Native[] {
      const rest = endUsual().flatMap((native) => out.add({ native, later: 0 }));
      return [...rest, ...out.end()];
    },
    copy(): Stage<Message, Native> {
      const { last } = state;
      return restored(writer, usual, {
        ...state,
        usual: state.usual?.copy(),
        ids: state.ids.copy(),
        waiting: [...state.waiting],
        last: last === undefined ? undefined : { ...last, native: writer.copy(last.native) },
      });
    },
  };
}

/** Gives a call a new id if an earlier call has the same id. */
function uniquelyCalled(message: Message, ids: CallIds): Message {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  let changed = false;
  const content = message.content.map((part) => {
    if (part.type !== "tool_call") return part;
    const call_id = ids.unique(part.call_id);
    if (call_id === part.call_id) return part;
    changed = true;
    return { ...part, call_id };
  });
  return changed ? { ...message, content } : message;
}

function waiting(piece: Piece): { piece: Piece; later: number } {
  return { piece, later: piece.kept.later ?? 0 };
}

/** Returns a message's pieces. Undefined if the message did not come from the writer's shape. */
function piecesOf<Native>(
  message: Message,
  { shape, history = false, refuses_blank = false, filesOf = () => [] }: PieceWriter<Native>,
  answered: boolean,
): Piece[] | undefined {
  const { role, content } = message;
  if (role !== "tool") {
    const kept = keptOf(message.provider_data, shape);
    if (kept === undefined) return undefined;
    const is_gone = role === "system" && kept.apart ||
      role === "assistant" && !history && saysNothing(content, kept, refuses_blank);
    return is_gone ? [] : [{ role, content, kept }];
  }
  if (!answered || typeof content === "string") return undefined;
  const results = content.flatMap((part): ResultPiece[] => {
    if (part.type !== "tool_result" || (history && isMadeUp(part))) return [];
    const { call_id, status, provider_data } = part;
    const own = keptOf(provider_data, shape);
    // A message of another shape joins the results before it.
    const kept = own ?? { shape, joins: true };
    const output = own === undefined ? spokenOutput(part.output, status) : part.output;
    const { name = part.name } = kept;
    return [{ role: "tool", call_id, name, status, output, kept }];
  });
  const files = results.flatMap(({ output, kept }) => kept.joins ? filesOf(output) : []);
  if (files.length === 0) return results;
  const behind: Part[] = [{ type: "text", text: ATTACHED }, ...files];
  return [...results, { role: "user", content: behind, kept: { shape } }];
}

/** True for an answer that its provider refuses in a request, because it has no content. */
function saysNothing(
  content: Message["content"],
  { shape, rest = {} }: KeptData,
  refuses_blank: boolean,
): boolean {
  const { refusal, audio, function_call } = rest;
  if (refuses_blank && partsOf(content).every(isBlankText)) return true;
  // The chat of a program may show an empty answer.
  return content.length === 0 && shape !== "ai-sdk-ui" && !refusal && !audio && !function_call;
}

/** Puts pieces in their original order, and makes messages of the pieces. */
class Output<Native> {
  readonly #writer: PieceWriter<Native>;
  readonly #state: State<Native>;

  constructor(writer: PieceWriter<Native>, state: State<Native>) {
    this.#writer = writer;
    this.#state = state;
  }

  add(item: Waiting<Native>): Native[] {
    const { waiting } = this.#state;
    // Nearly all pieces are in their original place.
    if (waiting.length === 0 && item.later === 0) return this.#write(item);
    waiting.push(item);
    if (!waiting.every(({ later }, index) => later < waiting.length - index)) return [];
    return this.#release();
  }

  end(): Native[] {
    const rest = this.#release();
    const { last } = this.#state;
    this.#state.last = undefined;
    return last === undefined ? rest : [...rest, last.native];
  }

  #release(): Native[] {
    const ordered: Waiting<Native>[] = [];
    for (const item of this.#state.waiting.toReversed()) {
      ordered.splice(Math.min(item.later, ordered.length), 0, item);
    }
    this.#state.waiting = [];
    const written = this.#writer.results_first ? resultsFirst(ordered) : ordered;
    return written.flatMap((item) => this.#write(item));
  }

  #write(item: Waiting<Native>): Native[] {
    const writer = this.#writer;
    const { last } = this.#state;
    if ("native" in item) return this.#next([item.native], false);
    const { piece } = item;
    const { joins = false } = piece.kept;
    const follows = joins || (last?.headless && piece.role === "tool");
    if (last?.kept && follows && writer.join(last, piece)) {
      if (!joins) last.headless = false;
      return [];
    }
    if (last?.kept && last.answers && piece.role === "tool" && writer.gather !== undefined) {
      writer.gather(last, piece);
      return [];
    }
    const marks = { headless: joins, answers: piece.role === "tool" };
    return this.#next(writer.begin(piece), true, marks);
  }

  #next(
    natives: readonly Native[],
    kept: boolean,
    marks: Pick<Written<Native>, "headless" | "answers"> = {},
  ): Native[] {
    const finished: Native[] = [];
    for (const native of natives) {
      const { last } = this.#state;
      const side = this.#writer.sideOf(native);
      if (last !== undefined) {
        if (last.side === side && this.#writer.append?.(last, native, kept)) {
          last.kept = false;
          continue;
        }
        finished.push(last.native);
      }
      this.#state.last = { native, side, kept, ...marks };
    }
    return finished;
  }
}

/** Moves each separate tool result message before the user messages that directly precede it. */
function resultsFirst<Native>(items: readonly Waiting<Native>[]): Waiting<Native>[] {
  const ordered: Waiting<Native>[] = [];
  for (const item of items) {
    let at = ordered.length;
    const alone = "piece" in item && item.piece.role === "tool" && !item.piece.kept.joins;
    while (alone && isSaid(ordered[at - 1])) at--;
    ordered.splice(at, 0, item);
  }
  return ordered;
}

function isSaid<Native>(item: Waiting<Native> | undefined): boolean {
  return item !== undefined && "piece" in item && item.piece.role === "user";
}
