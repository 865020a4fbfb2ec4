/**
 * Checks the size and the shape of a server's answers, because a hostile server may ignore limits.
 * Converts errors of the server, or of the connection, to messages of one line.
 */
import { Buffer } from "node:buffer";
import { SessionError, type SessionErrorCode } from "../../../core/event/session_error.ts";
import type { ClientConnection, ClientTypes } from "./pg.ts";

export interface AnswerBounds {
  rows: number;
  bytes: number;
}

/** Maximum columns of a row. No query of this program needs as many. */
const MAX_COLUMNS = 40;
export const SHORT_ANSWER: AnswerBounds = { rows: 10_000, bytes: 4 * 1024 * 1024 };

export function assertAnswer(has_shape: boolean): asserts has_shape {
  if (has_shape) return;
  const message = "Cannot use the team's store: the server's answer does not come from a Reprise " +
    "store, or is damaged. Check the store's address";
  throw new SessionError("damaged", message);
}

/** Parsers by the OID of a PostgreSQL type. Values of all other types stay text. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === "t",
  17: (text) => Buffer.from(text.slice(2), "hex"),
  21: Number,
  23: Number,
};

/** Counts each answer's bytes and rows. Breaks the connection if an answer exceeds its bounds. */
export class BoundedAnswers {
  readonly #host: string;
  #connection: ClientConnection | undefined;
  #bounds = SHORT_ANSWER;
  #left = { ...this.#bounds };

  constructor(host: string) {
    this.#host = host;
  }

  readonly types: ClientTypes = {
    getTypeParser: (type) => PARSERS[type] ?? String,
  };

  /** @param encrypted True if TLS is used. Bytes are then counted only after the TLS handshake. */
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

  begin(bounds: AnswerBounds): void {
    this.#bounds = bounds;
    this.#left = { ...this.#bounds };
  }

  #count(what: keyof AnswerBounds, amount: number): void {
    this.#left[what] -= amount;
    if (this.#left[what] < 0) this.#stop(`more than ${this.#bounds[what]} ${what}`);
  }

  #stop(what: string): void {
    const message =
      `Cannot use the team's store: ${this.#host} sent ${what} in one answer, which is over ` +
      "the limit";
    this.#connection?.stream.destroy(new SessionError("too-large", message));
  }
}

export interface ServerPlace {
  host: string;
  database: string;
}

/** An error of the `pg` client. The code is an SQLSTATE or a system error such as `ENOENT`. */
interface Failure extends Error {
  code?: string;
  /** The server's hint. If the user may not read a project, this is the grant to run. */
  hint?: string;
}

type Told = [code: SessionErrorCode, text: string];

const UNREACHABLE = /^08|^57P0[123]$|^53300$/;

function byState(
  state: string,
  message: string,
  { host, database }: ServerPlace,
  hint = "",
): Told {
  const grant = /^grant [\w"-]+ to [\w"-]+$/.exec(hint)?.[0] ?? "grant reprise_member to NAME";
  if (UNREACHABLE.test(state)) {
    return ["unreachable", `${host} does not accept the connection: ${message}`];
  }
  switch (state) {
    case "28P01":
    case "28000":
      return [
        "permission",
        `${host} refuses this user: ${message}; check the user, and the password in ~/.pgpass, PGPASSWORD or password_command`,
      ];
    case "3D000":
      return [
        "not-found",
        `${host} has no database ${database}; the server's administrator can create the ` +
        "database with: createdb",
      ];
    case "3F000":
    case "42P01":
    case "42883":
      return [
        "unsupported-version",
        `database ${database} on ${host} has no store of sessions; the database's owner can ` +
        "make a store with: reprise sync team URL",
      ];
    case "42501":
      return [
        "permission",
        `the database ${database} on ${host} denied access: ${message}; the database's ` +
        `owner can allow it with: ${grant}`,
      ];
    case "53100":
      return [
        "disk-full",
        `the disk of ${host} is full; sessions that are already pushed are safe`,
      ];
    case "25006":
      return ["permission", `database ${database} on ${host} is read-only; use the primary server`];
    case "54000":
      return ["too-large", `${host} refused the request: ${message}`];
    case "57014":
      return ["unreachable", `${host} did not finish a database statement in time; try again`];
    default:
      return ["io", `${host} answers: ${message} (${state})`];
  }
}

const SYSTEM: Readonly<Record<string, string>> = {
  ECONNREFUSED: "no server listens on this port",
  ENOTFOUND: "no host has this name",
  EAI_AGAIN: "the name of the host cannot be looked up",
  ECONNRESET: "the connection broke",
  EPIPE: "the connection broke",
  ETIMEDOUT: "the host does not answer",
  EHOSTUNREACH: "there is no network route to the host",
  ENETUNREACH: "there is no network route to the host",
  ENOENT: "no server listens on this socket",
  EACCES: "permission to open this socket is denied",
};

const CERTIFICATE =
  /certificate|self[- ]signed|CERT_|UNABLE_TO_|DEPTH_ZERO|altnames|UnknownIssuer|NotValidForName/i;

function withoutState({ code = "", message }: Failure, { host }: ServerPlace): Told {
  if (/client password must be a string|no password|SASL/i.test(message)) {
    return [
      "permission",
      `${host} asks for a password; put the password in ~/.pgpass (mode 0600), PGPASSWORD or password_command`,
    ];
  }
  if (/does not support SSL/i.test(message)) {
    return ["unreachable", `${host} does not support TLS; ask its administrator to enable TLS`];
  }
  if (CERTIFICATE.test(`${code} ${message}`)) {
    return [
      "unreachable",
      `the certificate of ${host} is not trusted: ${message}; name the file of its certificate authority: sslrootcert=FILE`,
    ];
  }
  if (code in SYSTEM) return ["unreachable", `${host} cannot be reached: ${SYSTEM[code]}`];
  if (/timeout|timed out/i.test(message)) {
    return ["unreachable", `${host} cannot be reached: the host does not answer`];
  }
  return ["unreachable", `${host} cannot be reached: ${message || code || "the connection broke"}`];
}

/**
 * Converts an error of the client to the error to throw.
 *
 * @param act The action that failed: "push". @param error A `SessionError` is returned as it is.
 */
export function serverError(act: string, error: unknown, place: ServerPlace): SessionError {
  if (error instanceof SessionError) return error;
  const given: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const cause: Failure = given instanceof Error ? given : new Error(String(given));
  const state = cause.code ?? "";
  const [code, text] = /^[0-9A-Z]{5}$/.test(state) && !(state in SYSTEM)
    ? byState(state, cause.message.replaceAll(/\s+/g, " ").trim(), place, cause.hint)
    : withoutState(cause, place);
  return new SessionError(code, `Cannot ${act}: ${text}`, {}, error);
}
