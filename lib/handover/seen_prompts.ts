/**
 * Leaves out of prompts what the user never saw: agents tell their models of their surroundings in the
 * user's name. Files that the user mentioned go along with the prompt.
 */
import { contentFor, isFor } from "../event/audience.ts";
import type { KnownEvent } from "../event/envelope.ts";
import { type Content, contentText, type Part } from "../event/message.ts";
import type { UserMessagePayload } from "../event/payload.ts";
import { toParts } from "../projection/said_parts.ts";
import { isHidden } from "../projection/unseen_message.ts";
import type { Unseen } from "./tally.ts";
import {
  commandIn,
  ranText,
  settleCommand,
  taskNotice,
  type UntoldCommand,
  untoldCommand,
  untoldText,
} from "./notice.ts";

type UserMessage = KnownEvent & { kind: "user_message" };

/** The prompts of one session, one after the other. */
export class SeenPrompts {
  readonly #unseen: Unseen;
  /** Parts that wait for their prompt: some agents put them before it. */
  #attached: Part[] = [];
  /** The user's last command, until the model is told of it. */
  #untold: UntoldCommand | undefined;
  /** True after a message that the model does not get any more. */
  #withdrawn = false;
  /** True if the model still gets the message. */
  #spoken: boolean;

  /** @param unseen Counts what is left out. @param spoken Whether the model got something before. */
  constructor(unseen: Unseen, spoken: boolean) {
    this.#unseen = unseen;
    this.#spoken = spoken;
  }

  /** Takes an event; gives it as it is handed over, or undefined where nothing of it is. */
  take(event: KnownEvent): KnownEvent | undefined {
    this.#untold = untoldCommand(event) ?? this.#untold;
    if (this.#untold !== undefined) settleCommand(this.#untold, event);
    const seen = event.kind === "user_message" ? this.#said(event) : event;
    if (seen?.kind === "user_message" || seen?.kind === "assistant_message") {
      const { content } = seen.payload;
      if (contentFor(content, "model").length > 0) this.#spoken = true;
      else if (content.length > 0) this.#withdrawn = true;
    }
    return seen;
  }

  #said(event: UserMessage): UserMessage | undefined {
    const { role, content } = event.payload;
    if (role !== undefined) {
      this.#unseen.system++;
      return undefined;
    }
    const notice = taskNotice(contentText(contentFor(content, "model")));
    if (notice !== undefined) return { ...event, payload: { content: notice } };
    if (isHidden(content)) return this.#hidden(event);
    const payload = this.#withAttached(this.#seen(event.payload));
    return payload === event.payload ? event : { ...event, payload };
  }

  #withAttached(payload: UserMessagePayload): UserMessagePayload {
    const attached = this.#attached.splice(0);
    if (attached.length === 0) return payload;
    this.#unseen.attached += attached.length;
    return { ...payload, content: [...toParts(payload.content), ...attached] };
  }

  /** Counts what no prompt follows. */
  end(): void {
    this.#unseen.environment += this.#attached.splice(0).length;
  }

  #hidden(event: UserMessage): UserMessage | undefined {
    const untold = this.#untold;
    if (untold !== undefined && contentText(event.payload.content).includes(untold.command)) {
      this.#untold = undefined;
      return { ...event, payload: { content: untoldText(untold) } };
    }
    // What stands in the place of all before it is its summary: so goose compacts.
    if (this.#withdrawn && !this.#spoken) return event;
    this.#leaveOut(event.payload.content);
    return undefined;
  }

  /** Leaves out hidden parts; those with a name wait for the prompt. */
  #leaveOut(content: Content): void {
    const named = namedParts(content);
    if (named.length > 0) { for (const one of named) this.#attached.push(one); }
    else this.#unseen.environment++;
  }

  /**
   * Keeps a message that the user saw in other words, such as a command's name, as the model got
   * it.
   */
  #seen(payload: UserMessagePayload): UserMessagePayload {
    const { content } = payload;
    if (typeof content === "string") return payload;
    if (!content.some(({ audience }) => audience === "model")) return payload;
    if (content.some(({ audience }) => audience === "user")) return inWords(payload);
    this.#leaveOut(content);
    return { ...payload, content: content.filter((part) => isFor(part, "user")) };
  }
}

/** Returns hidden files and named hidden texts as parts that both may see. */
function namedParts(content: Content): Part[] {
  return toParts(content).flatMap(({ audience, ...part }): Part[] => {
    if (audience !== "model") return [];
    if (part.type === "image" || part.type === "file") return [part];
    if (part.type !== "text" || !part.name) return [];
    return [{ type: "text", text: `Contents of ${part.name}:\n\n${part.text}` }];
  });
}

/** Puts a command that the user ran into words; returns other content unchanged. */
function inWords(payload: UserMessagePayload): UserMessagePayload {
  const command = commandIn(contentText(contentFor(payload.content, "model")));
  return command === undefined ? payload : { content: ranText(command) };
}
