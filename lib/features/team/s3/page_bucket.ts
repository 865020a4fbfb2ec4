/** Pages in a bucket. Whoever has the address of a page can read it until the address expires. */
import { present } from "../../../core/event/present.ts";
import { type AccountSources, s3Account } from "./credentials.ts";
import { s3Place } from "./s3_place.ts";
import { S3Requests } from "./s3_requests.ts";

export interface PageBucket {
  /** The bucket and its server, as error messages name them. */
  name: string;
  /** True if the keys are temporary. The addresses of pages expire with the keys. */
  is_temporary: boolean;
  put(key: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>;
  /** Returns a page's address, which expires after `seconds`. */
  address(key: string, seconds: number): Promise<string>;
  /** Deletes a page. A missing page is no error. */
  delete(key: string): Promise<void>;
}

/**
 * Opens a bucket for pages. Sends nothing to the server until a method is called.
 *
 * @param url `s3://BUCKET[/PREFIX][?region=NAME][&endpoint=URL]`
 * @throws {SessionError} `invalid-config` (bad address). `permission`, `invalid-key` (no keys).
 */
export async function openPageBucket(url: string, sources: AccountSources): Promise<PageBucket> {
  s3Place(url);
  const { credentials, region } = await s3Account(sources);
  const place = s3Place(url, present({ usual: region }));
  const requests = new S3Requests(place, credentials);
  return {
    name: `bucket ${place.bucket} of ${place.host}`,
    is_temporary: credentials.sessionToken !== undefined,
    put: async (key, body) => {
      const headers = {
        "content-type": "text/html; charset=utf-8",
        // A copy in a cache would outlive the page.
        "cache-control": "private, no-store",
      };
      await requests.send({ act: "upload the page", method: "PUT", key, headers, body });
    },
    address: (key, seconds) => requests.presigned(key, seconds),
    delete: async (key) => {
      const act = "delete the page";
      await requests.send({ act, method: "DELETE", key, expected: [404] });
    },
  };
}
