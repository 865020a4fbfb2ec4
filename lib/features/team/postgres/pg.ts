/** Types for the used part of npm's `pg`, because the package contains no types. */

export interface ClientOptions {
  connectionString: string;
  ssl: false | { ca?: string; cert?: string; key?: string; rejectUnauthorized: true };
  password?: string;
  application_name: string;
  connectionTimeoutMillis: number;
  query_timeout: number;
  keepAlive: boolean;
  types: ClientTypes;
}

/** Parsers of values, by the OID of a PostgreSQL type. */
export interface ClientTypes {
  getTypeParser(type: number): (text: string) => unknown;
}

interface QueryResult<Row> {
  rows: Row[];
}

interface ClientStream {
  on(event: "data", listener: (chunk: Uint8Array) => void): void;
  destroy(error: Error): void;
}

/** The client's internal connection. Its socket lets Reprise stop a transfer midway. */
export interface ClientConnection {
  /** The socket. TLS replaces it before the event `sslconnect`. */
  stream: ClientStream;
  on(event: "sslconnect" | "dataRow", listener: () => void): void;
  on(event: "rowDescription", listener: (message: { fieldCount: number }) => void): void;
}

export interface Client {
  connection: ClientConnection;
  connect(): Promise<void>;
  query<Row>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
  end(): Promise<void>;
  on(event: "error", listener: (error: Error) => void): void;
}

/** Loads the client lazily, because only a team's store in PostgreSQL needs it. */
export async function loadClient(): Promise<new (options: ClientOptions) => Client> {
  const { default: pg } = await import("npm:pg@8.23.1") as unknown as {
    default: { Client: new (options: ClientOptions) => Client };
  };
  return pg.Client;
}
