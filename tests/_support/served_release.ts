/** A release that is served here, with a program for this machine. */
import assert from "node:assert/strict";
import { join, relative } from "node:path";
import { makeRelease, TARGETS } from "../../.ci/release.ts";
import { withDirectory } from "./temp_directory.ts";

/** What the install script of a release needs. */
export const RELEASE_TOOLS = {
  what: "a system with sh, tar and ssh-keygen",
  get: "install OpenSSH",
  met: Deno.build.os !== "windows" && hasProgram("ssh-keygen"),
};

function hasProgram(name: string): boolean {
  try {
    return new Deno.Command("sh", { args: ["-c", `command -v ${name}`] }).outputSync().success;
  } catch {
    return false;
  }
}

/** Writes a program to install: the given executable, or a script that says its version. */
function writeProgram(path: string, executable: string | undefined): void {
  if (executable === undefined) Deno.writeTextFileSync(path, "#!/bin/sh\necho 0.1.0\n");
  else Deno.copyFileSync(executable, path);
  Deno.chmodSync(path, 0o755);
}

/** Makes a release below a folder, and serves it while the test runs. */
export async function withRelease(
  test: (release: Release) => Promise<void>,
  executable?: string,
): Promise<void> {
  await withDirectory(async (folder) => {
    const key = join(folder, "key");
    const args = ["-q", "-t", "ed25519", "-N", "", "-C", "", "-f", key];
    assert.ok(new Deno.Command("ssh-keygen", { args }).outputSync().success);
    for (const { triple } of TARGETS) {
      const programs = join(folder, "programs", triple);
      Deno.mkdirSync(programs, { recursive: true });
      const name = triple.includes("windows") ? "reprise.exe" : "reprise";
      writeProgram(
        join(programs, name),
        triple === Deno.build.target ? executable : undefined,
      );
      for (const name of ["reprise.1", "reprise.bash", "_reprise", "reprise.fish"]) {
        Deno.writeTextFileSync(join(programs, name), name);
      }
    }
    const out = join(folder, "out");
    // The workflow gives paths below the current folder.
    const here = (path: string): string => relative(Deno.cwd(), path);
    makeRelease(here(join(folder, "programs")), here(out), here(key));
    await using server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
      const name = new URL(request.url).pathname.split("/").at(-1) ?? "";
      const bytes = await Deno.readFile(join(out, name)).catch(() => undefined);
      return new Response(bytes, { status: bytes === undefined ? 404 : 200 });
    });
    const home = join(folder, "home");
    Deno.mkdirSync(home);
    const address = `http://127.0.0.1:${server.addr.port}/releases`;
    await test({ out, home, address });
  });
}

/** A release that is served. */
export interface Release {
  out: string;
  home: string;
  address: string;
}

/** Lists the files below a folder. */
export function filesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesIn(join(folder, name)).map((one) => `${name}/${one}`) : [name]
  ).sort();
}
