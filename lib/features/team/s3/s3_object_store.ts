/** Keeps objects in a bucket, by the REST interface of S3. */
import { equalBytes } from "../../../core/event/bytes.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import {
  MAX_KEY_BYTES,
  MAX_LISTED,
  type ObjectStore,
  type StoredObject,
  tooManyNames,
} from "../objects/object_store.ts";
import { type AccountSources, s3Account } from "./credentials.ts";
import { parseListPage, plainTag } from "./list_page.ts";
import { type S3Answer, type S3Patience, S3Requests } from "./s3_requests.ts";
import { type S3Place, s3Place } from "./s3_place.ts";

export interface S3Options extends AccountSources, S3Patience {
  /** Allows an endpoint on another machine without TLS. @default {false} */
  insecure?: boolean;
  /** The most pages of a list. @default {2000, which are two million objects} */
  max_pages?: number;
}

/** Maximum bytes of a page: a thousand keys of a thousand bytes, each escaped in XML. */
const PAGE_BYTES = 8 * 1024 * 1024;
const MAX_PAGES = 2000;

/**
 * Opens a bucket. Sends nothing to the server until a method is called.
 *
 * @param url `s3://BUCKET[/PREFIX][?region=NAME][&endpoint=URL]`
 * @throws {SessionError} `invalid-config` (bad address). `permission`, `invalid-key` (no keys).
 */
export async function openBucket(url: string, options: S3Options): Promise<ObjectStore> {
  const { insecure = false, max_pages = MAX_PAGES, ...sources } = options;
  const { credentials, region } = await s3Account(sources);
  const place = s3Place(url, { usual: region, insecure });
  return new Bucket(place, new S3Requests(place, credentials, options), max_pages);
}

class Bucket implements ObjectStore {
  readonly #place: S3Place;
  readonly #requests: S3Requests;
  readonly #max_pages: number;
  /** True until the server answers that it does not support conditional requests. */
  #compares = true;

  constructor(place: S3Place, requests: S3Requests, max_pages: number) {
    this.#max_pages = max_pages;
    this.#place = place;
    this.#requests = requests;
  }

  async *list(prefix: string): AsyncGenerator<StoredObject[]> {
    const { prefix: own, host } = this.#place;
    const act = "list the team's store";
    const told = new Set<string>();
    let listed = 0;
    let next: string | undefined;
    do {
      const query = { "list-type": "2", prefix: own + prefix };
      const { bytes } = await this.#requests.send({
        act,
        method: "GET",
        query: next === undefined ? query : { ...query, "continuation-token": next },
        limit: PAGE_BYTES,
      });
      const page = parseListPage(new TextDecoder().decode(bytes));
      const is_list = page?.objects.every(({ key }) => key.startsWith(own + prefix));
      if (page === undefined || !is_list || told.has(page.next ?? "")) {
        throw new SessionError(
          "damaged",
          `Cannot ${act}: ${host} does not answer like an S3 server`,
        );
      }
      listed += bytes.length;
      if (listed > MAX_LISTED) throw tooManyNames(host);
      yield page.objects.filter(isStorable)
        .map((object) => ({ ...object, key: object.key.slice(own.length) }));
      next = page.next;
      if (next !== undefined) told.add(next);
      if (told.size > this.#max_pages) {
        const message =
          `Cannot ${act}: ${host} returned a file list of more than ${this.#max_pages} pages`;
        throw new SessionError("too-large", message);
      }
    } while (next !== undefined);
  }

  async get(
    key: string,
    limit: number,
  ): Promise<{ bytes: Uint8Array; tag: string } | undefined> {
    const act = "read from the team's store";
    const answer = await this.#requests.send({ act, method: "GET", key, limit, expected: [404] });
    if (answer.status === 404) return undefined;
    return { bytes: answer.bytes, tag: this.#tagOf(act, answer) };
  }

  async put(key: string, bytes: Uint8Array, if_tag?: string | null): Promise<string | undefined> {
    const act = "write to the team's store";
    const condition = if_tag === undefined || !this.#compares
      ? {}
      : if_tag === null
      ? { "if-none-match": "*" }
      : { "if-match": `"${if_tag}"` };
    const answer = await this.#requests.send({
      act,
      method: "PUT",
      key,
      headers: { ...condition, "content-type": "application/octet-stream" },
      body: new Uint8Array(bytes),
      expected: Object.keys(condition).length === 0 ? [] : [404, 412, 501],
    });
    switch (answer.status) {
      case 501:
        this.#compares = false;
        return await this.put(key, bytes);
      case 404:
        return undefined;
      case 412:
        return answer.repeated ? await this.#ownTag(key, bytes) : undefined;
      default:
        return this.#tagOf(act, answer);
    }
  }

  async delete(key: string): Promise<void> {
    await this.#requests.send({
      act: "delete from the team's store",
      method: "DELETE",
      key,
      expected: [404],
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // Requests hold nothing open.
  }

  /** Returns the object's tag if an earlier attempt wrote `bytes` to it, else undefined. */
  async #ownTag(key: string, bytes: Uint8Array): Promise<string | undefined> {
    try {
      const there = await this.get(key, bytes.length);
      return there && equalBytes(there.bytes, bytes) ? there.tag : undefined;
    } catch (error) {
      if (error instanceof SessionError && error.code === "too-large") return undefined;
      throw error;
    }
  }

  #tagOf(act: string, { headers }: S3Answer): string {
    const tag = headers.get("etag");
    if (tag) return plainTag(tag);
    const message = `Cannot ${act}: ${this.#place.host} sent an answer without an ETag header, ` +
      "which every S3 server sends. Check the store's address";
    throw new SessionError("damaged", message);
  }
}

const encoder = new TextEncoder();

/** True if key and tag are no longer than S3 allows. Others are skipped, to save memory. */
function isStorable({ key, tag }: StoredObject): boolean {
  return tag.length <= MAX_KEY_BYTES && encoder.encode(key).length <= MAX_KEY_BYTES;
}
