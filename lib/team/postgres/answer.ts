/** The bounds and the shape of a server's answers: a hostile server keeps to neither. Pure. */
import { Buffer } from "node:buffer";
import { SessionError } from "../../event/session_error.ts";
import type { ClientConnection, ClientTypes } from "./pg.ts";
import { MAX_STORED_BYTES } from "./schema.ts";

export interface AnswerBounds {
  rows: number;
  bytes: number;
}

/** The most JSON in all rows of an answer. */
const MAX_JSON = { "bytes of JSON": 64 * 1024 * 1024 };
/** The most columns of a row, beyond any question of ours. */
const MAX_COLUMNS = 40;
/** Bounds of a function's answer, which may cover a thousand sessions. */
export const SHORT_ANSWER: AnswerBounds = { rows: 10_000, bytes: 4 * 1024 * 1024 };
/** Bounds of a list: about 500,000 sessions. */
export const LIST: AnswerBounds = { rows: 1_000_000, bytes: 256 * 1024 * 1024 };
/** Bounds of a window of segments. One may be the longest line, and bytes come as hexadecimal. */
export const SEGMENTS: AnswerBounds = {
  rows: 100_000,
  bytes: 2 * MAX_STORED_BYTES + 16 * 1024 * 1024,
};

/** Throws where an answer has not the shape that was asked for. */
export function assertAnswer(has_shape: boolean): asserts has_shape {
  if (has_shape) return;
  const message = "Cannot use the team's store: it answers what no store of sessions does";
  throw new SessionError("damaged", message);
}

/** The types of PostgreSQL that are more than text here, by their numbers. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t",
  17: (text) => Buffer.from(text.slice(2), "hex"),
  21: Number,
  23: Number,
};
const JSON_TYPES: ReadonlySet<number> = new Set([114, 3802]);

type Amounts = AnswerBounds & typeof MAX_JSON;

/** Counts the bytes and rows of each answer, and stops a server that goes beyond the bounds. */
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
