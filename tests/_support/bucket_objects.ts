/** The objects of a bucket in memory, in the place of the folder that s3rver writes for each. */
import type { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";

interface StoredObject {
  bucket: string;
  key: string;
  content: Buffer;
  metadata: Record<string, string | number>;
  size: number;
  lastModifiedDate: Date;
}

interface ListOptions {
  maxKeys: number;
  startAfter?: string | undefined;
  prefix?: string | undefined;
}

/** A list's page. */
interface Listed {
  objects: StoredObject[];
  commonPrefixes: string[];
  isTruncated: boolean;
}

/** The part of s3rver's store that requests for objects use. */
export class BucketObjects {
  /** The most objects of a page of a list. */
  page_size = 1000;
  /** Buckets by name; keys with their objects. */
  readonly #buckets = new Map<string, Map<string, StoredObject>>();

  /** Returns the tag of an object; undefined where there is none. */
  tag(bucket: string, key: string): string | number | undefined {
    return this.#buckets.get(bucket)?.get(key)?.metadata["etag"];
  }

  getBucket(name: string): Promise<{ name: string; creationDate: Date } | null> {
    return Promise.resolve(this.#buckets.has(name) ? { name, creationDate: new Date(0) } : null);
  }

  putBucket(name: string): Promise<void> {
    return Promise.resolve(void this.#buckets.set(name, new Map()));
  }

  /** No bucket here has rules for websites or other origins. */
  getSubresource(): Promise<null> {
    return Promise.resolve(null);
  }

  existsObject(bucket: string, key: string): Promise<boolean> {
    return Promise.resolve(this.#buckets.get(bucket)?.has(key) ?? false);
  }

  getObject(bucket: string, key: string): Promise<StoredObject | null> {
    return Promise.resolve(this.#buckets.get(bucket)?.get(key) ?? null);
  }

  async putObject(
    { bucket, key, content, metadata: given }: {
      bucket: string;
      key: string;
      content: Readable;
      metadata: StoredObject["metadata"];
    },
  ): Promise<{ size: number; md5: string }> {
    const bytes = await buffer(content);
    const md5 = createHash("md5").update(bytes).digest("hex");
    const now = new Date();
    const metadata = {
      ...given,
      etag: JSON.stringify(md5),
      "last-modified": now.toUTCString(),
      "content-length": bytes.length,
    };
    const size = bytes.length;
    const object = { bucket, key, content: bytes, metadata, size, lastModifiedDate: now };
    this.#buckets.get(bucket)?.set(key, object);
    return { size, md5 };
  }

  deleteObject(bucket: string, key: string): Promise<void> {
    return Promise.resolve(void this.#buckets.get(bucket)?.delete(key));
  }

  listObjects(
    bucket: string,
    { maxKeys, startAfter = "", prefix = "" }: ListOptions,
  ): Promise<Listed> {
    const size = Math.min(maxKeys, this.page_size);
    const rest = [...this.#buckets.get(bucket)?.values() ?? []]
      .filter(({ key }) => key > startAfter && key.startsWith(prefix))
      .sort((one, other) => one.key < other.key ? -1 : 1);
    return Promise.resolve({
      ...{ objects: rest.slice(0, size), commonPrefixes: [] },
      isTruncated: rest.length > size,
    });
  }
}
