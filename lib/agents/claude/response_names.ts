/**
 * Names responses, so that each is counted once. Claude Code writes a record for each block of an
 * answer, and a fork copies records with their uuids. Bedrock and gateways give no request id, and
 * some gateways repeat a message id.
 */

export interface ResponseIds {
  id: string;
  request: string | undefined;
  /** The record's own id, or its time if it has no id. */
  record: string;
  sidechain: boolean;
}

export class ResponseNames {
  /** Maps a message id to the id of its first record, for answers without a request id. */
  readonly #first = new Map<string, string>();
  /** Last message id of the session's own dialogue, and of the sub-agents' dialogues. */
  readonly #last: [main: string, side: string] = ["", ""];
  #may_return = false;

  /**
   * Returns the name of a record's response. All records of a response get the same name. Without a
   * request id, the message id decides. A message id that is not Anthropic's may name a new
   * response after another message.
   *
   * @param share Suffix that distinguishes several responses in one record.
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

  /**
   * True if the next record may continue the last answer. The caller looks for a prompt between.
   */
  get may_return(): boolean {
    return this.#may_return;
  }
}
