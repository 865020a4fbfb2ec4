/**
 * A release, as a stranger gets it: install.sh from a local server, in a root that has only the
 * system's folders and an empty home. The program is used, and removed as the README says. It leaves
 * no file. Needs `deno task compile`, and Linux as root.
 */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { runTool } from "./_support/installed_package.ts";
import { needing } from "./_support/needing.ts";
import { filesIn, RELEASE_TOOLS, withRelease } from "./_support/served_release.ts";
import { ROOT } from "./_support/source_code.ts";
import { withDirectory } from "./_support/temp_directory.ts";

const PROGRAM = fileURLToPath(new URL("dist/reprise", ROOT));
const BARE_ROOT = {
  what: "Linux as root, and dist/reprise",
  get: "run deno task compile as root",
  met: RELEASE_TOOLS.met && Deno.build.os === "linux" && Deno.uid() === 0 && existsSync(PROGRAM),
};

/** What a user does, and the README's way to remove all. The completions here are no real ones. */
const USE = `set -eu
printf '{"kind":"user_message","payload":{"content":"Hello"}}\\n' | reprise record >record.out
reprise list --all | grep -q Hello
reprise search Hello | grep -q Hello
reprise setup --remove --write >setup.out 2>&1 || grep -q unchanged setup.out
reprise sync service remove >setup.out 2>&1
rm -r "$HOME/.cache/reprise" "$HOME/.local/state/reprise" record.out setup.out
`;

/** Runs a script in a root that has the system's folders, an empty home, and the folders given. */
async function runBare(script: string, folders: readonly string[]): Promise<string[]> {
  let left: string[] = [];
  await withDirectory(async (root) => {
    const mounts = ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/dev", ...folders]
      .filter((path) => existsSync(path))
      .map((path) => `mkdir -p "${root}${path}" && mount --rbind "${path}" "${root}${path}"`);
    const home = join(root, "home", "new");
    for (const path of [home, join(root, "tmp"), join(root, "proc")]) {
      Deno.mkdirSync(path, { recursive: true });
    }
    Deno.writeTextFileSync(join(root, "script.sh"), script);
    const env = "HOME=/home/new PATH=/home/new/.local/bin:/usr/bin:/bin TMPDIR=/tmp";
    const inside = `cd /home/new && exec env -i ${env} sh /script.sh`;
    const outside = `${mounts.join("\n")}
mount -t proc proc "${root}/proc"
exec chroot "${root}" sh -c '${inside}'`;
    const args = ["--mount", "--pid", "--fork", "sh", "-euc", outside];
    await runTool("unshare", args, "/");
    left = filesIn(home);
  });
  return left;
}

Deno.test(
  needing("install.sh installs a release in a bare root, and nothing is left of it", BARE_ROOT),
  async () => {
    await withRelease(async ({ out, address }) => {
      const script = `export REPRISE_RELEASES=${address}
sh ${out}/install.sh
${USE}
sh ${out}/install.sh --remove
`;
      assert.deepEqual(await runBare(script, [out]), []);
    }, PROGRAM);
  },
);
