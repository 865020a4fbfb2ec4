/**
 * Digests what a session says, independent of the form of its events. Older versions of Reprise
 * wrote a response as several events. An import that one of them made still says what its unchanged
 * source says.
 */
import { createHash, type Hash } from "node:crypto";
import type { KnownEvent, LogEvent } from "../../event/envelope.ts";
import type { Content } from "../../event/message.ts";
import type { AssistantMessagePayload } from "../../event/payload.ts";
import { readEvents } from "../../log/read_events.ts";
import { toParts } from "../../projection/said_parts.ts";

/** What an import writes anew, or what only numbers tell. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "session_started",
  "session_renamed",
  "session_closed",
  "compaction_applied",
]);

/** What was said, a hash for each sort of it: the order among the sorts depends on the form. */
export class ContentDigest {
  readonly #sorts = new Map<string, Hash>();
  /** Texts, thoughts, calls, results and other facts so far. */
  count = 0;

  /** Takes the next events. */
  add(events: readonly LogEvent[]): void {
    for (const event of events) if (event.form === "known") this.#take(event);
  }

  /** In lower-case hexadecimal. Nothing can be added afterwards. */
  hex(): string {
    const whole = createHash("sha256");
    for (const [sort, hash] of [...this.#sorts].sort(([a], [b]) => a < b ? -1 : 1)) {
      whole.update(`${sort} ${hash.digest("hex")}\n`);
    }
    return whole.digest("hex");
  }

  #note(sort: string, said: unknown): void {
    let hash = this.#sorts.get(sort);
    if (hash === undefined) this.#sorts.set(sort, hash = createHash("sha256"));
    hash.update(`${JSON.stringify(said)}\n`);
    this.count++;
  }

  #take(event: KnownEvent): void {
    switch (event.kind) {
      case "assistant_message":
        this.#noteContent("text", event.payload.content);
        return this.#noteUsage(event.payload);
      case "assistant_interrupted":
        return this.#noteContent("interrupted", event.payload.content);
      case "reasoning_message": {
        const { content, audience, provider_data } = event.payload;
        return this.#note("reasoning", [content, audience, provider_data]);
      }
      case "tool_start": {
        const { call_id, name, input, audience } = event.payload;
        if (name !== undefined) this.#note("tool_call", [call_id, name, input, audience]);
        return;
      }
      case "bash_start": {
        const { origin, call_id, command, audience } = event.payload;
        const { name = "bash", input = { command } } = event.payload;
        if (origin === "user") this.#note(event.kind, event.payload);
        else if (origin !== undefined) this.#note("tool_call", [call_id, name, input, audience]);
        return;
      }
      default:
        if (!LEFT_OUT.has(event.kind)) this.#note(event.kind, event.payload);
    }
  }

  #noteContent(sort: string, content: Content): void {
    for (const part of toParts(content)) {
      if (part.type === "tool_call") {
        const { call_id, name, input, audience } = part;
        this.#note("tool_call", [call_id, name, input, audience]);
      } else if (part.type === "reasoning") {
        this.#note("reasoning", [part.text, part.audience, part.provider_data]);
      } else this.#note(sort, part);
    }
  }

  #noteUsage({ usage, cost_usd }: AssistantMessagePayload): void {
    if (usage !== undefined || cost_usd !== undefined) this.#note("usage", [usage, cost_usd]);
  }
}

/**
 * Digests what the log of an import has of its source: every event of that names it.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function importedContent(path: string): Promise<ContentDigest> {
  const said = new ContentDigest();
  for await (const events of readEvents(path)) {
    said.add(events.filter((event) => event.form === "known" && event.source !== undefined));
  }
  return said;
}
