/**
 * Removes API keys that a request sent from its response. A server that echoes a key must not put
 * it on the screen or into the log.
 */

const HIDDEN = "[API key]";
/** The end of a text is hidden if it equals at least this many first characters of an API key. */
const TELLING = 8;
/** Matches placeholder keys such as `ollama`. They are not hidden: answers may contain them. */
const PLACEHOLDER = /^.{0,7}$|^[a-z-]{0,19}$/;

export class SentKeys {
  /** The keys, the longest first, because a key may contain a shorter one. */
  readonly #keys: readonly string[];
  readonly #secret: readonly string[];

  /**
   * @param sent Keys and passwords. Those of up to 3 characters are ignored.
   * @param conversation The request's body. Keys in it are not hidden in responses.
   */
  constructor(sent: readonly string[] = [], conversation = "") {
    this.#keys = sent.filter((key) => key.length > 3).sort((a, b) => b.length - a.length);
    this.#secret = this.#keys.filter((key) =>
      !PLACEHOLDER.test(key) && !conversation.includes(key)
    );
  }

  /** Hides all keys in a message, including a key's cut-off beginning at the message's end. */
  inMessage(message: string): string {
    const fragments = new KeyFragments(this.#keys);
    return fragments.push(message) + fragments.rest();
  }

  inResponse<Value>(value: Value): Value {
    return this.#secret.length === 0 ? value : hiddenIn(value, this.#secret) as Value;
  }

  inFragments(): KeyFragments {
    return new KeyFragments(this.#secret);
  }
}

/** A filter that hides API keys in a streamed text, even keys that span fragments. */
export class KeyFragments {
  readonly #keys: readonly string[];
  #held = "";

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  /** Returns the text that can be shown. Holds back an end that could begin an API key. */
  push(text: string): string {
    if (this.#keys.length === 0) return text;
    const whole = hidden(this.#held + text, this.#keys);
    const held = this.#keys.reduce((most, key) => Math.max(most, sharedEnd(whole, key)), 0);
    this.#held = whole.slice(whole.length - held);
    return whole.slice(0, whole.length - held);
  }

  /** Returns the end that `push` still holds back. Hides it if it is a long beginning of a key. */
  rest(): string {
    const held = this.#held;
    this.#held = "";
    return held.length < TELLING ? held : HIDDEN;
  }
}

/** Returns the length of the longest ending of a text that is also the beginning of a key. */
function sharedEnd(text: string, key: string): number {
  let length = Math.min(text.length, key.length - 1);
  while (length > 0 && !key.startsWith(text.slice(-length))) length--;
  return length;
}

function hidden(text: string, keys: readonly string[]): string {
  return keys.reduce((rest, key) => rest.replaceAll(key, HIDDEN), text);
}

function hiddenIn(value: unknown, keys: readonly string[]): unknown {
  if (typeof value === "string") return hidden(value, keys);
  if (Array.isArray(value)) return value.map((item) => hiddenIn(item, keys));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(entries.map(([name, of]) => [hidden(name, keys), hiddenIn(of, keys)]));
}
