import assert from "node:assert/strict";
import { join } from "node:path";
import type { FolderWatch } from "../../../lib/core/platform/tree_watch.ts";
import { watchFolder } from "../../../lib/core/platform/watch_folder.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { onUnix } from "../../_support/tests_in.ts";

const DEADLINE_MS = 10_000;

/** A watch, and the paths that it told. */
class Watched implements Disposable {
  readonly told = new Set<string>();
  lost = 0;
  readonly #watch: FolderWatch;

  constructor(path: string) {
    this.#watch = watchFolder(path, {
      onChange: (paths) => paths.forEach((one) => this.told.add(one)),
      onLost: () => void this.lost++,
    });
  }

  /** Waits until a path was told. */
  async until(path: string): Promise<void> {
    const deadline = performance.now() + DEADLINE_MS;
    while (!this.told.has(path)) {
      assert.ok(performance.now() < deadline, `${path} is not among ${[...this.told]}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  [Symbol.dispose](): void {
    this.#watch.close();
  }
}

function pipe(path: string): void {
  assert.ok(new Deno.Command("mkfifo", { args: [path] }).outputSync().success);
}

onUnix.test("watchFolder goes on behind pipes, links to pipes, devices and sockets", async () => {
  await withDirectory(async (root) => {
    Deno.mkdirSync(join(root, "a"));
    using watched = new Watched(root);
    pipe(join(root, "pipe"));
    Deno.symlinkSync(join(root, "pipe"), join(root, "a", "link"));
    Deno.symlinkSync("/dev/tty", join(root, "a", "device"));
    const socket = Deno.listen({ transport: "unix", path: join(root, "socket") });
    Deno.writeTextFileSync(join(root, "a", "file"), "one");
    await watched.until(join(root, "a", "file"));
    socket.close();
    for (const name of ["pipe", "a/link", "a/device", "socket"]) {
      await watched.until(join(root, name));
    }
  });
});

onUnix.test("watchFolder goes on where a folder is replaced by a pipe and comes back", async () => {
  await withDirectory(async (root) => {
    Deno.mkdirSync(join(root, "a", "b"), { recursive: true });
    using watched = new Watched(root);
    Deno.renameSync(join(root, "a"), join(root, "moved"));
    pipe(join(root, "a"));
    await watched.until(join(root, "a"));
    Deno.writeTextFileSync(join(root, "moved", "b", "file"), "one");
    await watched.until(join(root, "moved", "b", "file"));
    Deno.removeSync(join(root, "a"));
    Deno.mkdirSync(join(root, "a", "b"), { recursive: true });
    await watched.until(join(root, "a", "b"));
    Deno.writeTextFileSync(join(root, "a", "b", "other"), "two");
    await watched.until(join(root, "a", "b", "other"));
  });
});

onUnix.test("watchFolder follows a link to a folder, and none in a circle", async () => {
  await withDirectory(async (directory) => {
    const [root, other] = [join(directory, "root"), join(directory, "other")];
    Deno.mkdirSync(root);
    Deno.mkdirSync(other);
    Deno.symlinkSync(other, join(root, "link"));
    Deno.symlinkSync(root, join(root, "circle"));
    Deno.symlinkSync(other, join(other, "itself"));
    using watched = new Watched(root);
    Deno.writeTextFileSync(join(other, "file"), "one");
    await watched.until(join(root, "link", "file"));
  });
});
