/** A request and its response, without a socket. */

/** A request for a page. */
export interface PageRequest {
  method: string;
  /** The path and query as they were sent. */
  target: string;
  /** Returns a header's value by its name in lower case. */
  header(name: string): string | undefined;
}

/** The answer to a request. */
export interface PageResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
}
