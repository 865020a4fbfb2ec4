/**
 * Removes from prompts what the user never saw, such as an agent's description of its environment.
 * Files that the user mentioned are handed over with the prompt, and skills as notices.
 */
import { contentFor, isFor } from "../../core/event/audience.ts";
import type { KnownEvent } from "../../core/event/envelope.ts";
import { type Content, contentText, type Part } from "../../core/event/message.ts";
import type { UserMessagePayload } from "../../core/event/payload.ts";
import { toParts } from "../../core/projection/said_parts.ts";
import {
  attachedTexts,
  hiddenName,
  nameOf,
} from "../../core/projection/transcript/attached_texts.ts";
import { isHidden } from "../../core/projection/unseen_message.ts";
import { mentionsIn } from "./mention.ts";
import { leaveOutHidden, type Unseen } from "./tally.ts";
import {
  commandIn,
  expandedText,
  isEnvironment,
  ranText,
  settleCommand,
  skillText,
  taskNotice,
  type UntoldCommand,
  untoldCommand,
  untoldText,
} from "./notice.ts";

type UserMessage = KnownEvent & { kind: "user_message" };

export class SeenPrompts {
  readonly #unseen: Unseen;
  /** Hidden parts that wait for the next prompt. Some agents record parts before their prompt. */
  #attached: Part[] = [];
  /** The last command that the user ran. Cleared once a message tells the model of the command. */
  #untold: UntoldCommand | undefined;
  /** True after a message whose whole content is hidden from the model. */
  #withdrawn = false;
  /** True after the first message with content for the model. */
  #spoken: boolean;
  /** True after a command. Its full text may follow in a separate message. */
  #command = false;
  readonly #same_request: boolean;

  /**
   * @param unseen Counts the parts that are left out.
   * @param spoken True if the model got a message before these events.
   * @param same_request True if hidden messages are handed over unchanged.
   */
  constructor(unseen: Unseen, spoken: boolean, same_request: boolean) {
    this.#unseen = unseen;
    this.#spoken = spoken;
    this.#same_request = same_request;
  }

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
    const text = contentText(contentFor(content, "model"));
    if (this.#same_request) return this.#unlessEnvironment(event, text);
    const notice = taskNotice(text);
    if (notice !== undefined) return { ...event, payload: { content: notice } };
    if (isHidden(content)) return this.#hidden(event, text);
    this.#command = COMMAND.test(text);
    const payload = this.#withAttached(this.#seen(event.payload));
    return payload === event.payload ? event : { ...event, payload };
  }

  #withAttached(payload: UserMessagePayload): UserMessagePayload {
    const attached = this.#attached.splice(0);
    if (attached.length === 0) return payload;
    this.#unseen.attached += attached.length;
    return { ...payload, content: [...toParts(payload.content), ...attached] };
  }

  /** Ends the session. Counts the hidden parts that still wait for a prompt as left out. */
  end(): void {
    for (const part of this.#attached.splice(0)) leaveOutHidden(this.#unseen, hiddenName(part));
  }

  /** Leaves out a description of the environment: the agent adds a new description itself. */
  #unlessEnvironment(event: UserMessage, text: string): UserMessage | undefined {
    if (!isHidden(event.payload.content) || !isEnvironment(text)) return event;
    this.#leaveOut(event.payload.content);
    return undefined;
  }

  #hidden(event: UserMessage, text: string): UserMessage | undefined {
    const untold = this.#untold;
    if (untold !== undefined && contentText(event.payload.content).includes(untold.command)) {
      this.#untold = undefined;
      return { ...event, payload: { content: untoldText(untold) } };
    }
    // A hidden message in place of all earlier ones is their summary: goose compacts in this way.
    if (this.#withdrawn && !this.#spoken) return event;
    const { content } = event.payload;
    const carried = carriedParts(content);
    // The output of a command follows the command, not the next prompt.
    if (this.#command && carried.length > 0) {
      return { ...event, payload: { content: carriedParts(content, false) } };
    }
    const long_form = this.#command && !isEnvironment(text);
    const notice = skillText(text) ?? (long_form ? expandedText(text) : undefined);
    if (notice === undefined) this.#leaveOut(content);
    else this.#command = false;
    return notice === undefined ? undefined : { ...event, payload: { content: notice } };
  }

  /** Leaves out the hidden parts of a message. Adds parts that name a file to the next prompt. */
  #leaveOut(content: Content): void {
    const carried = carriedParts(content);
    for (const one of carried) this.#attached.push(one);
    if (carried.length > 0) return;
    // Tags around a text that the user saw do not count as left out.
    const own = isHidden(content) ? nameOf(contentText(content)) : undefined;
    const name = attachedTexts({ content })[0]?.name ?? own;
    if (name !== undefined) leaveOutHidden(this.#unseen, name);
  }

  /** Drops a prompt's parts for the model alone. Turns a user's command into "I ran …". */
  #seen(payload: UserMessagePayload): UserMessagePayload {
    const { content } = payload;
    if (typeof content === "string") return payload;
    if (!content.some(({ audience }) => audience === "model")) return payload;
    if (content.some(({ audience }) => audience === "user")) return inWords(payload);
    this.#leaveOut(content);
    return { ...payload, content: content.filter((part) => isFor(part, "user")) };
  }
}

/** Claude Code's form (2.1) of a command that the user ran. */
const COMMAND = /^\s*<command-(?:name|message)>/;

const FIRST_WORDS = 200;

/** Returns files, and texts with a file name, that only the model saw. Makes them visible parts. */
function carriedParts(content: Content, titled = true): Part[] {
  const parts = toParts(content);
  const named = parts.flatMap(({ audience, ...part }): Part[] => {
    if (audience !== "model") return [];
    if (part.type === "image" || part.type === "file") return [part];
    if (part.type !== "text" || !part.name) return [];
    const { name, text } = part;
    const names_itself = !titled || text.slice(0, FIRST_WORDS).includes(name);
    return [{ type: "text", text: names_itself ? text : `Contents of ${name}:\n\n${text}` }];
  });
  const shown = contentText(contentFor(content, "user"));
  const unnamed = parts.filter((part) => part.type === "text" && !part.name);
  const mentions = mentionsIn(contentText(contentFor(unnamed, "model")))
    .filter((text) => !shown.includes(text));
  return [...named, ...mentions.map((text): Part => ({ type: "text", text }))];
}

function inWords(payload: UserMessagePayload): UserMessagePayload {
  const command = commandIn(contentText(contentFor(payload.content, "model")));
  return command === undefined ? payload : { content: ranText(command) };
}
