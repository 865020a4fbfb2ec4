/**
 * The pages that this machine shared, one file each in `shared-pages/` of the data root. A file
 * never contains the signature of an address, because a reader of the file could then read the
 * page.
 */
import { join } from "node:path";
import { fields, text, whole } from "../../core/event/guard.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { isFolderThere } from "../../core/file/presence.ts";
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import { readDirSync } from "../../core/platform/files.ts";
import { readSettingsText, writeSettingsText } from "../../core/workspace/settings_file.ts";
import type { PageBucket } from "./s3/page_bucket.ts";

export interface SharedPage {
  ref: string;
  /** The address of the bucket: `s3://…`. */
  bucket: string;
  key: string;
  /** The page's address without its signature. */
  address: string;
  /** ISO 8601: the time at which the address expires. */
  expires_at: string;
  bytes: number;
}

const PAGE = fields({
  ref: text,
  bucket: text,
  // It names the page's file here, too.
  key: (value) =>
    /^[0-9a-f-]{36}\.html$/.test(String(value)) ? undefined : "is not the name of a page",
  address: text,
  expires_at: text,
  bytes: whole(0),
});

const DAY = 24 * 60 * 60;

export interface PageToShare extends Pick<SharedPage, "ref" | "bucket"> {
  html: Uint8Array<ArrayBuffer>;
  /** Number of days until the page's address expires: at most 7. */
  days: number;
  now: Date;
}

/**
 * Uploads a page, and returns the address that shows it.
 *
 * @throws {SessionError} The errors of the bucket, and of writing the page's file in the data root.
 */
export async function sharePage(
  root: string,
  bucket: PageBucket,
  { ref, bucket: url, html, days, now }: PageToShare,
): Promise<string> {
  const key = `${crypto.randomUUID()}.html`;
  const signed = await bucket.address(key, days * DAY);
  const expires_at = new Date(now.getTime() + days * DAY * 1000).toISOString();
  const address = withoutSignature(signed);
  const page = { ref, bucket: url, key, address, expires_at, bytes: html.length };
  // First: what was uploaded and then cut off must be found again.
  writeSettingsText(pathOf(root, page), `${JSON.stringify(page)}\n`);
  try {
    await bucket.put(key, html);
  } catch (error) {
    // After a refusal nothing is there; after a broken connection the page may be.
    const is_refused = error instanceof SessionError && error.code !== "unreachable";
    if (is_refused) removeQuietly(pathOf(root, page));
    throw error;
  }
  return signed;
}

/** Returns the shared pages, in the order in which they expire. */
export function readSharedPages(root: string): SharedPage[] {
  const folder = join(root, FOLDER);
  if (!isFolderThere(folder)) return [];
  const pages = [...readDirSync(folder)].map(({ name }) =>
    parsedJson(readSettingsText(join(folder, name)) ?? "")
  ).filter((value): value is SharedPage => PAGE(value) === undefined);
  return pages.sort((one, other) => one.expires_at < other.expires_at ? -1 : 1);
}

export async function unsharePage(
  root: string,
  bucket: PageBucket,
  page: SharedPage,
): Promise<void> {
  await bucket.delete(page.key);
  removeQuietly(pathOf(root, page));
}

/**
 * Returns a page's address without its signature, so that the page cannot be read by this address.
 */
export function withoutSignature(address: string): string {
  return address.replace(/\?.*/, "");
}

const FOLDER = "shared-pages";

function pathOf(root: string, { key }: Pick<SharedPage, "key">): string {
  return join(root, FOLDER, key.replace(/\.html$/, ".json"));
}
