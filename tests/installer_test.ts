/** The install script of a release that is served here, with a program for this machine. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { makeRelease, TARGETS } from "../.ci/release.ts";
import { needing } from "./_support/needing.ts";
import {
  filesIn,
  type Release,
  RELEASE_TOOLS as UNIX,
  withRelease,
} from "./_support/served_release.ts";

function install(
  release: Release,
  ...args: string[]
): Promise<{ success: boolean; said: string }> {
  return installWith(release, {}, ...args);
}

async function installWith(
  { out, home, address }: Release,
  variables: Record<string, string>,
  ...args: string[]
): Promise<{ success: boolean; said: string }> {
  const { success, stdout, stderr } = await new Deno.Command("sh", {
    args: [join(out, "install.sh"), ...args],
    env: { HOME: home, REPRISE_RELEASES: address, ...variables },
  }).output();
  const decoder = new TextDecoder();
  return { success, said: decoder.decode(stdout) + decoder.decode(stderr) };
}

Deno.test(
  needing("install.sh installs a release for the user, and removes all of it", UNIX),
  async () => {
    await withRelease(async (release) => {
      const { success, said } = await install(release);
      assert.ok(success, said);
      assert.match(
        said,
        /^Installed reprise 0\.1\.0 in .*\/\.local\/bin\nAdd it to your PATH: export PATH=/,
      );
      const prefix = join(release.home, ".local");
      assert.deepEqual(filesIn(prefix), [
        "bin/reprise",
        "share/bash-completion/completions/reprise",
        "share/fish/vendor_completions.d/reprise.fish",
        "share/man/man1/reprise.1",
        "share/zsh/site-functions/_reprise",
      ]);
      assert.ok((await install(release, "--version", "v0.1.0")).success);
      assert.ok((await install(release, "--remove")).success);
      assert.deepEqual(filesIn(prefix), []);
      const again = await install(release, "--remove");
      assert.deepEqual([again.success, again.said.includes("nothing to remove")], [false, true]);
    }, Deno.env.get("REPRISE_BIN"));
  },
);

Deno.test(
  needing("install.sh needs no HOME where a prefix is given, spaces in it too", UNIX),
  async () => {
    await withRelease(async (release) => {
      const prefix = join(release.home, "my tools");
      const { success, said } = await installWith(release, { HOME: "" }, "--prefix", prefix);
      assert.ok(success, said);
      assert.ok(filesIn(prefix).includes("bin/reprise"));
      const removed = await installWith(release, { HOME: "" }, "--remove", "--prefix", prefix);
      assert.ok(removed.success, removed.said);
      assert.deepEqual(filesIn(prefix), []);
      for (const args of [[], ["--prefix", ""], ["--remove"]]) {
        const refused = await installWith(release, { HOME: "" }, ...args);
        assert.equal(refused.success, false);
        assert.match(refused.said, /^Cannot install reprise: set HOME, or give --prefix\n$/);
      }
    });
  },
);

Deno.test(
  needing("install.sh leaves no half of a file on a full disk, and removes what it wrote", UNIX),
  async () => {
    await withRelease(async (release) => {
      const bin = join(release.home, "..", "bin");
      Deno.mkdirSync(bin);
      const cp =
        '#!/bin/sh\ncase $2 in *.1.new) echo half > "$2"; exit 1 ;; esac\ncat "$1" > "$2"\n';
      Deno.writeTextFileSync(join(bin, "cp"), cp, { mode: 0o755 });
      const PATH = `${bin}:${Deno.env.get("PATH")}`;
      const { success, said } = await installWith(release, { PATH });
      assert.equal(success, false);
      assert.match(said, /reprise\.1 cannot be written; give another --prefix\n$/);
      const prefix = join(release.home, ".local");
      assert.deepEqual(filesIn(prefix), ["bin/reprise"]);
      assert.ok((await install(release, "--remove")).success);
      assert.deepEqual(filesIn(prefix), []);
    });
  },
);

Deno.test(needing("install.sh says why the program does not run here", UNIX), async () => {
  const path = await Deno.makeTempFile();
  try {
    Deno.writeTextFileSync(path, "#!/bin/sh\necho no such library >&2\nexit 1\n");
    await withRelease(async (release) => {
      const { success, said } = await install(release);
      assert.equal(success, false);
      assert.match(said, /no such library\nCannot install reprise: the program does not run/);
    }, path);
  } finally {
    Deno.removeSync(path);
  }
});

Deno.test(
  needing("install.sh installs nothing that was changed or is not signed", UNIX),
  async () => {
    await withRelease(async (release) => {
      const assertRefused = async (reason: RegExp): Promise<void> => {
        const { success, said } = await install(release);
        assert.ok(!success);
        assert.match(said, reason);
        assert.deepEqual(filesIn(release.home), []);
      };
      const sums = join(release.out, "SHA256SUMS");
      const right = Deno.readTextFileSync(sums);
      for (const { triple, archive } of TARGETS) {
        const path = join(release.out, `reprise-${triple}.${archive}`);
        const bytes = Deno.readFileSync(path);
        bytes[bytes.length - 5] = (bytes[bytes.length - 5] ?? 0) ^ 1;
        Deno.writeFileSync(path, bytes);
      }
      await assertRefused(/checksum of .* is wrong; nothing was installed/);
      Deno.writeTextFileSync(sums, right.replaceAll(/^./gm, "0"));
      await assertRefused(/signature of SHA256SUMS is wrong; nothing was installed/);
      Deno.removeSync(sums);
      await assertRefused(/SHA256SUMS cannot be downloaded/);
    });
  },
);

Deno.test(
  needing("a release has the checksum of each archive in every manifest", UNIX),
  async () => {
    await withRelease(({ out }) => {
      const read = (name: string): string => Deno.readTextFileSync(join(out, name));
      const sums = new Map(
        read("SHA256SUMS").trim().split("\n").map((line) =>
          line.split("  ").reverse() as [string, string]
        ),
      );
      for (const { triple, archive, brew } of TARGETS) {
        const sum = sums.get(`reprise-${triple}.${archive}`) ?? "";
        assert.match(sum, /^[0-9a-f]{64}$/);
        if (brew !== undefined) assert.ok(read("reprise.rb").includes(`sha256 "${sum}"`));
        else {
          assert.equal(JSON.parse(read("reprise.json")).architecture["64bit"].hash, sum);
          assert.ok(read("reprise.winget.yaml").includes(`InstallerSha256: ${sum.toUpperCase()}`));
        }
      }
      const unlisted = filesIn(out).filter((name) => !sums.has(name));
      assert.deepEqual(unlisted, ["SHA256SUMS", "SHA256SUMS.sig"]);
      assert.throws(() => makeRelease(join(out, "..", "programs"), out, join(out, "..", "key")), {
        name: "AlreadyExists",
      });
      const { components } = JSON.parse(read("reprise.cdx.json")) as {
        components: { purl: string }[];
      };
      assert.ok(components.some(({ purl }) => purl === "pkg:npm/diff@9.0.0"));
      assert.ok(!read("install.sh").includes("@KEY@") && !read("install.ps1").includes("@KEY@"));
      return Promise.resolve();
    });
  },
);
