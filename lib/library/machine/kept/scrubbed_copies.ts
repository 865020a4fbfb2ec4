/** Describes files and copies from which secrets are removed. */

export interface ScrubbedBytes {
  bytes: Uint8Array;
  /** Maps an offset in the original bytes to the start of the same line in the scrubbed bytes. */
  offset(before: number): number;
}

export interface ScrubbedFile {
  path: string;
  /** True for a file with facts of other sessions, in which only known secrets are replaced. */
  shared: boolean;
  /** Folder whose files belong together, such as copies and their manifest. */
  group?: string;
  /** Returns the plain bytes. @default {the bytes of the file} */
  read?: () => Promise<Uint8Array>;
}

export interface CopyFolder {
  files: ScrubbedFile[];
  /** Returns the changed manifest and the unneeded files; undefined if there is no manifest. */
  finish(
    scrubbed: ReadonlyMap<string, ScrubbedBytes>,
  ): { path: string; bytes: Uint8Array; removed: string[] } | undefined;
}
