/** Describes files and copies from which secrets are removed. */

export interface ScrubbedBytes {
  bytes: Uint8Array;
  /** Maps an offset in the original bytes to the start of the same line in the scrubbed bytes. */
  offset(before: number): number;
}

export interface ScrubbedFile {
  path: string;
  /** True for a file that several sessions share. Only known secrets in it are replaced. */
  shared: boolean;
  /** Folder whose files belong together, such as copies and their manifest. */
  group?: string;
  /** Returns the plain bytes. @default {the bytes of the file} */
  read?: () => Promise<Uint8Array>;
}

export interface CopyFolder {
  files: ScrubbedFile[];
  /** Returns the updated manifest and the files to delete. Undefined if there is no manifest. */
  finish(
    scrubbed: ReadonlyMap<string, ScrubbedBytes>,
  ): { path: string; bytes: Uint8Array; removed: string[] } | undefined;
}
