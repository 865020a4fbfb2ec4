/** Stops a server whose answer goes beyond its bounds, before the answer fills the memory. */
import { Buffer } from "node:buffer";
import { SessionError } from "../../event/session_error.ts";
import { type AnswerBounds, MAX_COLUMNS, MAX_JSON, SHORT_ANSWER } from "./answer.ts";
import type { ClientConnection, ClientTypes } from "./pg.ts";

/** The types of PostgreSQL that are more than text here, by their numbers. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t",
  17: (text) => Buffer.from(text.slice(2), "hex"),
  21: Number,
  23: Number,
};
const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);

type Amounts = AnswerBounds & typeof MAX_JSON;

/** Counts what comes on one connection. */
export class BoundedAnswers {
  readonly #host: string;
  #connection: ClientConnection | undefined;
  #bounds: Amounts = { ...SHORT_ANSWER, ...MAX_JSON };
  #left: Amounts = { ...this.#bounds };

  constructor(host: string) {
    this.#host = host;
  }

  /** Reads values. A short JSON text can become many objects, so its size has a bound of its own. */
  readonly types: ClientTypes = {
    getTypeParser: (type) => JSON_TYPES.has(type) ? this.#json : PARSERS[type] ?? String,
  };

  /** @param encrypted True where TLS begins first: what comes before that is one byte. */
  watch(connection: ClientConnection, encrypted: boolean): void {
    this.#connection = connection;
    const count = ({ length }: Uint8Array): void => this.#count("bytes", length);
    if (encrypted) connection.on("sslconnect", () => connection.stream.on("data", count));
    else connection.stream.on("data", count);
    connection.on("dataRow", () => this.#count("rows", 1));
    connection.on("rowDescription", ({ fieldCount }) => {
      if (fieldCount > MAX_COLUMNS) this.#stop(`${fieldCount} columns`);
    });
  }

  /** Begins a question, whose answer has bounds of its own. */
  begin(bounds: AnswerBounds): void {
    this.#bounds = { ...bounds, ...MAX_JSON };
    this.#left = { ...this.#bounds };
  }

  readonly #json = (text: string): unknown => {
    this.#count("bytes of JSON", text.length);
    return this.#left["bytes of JSON"] < 0 ? undefined : JSON.parse(text);
  };

  #count(what: keyof Amounts, amount: number): void {
    this.#left[what] -= amount;
    if (this.#left[what] < 0) this.#stop(`more than ${this.#bounds[what]} ${what}`);
  }

  #stop(what: string): void {
    const message = `Cannot use the team's store: ${this.#host} answers one question with ${what}`;
    this.#connection?.stream.destroy(new SessionError("too-large", message));
  }
}
