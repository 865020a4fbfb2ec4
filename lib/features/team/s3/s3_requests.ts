/**
 * Sends signed requests to a bucket. The size of answers, the time and the number of retries are
 * limited.
 */
import { joinBytes } from "../../../core/event/bytes.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { SILENCE_MS } from "../silence.ts";
import { pause } from "../../../core/platform/pause.ts";
import { sha256 } from "../../../core/event/sha256.ts";
import type { S3Credentials } from "./credentials.ts";
import { answerError, lacksBucket, noConnection } from "./s3_error.ts";
import type { S3Place } from "./s3_place.ts";

export interface S3Request {
  /** The action for messages, such as "read from the store". */
  act: string;
  method: "GET" | "PUT" | "DELETE";
  /** The key of the object. @default {the bucket itself} */
  key?: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  body?: Uint8Array<ArrayBuffer>;
  /** Maximum number of bytes of a successful answer. @default {65_536} */
  limit?: number;
  /** Statuses that are returned instead of thrown. A missing bucket is always an error. */
  expected?: readonly number[];
}

export interface S3Answer {
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  /** True if the server may already have carried out an earlier attempt. */
  repeated: boolean;
}

export interface S3Patience {
  /** Milliseconds for one attempt: enough for 4 MiB over a slow line. @default {120_000} */
  try_ms?: number;
  /** Milliseconds without a byte from the server until an attempt is given up. @default {20_000} */
  silence_ms?: number;
  /** Milliseconds before the first retry. Later retries wait longer. @default {200} */
  retry_ms?: number;
}

const TRIES = 4;
const TRY_MS = 120_000;
const RETRY_MS = 200;
/**
 * Number of bytes that even a slow line sends per millisecond. Until a request's body is sent, the
 * server may be silent.
 */
const SENT_IN_MS = 32;
const SHORT_BYTES = 64 * 1024;

function isPassing(status: number): boolean {
  // 409 is two conditional writes at once; 501 is no outage.
  return status === 429 || status === 409 || (status >= 500 && status !== 501 && status !== 507);
}

export class S3Requests {
  readonly #place: S3Place;
  readonly #credentials: S3Credentials;
  readonly #patience: S3Patience;
  readonly #cache = new Map<string, ArrayBuffer>();

  constructor(
    place: S3Place,
    credentials: S3Credentials,
    patience: S3Patience = {},
  ) {
    this.#place = place;
    this.#credentials = credentials;
    this.#patience = patience;
  }

  /**
   * Sends a request, and repeats it after transient failures.
   *
   * @throws {SessionError} `unreachable`, `permission`, `not-found`, `disk-full`, `too-large`,
   * `invalid-config`, `io`
   */
  async send(request: S3Request): Promise<S3Answer> {
    const { retry_ms = RETRY_MS } = this.#patience;
    for (let tries = 1;; tries++) {
      const is_last = tries === TRIES;
      const answer = await this.#try(request, is_last);
      if (answer !== undefined && (is_last || !isPassing(answer.status))) {
        const is_expected = request.expected?.includes(answer.status) && !lacksBucket(answer);
        if (answer.status < 300 || is_expected) return { ...answer, repeated: tries > 1 };
        throw answerError(request.act, answer, this.#place);
      }
      // Many machines that failed at once do not come back at once.
      await pause(retry_ms * 2 ** (tries - 1) * (0.5 + Math.random()), undefined);
    }
  }

  /** @returns Undefined if the connection broke. At the last try, a broken connection throws. */
  async #try(
    request: S3Request,
    is_last: boolean,
  ): Promise<Omit<S3Answer, "repeated"> | undefined> {
    const { act, limit = SHORT_BYTES } = request;
    const stopping = new AbortController();
    const { signal } = stopping;
    // Unlike that of `AbortSignal.timeout`, this timer ends with the request.
    const { try_ms = TRY_MS, silence_ms = SILENCE_MS } = this.#patience;
    const stop = (): void => stopping.abort();
    const timer = setTimeout(stop, try_ms);
    const received = (more_ms = 0): number => {
      clearTimeout(silence);
      return silence = setTimeout(stop, silence_ms + more_ms);
    };
    let silence: number | undefined;
    received((request.body?.length ?? 0) / SENT_IN_MS);
    try {
      const { url, ...init } = await this.#signed(request);
      const response = await fetch(url, { ...init, redirect: "manual", signal });
      const { status, headers } = response;
      received();
      const most = status < 300 ? limit : SHORT_BYTES;
      const body = await wholeBody(response, most, received);
      const bytes = status < 300 ? body : body ?? new Uint8Array();
      if (bytes !== undefined) return { status, headers, bytes };
      const reason = `${this.#place.host} sent an answer of more than ${limit} bytes`;
      throw new SessionError("too-large", `Cannot ${act}: ${reason}`);
    } catch (error) {
      if (error instanceof SessionError) throw error;
      if (!is_last && !signal.aborted) return undefined;
      throw noConnection(act, error, this.#place, signal.aborted);
    } finally {
      clearTimeout(timer);
      clearTimeout(silence);
    }
  }

  /**
   * Returns an address with which anybody can read an object, without keys.
   *
   * @param seconds The time until the address expires: at most seven days, by the rules of S3.
   */
  async presigned(key: string, seconds: number): Promise<string> {
    const query = { "X-Amz-Expires": String(seconds) };
    return (await this.#sign({ method: "GET", key, query }, true)).url.href;
  }

  async #signed(request: S3Request): Promise<RequestInit & { url: URL }> {
    const { method, headers = {}, body } = request;
    const hashed = { "x-amz-content-sha256": sha256(body ?? new Uint8Array()) };
    const signed = await this.#sign({ ...request, headers: { ...headers, ...hashed } });
    return { method, ...signed, ...(body && { body }) };
  }

  /** Signs a request in its headers. With `signQuery`, signs the URL, so that anyone can use it. */
  async #sign(
    { method, key, query = {}, headers = {} }: Omit<S3Request, "act">,
    signQuery = false,
  ): Promise<{ url: URL; headers: Headers }> {
    const { AwsV4Signer } = await import("npm:aws4fetch@1.0.20");
    const { root, prefix, region } = this.#place;
    const path = key === undefined ? "" : `${prefix}${key}`;
    const url = new URL(path.split("/").map(encodeURIComponent).join("/"), root);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      ...this.#credentials,
      method,
      url: url.href,
      headers,
      service: "s3",
      region,
      signQuery,
      cache: this.#cache,
    });
    return await signer.sign();
  }
}

async function wholeBody(
  response: Response,
  limit: number,
  received: () => void,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    received();
    size += part.length;
    // Leaving the loop cancels the rest.
    if (size > limit) return undefined;
    parts.push(part);
  }
  return joinBytes(parts);
}
