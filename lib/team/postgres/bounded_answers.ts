/** Stops a server whose answer goes beyond its bounds, before the answer fills the memory. */
import { SessionError } from "../../event/session_error.ts";
import { type AnswerBounds, MAX_COLUMNS, SHORT_ANSWER } from "./answer.ts";
import type { ClientConnection } from "./pg.ts";

/** Counts what comes on one connection. */
export class BoundedAnswers {
  readonly #connection: ClientConnection;
  readonly #host: string;
  #bounds = SHORT_ANSWER;
  #left = { ...SHORT_ANSWER };

  /** @param encrypted True where TLS begins first: what comes before that is one byte. */
  constructor(connection: ClientConnection, host: string, encrypted: boolean) {
    this.#connection = connection;
    this.#host = host;
    if (encrypted) connection.on("sslconnect", () => this.#watch());
    else this.#watch();
    connection.on("dataRow", () => this.#count("rows", 1));
    connection.on("rowDescription", ({ fieldCount }) => {
      if (fieldCount > MAX_COLUMNS) this.#stop(`${fieldCount} columns`);
    });
  }

  /** Begins a question, whose answer has bounds of its own. */
  begin(bounds: AnswerBounds): void {
    this.#bounds = bounds;
    this.#left = { ...bounds };
  }

  #watch(): void {
    this.#connection.stream.on("data", ({ length }) => this.#count("bytes", length));
  }

  #count(what: keyof AnswerBounds, amount: number): void {
    this.#left[what] -= amount;
    if (this.#left[what] < 0) this.#stop(`more than ${this.#bounds[what]} ${what}`);
  }

  #stop(what: string): void {
    const message = `Cannot use the team's store: ${this.#host} answers one question with ${what}`;
    this.#connection.stream.destroy(new SessionError("too-large", message));
  }
}
