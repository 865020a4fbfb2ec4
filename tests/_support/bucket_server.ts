/** A real server of S3, s3rver, on loopback with one bucket. Signatures are checked in front of it. */
import { Buffer } from "node:buffer";
import crypto, { createHash, createHmac } from "node:crypto";
import { once } from "node:events";
import type { Server } from "node:http";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import S3rver from "npm:s3rver@3.7.1";
import type { S3Options } from "../../lib/team/s3/s3_object_store.ts";

/** A request that the server got. */
export interface BucketRequest {
  method: string;
  path: string;
  query: Record<string, string>;
  headers: Record<string, string>;
  bytes: number;
}

export interface BucketServer {
  /** The address of the bucket for `sync init`. */
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
  store: KoaStore;
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
  store: KoaStore;
}

interface KoaStore {
  getObject(bucket: string, key: string): Promise<StoredFile | undefined>;
  putObject(object: ReceivedObject): Promise<{ size: number; md5: string }>;
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
  getResourcePath(bucket: string, key: string, resource: "object"): string;
  listObjects(bucket: string, options: ListOptions): Promise<{ objects: { key: string }[] }>;
}

interface ListOptions {
  maxKeys: number;
  startAfter?: string | undefined;
}

interface StoredFile {
  metadata: { etag: string };
  content: Readable | null;
}

interface ReceivedObject {
  bucket: string;
  key: string;
  metadata: object;
  content: Readable;
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
  const directory = Deno.makeTempDirSync({ prefix: "reprise-bucket-" });
  const buckets = [{ name: "team", configs: [] }];
  const app = new S3rver({
    ...{ address: "127.0.0.1", port: 0, silent: true, directory },
    configureBuckets: buckets,
  }) as unknown as Koa;
  const told: BucketServer = { url: "", requests: [], options: accountOf(), page_size: 1000 };
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
        if (compares && !await isMet(context)) return void (context.status = 412);
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
  const { store } = app;
  const listAll = store.listObjects.bind(store);
  // It lists in the order of the folder, which is none.
  store.listObjects = async (bucket, { maxKeys, startAfter = "", ...options }) => {
    const size = Math.min(maxKeys, told.page_size);
    const { objects, ...more } = await listAll(bucket, { ...options, maxKeys: Infinity });
    const rest = objects.filter(({ key }) => key > startAfter)
      .sort((one, other) => one.key < other.key ? -1 : 1);
    return { ...more, objects: rest.slice(0, size), isTruncated: rest.length > size };
  };
  // It answers before the file is written and closed. A test must not end before that.
  store.putObject = async ({ bucket, key, metadata, content }) => {
    const bytes = await buffer(content);
    const path = store.getResourcePath(bucket, key, "object");
    Deno.mkdirSync(dirname(path), { recursive: true });
    Deno.writeFileSync(path, bytes);
    const md5 = createHash("md5").update(bytes).digest("hex");
    await store.putMetadata(bucket, key, metadata, md5);
    return { size: bytes.length, md5 };
  };
  const getObject = store.getObject.bind(store);
  const closed: Promise<unknown>[] = [];
  store.getObject = async (...given) => {
    const found = await getObject(...given);
    const { content } = found ?? {};
    if (content) closed.push(new Promise((resolve) => content.on("close", resolve)));
    return found;
  };
  try {
    const { port } = await app.run();
    told.url = `s3://team/sessions?endpoint=http://127.0.0.1:${port}`;
    await test(told);
  } finally {
    app.httpServer.close();
    app.httpServer.closeAllConnections();
    await once(app.httpServer, "close");
    await Promise.all(closed);
    Deno.removeSync(directory, { recursive: true });
  }
}

/** True if the condition of a write is met. */
async function isMet({ method, path, headers, store }: KoaContext): Promise<boolean> {
  const wanted = headers["if-match"];
  if (method !== "PUT" || (wanted ?? headers["if-none-match"]) === undefined) return true;
  const [, bucket = "", ...key] = decodeURIComponent(path).split("/");
  const there = await store.getObject(bucket, key.join("/"));
  there?.content?.destroy();
  return there?.metadata.etag === wanted;
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

/** True if a request is signed with the account's keys: version 4, by the words of its description. */
function isSigned({ method, req, headers }: KoaContext): boolean {
  const url = new URL(req.url, "http://host");
  const [, access, scope = "", names = "", signature] =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\S+), SignedHeaders=(\S+), Signature=(\S+)$/
      .exec(headers["authorization"] ?? "") ?? [];
  const request = [
    method,
    url.pathname.split("/").map((part) => encoded(decodeURIComponent(part))).join("/"),
    [...url.searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
      .join("&"),
    ...names.split(";").map((name) => `${name}:${headers[name]}`),
    "",
    names,
    headers["x-amz-content-sha256"],
  ].join("\n");
  const hash = createHash("sha256").update(request).digest("hex");
  const text = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hash].join("\n");
  const secret = `AWS4${ACCOUNT["AWS_SECRET_ACCESS_KEY"]}`;
  const key = scope.split("/").reduce<string | Uint8Array>(hmac, secret);
  return access === ACCOUNT["AWS_ACCESS_KEY_ID"] &&
    Buffer.from(hmac(key, text)).toString("hex") === signature;
}
