/**
 * A real server of S3, s3rver, on loopback with one bucket, whose objects are in memory. Signatures are
 * checked in front of it.
 */
import { Buffer } from "node:buffer";
import crypto, { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { BucketObjects } from "./bucket_objects.ts";
import type { S3Options } from "../../lib/features/team/s3/s3_object_store.ts";

/** Named apart from its import, so that its hundred packages are downloaded when a test needs them. */
const S3RVER = "npm:s3rver@3.7.1";

/** A request that the server got. */
export interface BucketRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  bytes: number;
}

export interface BucketServer {
  /** The address of the bucket for `sync team`. */
  url: string;
  /** All requests so far. */
  requests: BucketRequest[];
  /** The keys of its account. */
  options: S3Options;
  /** The most objects of a page of a list. @default {1000} */
  page_size: number;
  /**
   * Answers with a status in its place, before or after the request is carried out; with 0 it cuts the
   * connection.
   */
  fail?:
    | ((request: BucketRequest) => { status: number; carried_out: boolean } | undefined)
    | undefined;
}

/** The part of s3rver, and of its Koa, that is used. */
interface Koa {
  middleware: ((context: KoaContext, next: () => Promise<void>) => Promise<void>)[];
  httpServer: Server;
  /** Requests find it here, too. */
  context: { store: unknown };
  store: unknown;
  run(): Promise<{ port: number }>;
}

interface KoaContext {
  method: string;
  /** The request as it came. */
  req: { url: string; socket: { destroy(): void } };
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  status: number;
  body: unknown;
}

/** The variables with the keys of the server's account. */
export const ACCOUNT: Readonly<Record<string, string>> = {
  AWS_ACCESS_KEY_ID: "S3RVER",
  AWS_SECRET_ACCESS_KEY: "S3RVER",
};

// Its tokens of continuation are encrypted with DES, which no present runtime has: they stay plain.
for (const name of ["createCipheriv", "createDecipheriv"] as const) {
  const original = crypto[name] as (...given: unknown[]) => unknown;
  const plain = {
    update: (text: string | Uint8Array) => Buffer.from(text as string),
    final: () => Buffer.alloc(0),
  };
  Object.assign(crypto, {
    [name]: (algorithm: string, ...more: unknown[]) =>
      algorithm === "des" ? plain : original(algorithm, ...more),
  });
}

/** The options of an account whose keys stand in variables. */
export function accountOf(variables = ACCOUNT): S3Options {
  return {
    variable: (name) => variables[name],
    run: () => Promise.reject(new Error("no command was expected")),
    retry_ms: 1,
  };
}

/**
 * Runs a test with a bucket.
 *
 * @param compares Whether the server knows conditions of a write. s3rver itself takes no notice.
 */
export async function withBucket(
  test: (server: BucketServer) => Promise<void>,
  { compares = true }: { compares?: boolean } = {},
): Promise<void> {
  const buckets = [{ name: "team", configs: [] }];
  const { default: S3rver } = await import(S3RVER);
  const app = new S3rver({
    // Nothing is written there.
    ...{ address: "127.0.0.1", port: 0, silent: true, directory: "/none" },
    configureBuckets: buckets,
  }) as unknown as Koa;
  const objects = new BucketObjects();
  app.store = app.context.store = objects;
  const told: BucketServer = {
    url: "",
    requests: [],
    options: accountOf(),
    get page_size() {
      return objects.page_size;
    },
    set page_size(size) {
      objects.page_size = size;
    },
  };
  let last_write = Promise.resolve();
  app.middleware.unshift(async (context, next) => {
    const request = {
      ...{ method: context.method, path: context.path },
      ...{ query: { ...context.query }, headers: { ...context.headers } },
      bytes: Number(context.headers["content-length"] ?? 0),
    };
    told.requests.push(request);
    const failure = told.fail?.(request);
    if (failure === undefined || failure.carried_out) {
      if (!isSigned(context)) {
        context.body = "<Error><Code>SignatureDoesNotMatch</Code></Error>";
        return void (context.status = 403);
      }
      const answered = Promise.withResolvers<void>();
      const turn = last_write;
      // A condition and its write are one.
      if (compares && request.method === "PUT") {
        last_write = answered.promise;
        await turn;
      }
      try {
        if (compares && !isMet(context, objects)) return void (context.status = 412);
        await next();
      } finally {
        answered.resolve();
      }
    }
    if (failure?.status === 0) context.req.socket.destroy();
    else if (failure !== undefined) {
      context.body = "";
      context.status = failure.status;
    }
  });
  try {
    const { port } = await app.run();
    told.url = `s3://team/sessions?endpoint=http://127.0.0.1:${port}`;
    await test(told);
  } finally {
    app.httpServer.close();
    app.httpServer.closeAllConnections();
    await once(app.httpServer, "close");
  }
}

