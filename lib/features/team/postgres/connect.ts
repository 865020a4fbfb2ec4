/** Opens a connection to a PostgreSQL server, and converts its errors to typed errors. */
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { readShortText, SETTINGS_BYTES } from "../../../core/file/short_file.ts";
import { environmentVariable } from "../../../core/platform/process.ts";
import { SILENCE_MS } from "../silence.ts";
import { withHost } from "../store_address.ts";
import {
  type AnswerBounds,
  BoundedAnswers,
  serverError,
  type ServerPlace,
  SHORT_ANSWER,
} from "./answer.ts";
import { filePassword } from "./password_file.ts";
import { type Client, type ClientOptions, loadClient } from "./pg.ts";

const STATEMENT_MS = 60_000;

export interface ConnectOptions {
  /** Allows `sslmode=disable` for other machines, so that nothing is encrypted. @default {false} */
  insecure?: boolean;
  /** The password. @default {the user's ~/.pgpass, else PGPASSWORD} */
  password?: string;
  /** Maximum milliseconds until the connection is established. @default {20000} */
  silence_ms?: number;
}

/** A connection whose errors are all of the type `SessionError`. */
export interface Connection extends AsyncDisposable {
  /**
   * Sends a statement.
   *
   * @param act The action in error messages: "push". @param bounds Limits of the answer.
   */
  rows<Row>(
    act: string,
    text: string,
    values?: readonly unknown[],
    bounds?: AnswerBounds,
  ): Promise<Row[]>;
}

function tlsOptions({ protection }: ServerAddress): ClientOptions["ssl"] {
  if (protection.kind === "none") return false;
  const { root_certificate, certificate, key } = protection;
  const read = (path: string | undefined, what: string): string | undefined =>
    path && readShortText(path, SETTINGS_BYTES, { what });
  return present({
    rejectUnauthorized: true as const,
    ca: read(root_certificate, "root certificate"),
    cert: read(certificate, "client certificate"),
    key: read(key, "private key of the client certificate"),
  });
}

/** Puts the password into the address, because the client ignores a separate password. */
function withPassword(url: string, password: string | undefined): string {
  if (password === undefined) return url;
  const address = new URL(url);
  address.password = encodeURIComponent(password);
  return address.href;
}

/** Returns the password from `~/.pgpass`. The client would print a warning if it read the file. */
function ownPassword(url: string): string | undefined {
  if (new URL(url).password !== "" || environmentVariable("PGPASSWORD")) return undefined;
  return filePassword(url);
}

/**
 * Connects to a server.
 *
 * @throws {SessionError} `invalid-config` (address), `unreachable`, `permission`, `not-found`
 */
export async function connect(url: string, options: ConnectOptions = {}): Promise<Connection> {
  const address = serverAddress(url, options.insecure);
  const place: ServerPlace = {
    host: address.host,
    database: decodeURIComponent(new URL(address.url).pathname.slice(1)) || "the database",
  };
  const Client = await loadClient();
  const ssl = tlsOptions(address);
  const answers = new BoundedAnswers(place.host);
  const client = new Client({
    connectionString: withPassword(address.url, options.password ?? ownPassword(address.url)),
    ssl,
    application_name: "reprise",
    connectionTimeoutMillis: options.silence_ms ?? SILENCE_MS,
    query_timeout: STATEMENT_MS,
    keepAlive: true,
    types: answers.types,
  });
  // A connection that breaks between statements is told by the next one.
  client.on("error", () => {});
  answers.watch(client.connection, ssl !== false);
  try {
    await client.connect();
  } catch (error) {
    // The server waits a minute for the rest of a greeting, and so would the process.
    client.end().catch(() => {});
    throw serverError("connect to the team's store", error, place);
  }
  return connected(client, answers, place);
}

function connected(client: Client, answers: BoundedAnswers, place: ServerPlace): Connection {
  return {
    async rows<Row>(
      act: string,
      text: string,
      values: readonly unknown[] = [],
      bounds = SHORT_ANSWER,
    ): Promise<Row[]> {
      answers.begin(bounds);
      try {
        return (await client.query<Row>(text, values)).rows;
      } catch (error) {
        throw serverError(act, error, place);
      }
    },
    [Symbol.asyncDispose]: async () => {
      try {
        await client.end();
      } catch {
        // It is closed, one way or the other.
      }
    },
  };
}

type Protection =
  | { kind: "none" }
  | { kind: "verified"; host: string } & CertificateFiles;

interface CertificateFiles {
  root_certificate: string | undefined;
  /** Path of the member's own certificate, used instead of a password. */
  certificate: string | undefined;
  key: string | undefined;
}

interface ServerAddress {
  /** The address without the parameters for TLS. */
  url: string;
  protection: Protection;
  /** The host in error messages. For a socket, the socket's folder. */
  host: string;
}

const TLS_PARAMETERS = ["sslmode", "sslrootcert", "sslcert", "sslkey", "ssl", "uselibpqcompat"];
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i;
const PLAIN_MODES = ["disable", "allow", "prefer"];
const CHECKED_MODES = ["require", "verify-ca", "verify-full"];

function refused(reason: string): SessionError {
  return new SessionError("invalid-config", `Cannot use this store's address: ${reason}`);
}

/**
 * Parses a store's address. Connections to other machines use TLS, and check the certificate and
 * the host's name. Only `sslmode=disable` together with `insecure` turns this off.
 *
 * @param text `postgresql://…`. The folder of a socket is given as `?host=`.
 * @param insecure True to obey `sslmode=disable` for other hosts.
 * @throws {SessionError} `invalid-config`
 */
function serverAddress(text: string, insecure = false): ServerAddress {
  const url = new URL(withHost(text));
  const socket = url.searchParams.get("host");
  const host = socket ?? url.hostname;
  const mode = url.searchParams.get("sslmode") ?? undefined;
  const file = (name: string): string | undefined => url.searchParams.get(name) || undefined;
  const [certificate, key] = [file("sslcert"), file("sslkey")];
  if (mode !== undefined && ![...PLAIN_MODES, ...CHECKED_MODES].includes(mode)) {
    throw refused(`sslmode must be one of ${[...PLAIN_MODES, ...CHECKED_MODES].join(", ")}`);
  }
  if ((certificate === undefined) !== (key === undefined)) {
    throw refused("a client certificate needs both sslcert=FILE and sslkey=FILE");
  }
  const root_certificate = file("sslrootcert");
  for (const name of TLS_PARAMETERS) url.searchParams.delete(name);
  const near = socket?.startsWith("/") || LOOPBACK.test(host);
  const plain = near ? !CHECKED_MODES.includes(mode ?? "") : mode === "disable";
  if (plain && !near && !insecure) {
    throw refused(
      `${host} is another machine, and sslmode=disable sends everything unencrypted; leave it out, or add --insecure`,
    );
  }
  return {
    url: url.href,
    host,
    protection: plain || socket?.startsWith("/")
      ? { kind: "none" }
      : { kind: "verified", host, root_certificate, certificate, key },
  };
}
