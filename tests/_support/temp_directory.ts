/** Folders and stores that are gone after the test. */
import { openLocalStore } from "../../lib/core/store/open_store.ts";
import type { LocalStore } from "../../lib/core/store/local_store.ts";
import type { StoreOptions } from "../../lib/core/store/store_options.ts";
import { testsIn } from "./tests_in.ts";

/**
 * Runs a test in a folder of its own; its path is real.
 *
 * @param below The folder that it lies in. @default {the one for temporary files}
 */
export async function withDirectory(
  test: (directory: string) => Promise<void> | void,
  below?: string,
): Promise<void> {
  const options = { prefix: "reprise-test-", ...(below === undefined ? {} : { dir: below }) };
  const directory = Deno.realPathSync(Deno.makeTempDirSync(options));
  try {
    await test(directory);
  } finally {
    Deno.removeSync(directory, { recursive: true });
  }
}

/** Runs a test with a store of its own. The store's root is not there yet. */
export async function withStore(
  test: (store: LocalStore, directory: string) => Promise<void> | void,
  options: Omit<StoreOptions, "root"> = {},
): Promise<void> {
  await withDirectory((directory) =>
    test(openLocalStore({ ...options, root: `${directory}/store` }), directory)
  );
}

/** Tests in a folder each. */
export const inDirectory = testsIn(withDirectory);

/** Tests with a store each. */
export const inStore = testsIn<{ store: LocalStore; directory: string }>((test) =>
  withStore((store, directory) => test({ store, directory }))
);
