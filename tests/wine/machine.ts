/**
 * A machine with Windows' interface: Wine and `deno.exe` in a Debian of their own, which is made where
 * the folder is empty. Needs root, `debootstrap` and npm.
 */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT, sourcesIn } from "../_support/source_code.ts";

/** The newest 2.7 of this package. */
const DENO = "@deno/win32-x64@2.7.7";
const DEBIAN = ["trixie", "http://deb.debian.org/debian"];
/** Only this process sees what is mounted. One process at a time, behind all others: Wine is busy. */
const ENTER =
  'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" "$@"';
const SOURCES = "/src";

/** How a program ended under Wine. */
export interface WineResult {
  /** 124 or 137 where its time was over. */
  status: number;
  stdout: string;
  stderr: string;
}

/** What a program gets. */
export interface WineOptions {
  /** Most seconds that it may take. */
  seconds: number;
  /** The working directory, below the root. @default {the sources} */
  cwd?: string;
  variables?: Readonly<Record<string, string>>;
}

/** A Debian with Wine. */
export class WineMachine {
  /** The folder on this machine. */
  readonly root: string;

  constructor(folder: string) {
    this.root = resolve(folder);
  }

  /** Makes what is not there yet, and takes over the sources as they are now. */
  async make(test_files: readonly string[]): Promise<void> {
    if (!existsSync(this.at("/usr/bin/wine-stable"))) {
      const packages = "--include=wine,wine64,ca-certificates";
      await here("debootstrap", "--variant=minbase", packages, DEBIAN[0], this.root, DEBIAN[1]);
      // Wine sets `USERPROFILE` itself, to the profile of this user's name.
      const users = this.at("/etc/passwd");
      Deno.writeTextFileSync(users, Deno.readTextFileSync(users).replace(/^root:/, "ada:"));
    }
    if (!existsSync(this.at("/opt/package/deno.exe"))) {
      const folder = this.at("/opt");
      await here("npm", "pack", "--silent", "--pack-destination", folder, DENO);
      const [name = ""] = Array.from(Deno.readDirSync(folder), ({ name }) => name)
        .filter((name) => name.endsWith(".tgz"));
      await here("tar", "-xzf", join(folder, name), "-C", folder);
      Deno.removeSync(join(folder, name));
    }
    await this.#takeSources();
    await this.#takePackages(test_files);
    if (!existsSync(this.at("/wine/drive_c"))) {
      await this.start(["wineboot", "-i"], { seconds: 300 });
    }
  }

  /** The path on this machine of one below the root. */
  at(path: string): string {
    return join(this.root, path);
  }

  /** Runs `deno.exe`. */
  deno(args: readonly string[], options: WineOptions): Promise<WineResult> {
    return this.start(["wine", "/opt/package/deno.exe", ...args], options);
  }

  #runs = 0;

  /** Runs a program. Its output goes to files: Wine's services would hold a pipe open. */
  async start(
    words: readonly string[],
    { seconds, cwd = SOURCES, variables = {} }: WineOptions,
  ): Promise<WineResult> {
    const given = Object.entries({
      ...{ PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", TZ: "UTC" },
      ...{ WINEPREFIX: "/wine", WINEDEBUG: "-all", XDG_RUNTIME_DIR: "/tmp" },
      ...{ DENO_DIR: "Z:\\deno-dir", DENO_NO_UPDATE_CHECK: "1", NO_COLOR: "1" },
      ...variables,
    }).map(([name, value]) => `${name}=${value}`);
    const script = 'cd "$0" && exec timeout -k 1 "$@" >"$OUT" 2>"$ERR" </dev/null';
    const files = ["out", "err"].map((name) => `/tmp/${Deno.pid}-${this.#runs}-${name}`);
    this.#runs += 1;
    const { code } = await new Deno.Command("nice", {
      args: [
        ...["-n", "10", "unshare", "-m", "sh", "-c", ENTER, this.root],
        ...[
          "env",
          "-i",
          ...given,
          `OUT=${files[0]}`,
          `ERR=${files[1]}`,
          "sh",
          "-c",
          script,
          cwd,
          String(seconds),
          ...words,
        ],
      ],
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).output();
    const [stdout, stderr] = files.map((path) => {
      const bytes = Deno.readFileSync(this.at(path));
      Deno.removeSync(this.at(path));
      return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
    });
    return { status: code, stdout: stdout ?? "", stderr: stderr ?? "" };
  }

  /** Ends Wine's services. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.start(["wineserver", "-k"], { seconds: 20, cwd: "/" });
  }

  async #takeSources(): Promise<void> {
    const cwd = fileURLToPath(ROOT);
    const { stdout } = await new Deno.Command("git", {
      args: ["ls-files", "-z", "--cached", "--others", "--exclude-standard"],
      cwd,
    }).output();
    const to = this.at(SOURCES);
    await Deno.remove(to, { recursive: true }).catch(() => {/* the first time */});
    for (const path of new TextDecoder().decode(stdout).split("\0")) {
      if (path === "" || !existsSync(join(cwd, path))) continue;
      await Deno.mkdir(dirname(join(to, path)), { recursive: true });
      await Deno.copyFile(join(cwd, path), join(to, path));
    }
  }

  /** Packages are fetched here: there, nothing is reached. */
  async #takePackages(test_files: readonly string[]): Promise<void> {
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["cache", "--quiet", "--no-lock", "main.ts", ...test_files],
      cwd: fileURLToPath(ROOT),
      env: { DENO_DIR: this.at("/deno-dir") },
      stdin: "null",
    }).output();
    if (!success) throw new Error("Cannot fetch the packages of the tests");
  }
}

async function here(program: string, ...args: (string | undefined)[]): Promise<void> {
  const words = args.filter((word) => word !== undefined);
  const { success } = await new Deno.Command(program, { args: words, stdin: "null" }).output();
  if (!success) throw new Error(`Cannot run ${program} ${words.join(" ")}`);
}

/** The test files of some folders, from the root of the repository. */
export function testFilesIn(folders: readonly string[]): string[] {
  return folders.flatMap((folder) => sourcesIn(folder).map(([path]) => path))
    .filter((path) => path.endsWith("_test.ts")).sort();
}
