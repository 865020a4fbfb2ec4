/**
 * Names responses, so that each is counted once. Claude Code writes a record for each block of an
 * answer, and a fork copies records with their uuids. Bedrock and gateways give no request id, and
 * some gateways repeat a message id.
 */

export interface ResponseIds {
  /** The message id. */
  id: string;
  /** The request id; undefined if the provider gave none. */
  request: string | undefined;
  /** The record's own id, or its time if it has no id. */
  record: string;
  sidechain: boolean;
}

export class ResponseNames {
  /** For answers without a request id: the id of the first record, by message id. */
  readonly #first = new Map<string, string>();
  /** Last message id of the session's own dialogue, and of the sub-agents' dialogues. */
  readonly #last: [main: string, side: string] = ["", ""];
  #may_return = false;

  /**
   * Returns the name of a record's response. Without a request id, records with the same message id
   * belong to one response. After another message, a message id that is not Anthropic's may belong
   * to a new response.
   *
   * @param share Distinguishes the responses in one record.
   * @param between True if a prompt came after the last response.
   */
  nameOf({ id, request, record, sidechain }: ResponseIds, share = "", between = false): string {
    const talk = sidechain ? 1 : 0;
    const is_unique = id.startsWith("msg_");
    this.#may_return = request === undefined && !is_unique;
    const goes_on = this.#last[talk] === id && !between;
    this.#last[talk] = id;
    if (request !== undefined) return `${id}${share}\n${request}`;
    if (!goes_on && !(is_unique && this.#first.has(id))) this.#first.set(id, record);
    return `${id}${share}\n${this.#first.get(id) ?? record}`;
  }

  /** True if the next record may continue the last answer, unless a prompt comes first. */
  get may_return(): boolean {
    return this.#may_return;
  }
}
