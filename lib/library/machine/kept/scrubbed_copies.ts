/** Describes files and copies from which secrets are taken out. */

/** The scrubbed bytes of a file. */
export interface ScrubbedBytes {
  bytes: Uint8Array;
  /** Returns the offset in the new bytes of an offset in the old ones, at the start of its line. */
  offset(before: number): number;
}

/** A file that may hold secrets of a session. */
export interface ScrubbedFile {
  path: string;
  /** True for a file with facts of other sessions, in which only known secrets are replaced. */
  shared: boolean;
  /** Folder whose files belong together, such as copies and their manifest. */
  group?: string;
  /** Returns the plain bytes. @default {those of the file} */
  read?: () => Promise<Uint8Array>;
}

/** The copies of a session in one folder, with the manifest that describes them. */
export interface CopyFolder {
  files: ScrubbedFile[];
  /** Returns the changed manifest, and files that are then no longer needed; undefined without one. */
  finish(
    scrubbed: ReadonlyMap<string, ScrubbedBytes>,
  ): { path: string; bytes: Uint8Array; removed: string[] } | undefined;
}