/** True if the condition of a write is met. */
function isMet({ method, path, headers }: KoaContext, objects: BucketObjects): boolean {
  const wanted = headers["if-match"];
  if (method !== "PUT" || (wanted ?? headers["if-none-match"]) === undefined) return true;
  const [, bucket = "", ...key] = decodeURIComponent(path).split("/");
  return objects.tag(bucket, key.join("/")) === wanted;
}

function hmac(key: string | Uint8Array, text: string): Uint8Array {
  return createHmac("sha256", key).update(text).digest();
}

function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The parts of a signature, from the headers of a request or from a presigned address. */
function signatureOf(
  url: URL,
  headers: Record<string, string>,
): (string | null | undefined)[] {
  const { searchParams } = url;
  if (!searchParams.has("X-Amz-Signature")) {
    const form =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\S+)$/;
    const parts = form.exec(headers["authorization"] ?? "") ?? [];
    const [, access, scope, names, signature] = parts;
    return [
      access,
      scope,
      names,
      signature,
      headers["x-amz-date"],
      headers["x-amz-content-sha256"],
    ];
  }
  const [, access, scope] = /^([^/]+)\/(.+)$/.exec(searchParams.get("X-Amz-Credential") ?? "") ??
    [];
  const [names, signature, date] = ["SignedHeaders", "Signature", "Date"].map((name) =>
    searchParams.get(`X-Amz-${name}`)
  );
  return [access, scope, names, signature, date, "UNSIGNED-PAYLOAD"];
}

/** True if a presigned address is no longer valid. */
function isExpired({ searchParams }: URL): boolean {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(searchParams.get("X-Amz-Date") ?? "") ?? [];
  if (year === undefined) return false;
  const begun = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Date.now() > begun + 1000 * Number(searchParams.get("X-Amz-Expires"));
}

/** True if a request is signed with the account's keys: version 4, by the words of its description. */
function isSigned({ method, req, headers }: KoaContext): boolean {
  const url = new URL(req.url, "http://host");
  const [access, scope, names, signature, date, payload] = signatureOf(url, headers)
    .map((part) => part ?? "") as [string, string, string, string, string, string];
  const request = [
    method,
    url.pathname.split("/").map((part) => encoded(decodeURIComponent(part))).join("/"),
    [...url.searchParams].filter(([name]) => name !== "X-Amz-Signature")
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort().join("&"),
    ...names.split(";").map((name) => `${name}:${headers[name]}`),
    "",
    names,
    payload,
  ].join("\n");
  const hash = createHash("sha256").update(request).digest("hex");
  const text = ["AWS4-HMAC-SHA256", date, scope, hash].join("\n");
  const secret = `AWS4${ACCOUNT["AWS_SECRET_ACCESS_KEY"]}`;
  const key = scope.split("/").reduce<string | Uint8Array>(hmac, secret);
  return access === ACCOUNT["AWS_ACCESS_KEY_ID"] && !isExpired(url) &&
    Buffer.from(hmac(key, text)).toString("hex") === signature;
}
