/** Names the folder of a working directory's sessions: a readable slug, then a digest. */
import { createHash } from "node:crypto";

const SLUG_LENGTH = 80;
const DIGEST_LENGTH = 10;

/** Returns the first 10 hex digits of the SHA-1 of a path in UTF-8. It only serves as a name. */
export function pathDigest(path: string): string {
  return createHash("sha1").update(path, "utf8").digest("hex").slice(0, DIGEST_LENGTH);
}

function pathSlug(path: string): string {
  const slug = path.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+/, "").slice(0, SLUG_LENGTH);
  return slug.replace(/[-.]+$/, "") || "root";
}

/** Normalizes a path for hashing: no trailing separator, a drive letter in upper case. */
export function canonicalPath(path: string): string {
  const drive = path.replace(/^[a-z](?=:[\\/])/, (letter) => letter.toUpperCase());
  const trimmed = drive.replace(/(?<=[^\\/:])[\\/]+$/, "");
  return trimmed === "" ? "/" : trimmed;
}

/** Returns the name of the folder for the sessions of `path`. `path` must not contain links. */
export function namespaceOf(path: string): string {
  const canonical = canonicalPath(path);
  return `${pathSlug(canonical)}-${pathDigest(canonical)}`;
}

export function isNamespaceOf(folder: string, path: string): boolean {
  return folder.endsWith(`-${pathDigest(canonicalPath(path))}`);
}
