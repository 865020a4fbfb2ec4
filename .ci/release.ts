/**
 * Makes all files of a release from the programs of its targets: `release.ts PROGRAMS OUT`. PROGRAMS
 * has a folder for each target, with what goes into its archive. One table says what there is.
 *
 * OUT gets archives, SHA256SUMS, an SBOM, the install scripts, a Homebrew formula, and manifests for
 * scoop and winget. `RELEASE_KEY` names the file of an ed25519 key of SSH, which signs SHA256SUMS.
 */
import { createHash } from "node:crypto";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { zipSync } from "npm:fflate@0.8.2";
import configuration from "../deno.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../", import.meta.url));
/** Where releases can be downloaded. */
const ADDRESS = Deno.env.get("RELEASE_ADDRESS") ?? "https://github.com/reprise/reprise/releases";
const HOMEPAGE = ADDRESS.replace(/\/releases$/, "");
const DESCRIPTION = "Finds, reads and continues the sessions of coding agents";
const { version, license } = configuration;

/** A target of the compiler, and its archive. */
interface Target {
  triple: string;
  archive: "tar.gz" | "zip";
  /** The name of the target in a Homebrew formula. */
  brew?: string;
}

/** The targets of a release. */
export const TARGETS: readonly Target[] = [
  { triple: "x86_64-unknown-linux-gnu", archive: "tar.gz", brew: "linux intel" },
  { triple: "aarch64-unknown-linux-gnu", archive: "tar.gz", brew: "linux arm" },
  { triple: "x86_64-apple-darwin", archive: "tar.gz", brew: "macos intel" },
  { triple: "aarch64-apple-darwin", archive: "tar.gz", brew: "macos arm" },
  { triple: "x86_64-pc-windows-msvc", archive: "zip" },
];

function archiveName({ triple, archive }: Target): string {
  return `reprise-${triple}.${archive}`;
}

function run(program: string, args: readonly string[], cwd: string): void {
  const { success, stderr } = new Deno.Command(program, { args: [...args], cwd }).outputSync();
  if (!success) {
    throw new Error(`Cannot run ${program}: ${new TextDecoder().decode(stderr).trim()}`);
  }
}

/** Packs a folder; the same files give the same bytes. */
function pack(target: Target, folder: string, out: string): void {
  const path = join(out, archiveName(target));
  const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  if (target.archive === "zip") {
    const files = names.map((name) => [name, Deno.readFileSync(join(folder, name))]);
    Deno.writeFileSync(path, zipSync(Object.fromEntries(files), { mtime: "1980-01-01" }));
    return;
  }
  const owner = ["--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "--mode=u=rwX,go=rX"];
  run("tar", ["--sort=name", ...owner, "-cf", path.replace(/\.gz$/, ""), ...names], folder);
  run("gzip", ["-9", "--no-name", "--force", path.replace(/\.gz$/, "")], out);
}

function checksum(path: string): string {
  return createHash("sha256").update(Deno.readFileSync(path)).digest("hex");
}

/** Lists the packages of the program, as CycloneDX 1.6. */
function billOfMaterials(): string {
  const lock = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.lock"))) as {
    npm: Record<string, { integrity: string }>;
  };
  const components = Object.entries(lock.npm).map(([key, { integrity }]) => {
    const [, name = "", version = ""] = /^(@?[^@]+)@([^_]+)/.exec(key) ?? [];
    const content = Uint8Array.fromBase64(integrity.replace("sha512-", ""));
    return {
      type: "library",
      name,
      version,
      purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
      hashes: [{ alg: "SHA-512", content: content.toHex() }],
    };
  });
  const component = { type: "application", name: "reprise", version };
  const bill = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1 };
  return JSON.stringify({ ...bill, metadata: { component }, components }, undefined, 2) + "\n";
}

/** Makes a formula of Homebrew. */
function brewFormula(sums: ReadonlyMap<string, string>): string {
  const blocks = Map.groupBy(
    TARGETS.filter(({ brew }) => brew !== undefined),
    ({ brew }) => brew?.split(" ")[0] ?? "",
  );
  const systems = [...blocks].map(([system, targets]) => {
    const machines = targets.map((target) => {
      const name = archiveName(target);
      return `    on_${target.brew?.split(" ")[1]} do
      url "${ADDRESS}/download/v${version}/${name}"
      sha256 "${sums.get(name)}"
    end`;
    });
    return `  on_${system} do\n${machines.join("\n")}\n  end`;
  });
  return `class Reprise < Formula
  desc "${DESCRIPTION}"
  homepage "${HOMEPAGE}"
  version "${version}"
  license "${license}"

${systems.join("\n\n")}

  def install
    bin.install "reprise"
    man1.install "reprise.1"
    bash_completion.install "reprise.bash" => "reprise"
    zsh_completion.install "_reprise"
    fish_completion.install "reprise.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/reprise --version")
  end
end
`;
}

const WINDOWS = TARGETS.find(({ archive }) => archive === "zip")!;

/** Makes a manifest of scoop. */
function scoopManifest(sums: ReadonlyMap<string, string>): string {
  const name = archiveName(WINDOWS);
  const architecture = {
    "64bit": { url: `${ADDRESS}/download/v${version}/${name}`, hash: sums.get(name) },
  };
  const manifest = { version, description: DESCRIPTION, homepage: HOMEPAGE, license };
  return JSON.stringify({ ...manifest, architecture, bin: "reprise.exe" }, undefined, 2) + "\n";
}

/** Makes a manifest of winget, as one file. */
function wingetManifest(sums: ReadonlyMap<string, string>): string {
  const name = archiveName(WINDOWS);
  return `PackageIdentifier: Reprise.Reprise
PackageVersion: ${version}
PackageLocale: en-US
Publisher: Reprise
PackageName: Reprise
License: ${license}
ShortDescription: ${DESCRIPTION}
Installers:
  - Architecture: x64
    InstallerType: zip
    NestedInstallerType: portable
    NestedInstallerFiles:
      - RelativeFilePath: reprise.exe
        PortableCommandAlias: reprise
    InstallerUrl: ${ADDRESS}/download/v${version}/${name}
    InstallerSha256: ${sums.get(name)?.toUpperCase()}
ManifestType: singleton
ManifestVersion: 1.6.0
`;
}

/** Makes the files of a release. */
export function makeRelease(programs: string, folder: string, key: string): void {
  // Programs run in other folders.
  const out = resolve(folder);
  // A new folder: a release has no file of an earlier one.
  Deno.mkdirSync(out);
  for (const target of TARGETS) pack(target, join(programs, target.triple), out);
  const public_key = Deno.readTextFileSync(`${key}.pub`).trim().split(" ").slice(0, 2).join(" ");
  for (const name of ["install.sh", "install.ps1"]) {
    const text = Deno.readTextFileSync(join(ROOT, ".ci", "install", name))
      .replaceAll("@ADDRESS@", ADDRESS).replaceAll("@KEY@", public_key);
    Deno.writeTextFileSync(join(out, name), text);
  }
  Deno.writeTextFileSync(join(out, "reprise.cdx.json"), billOfMaterials());
  const sums = new Map(TARGETS.map(archiveName).map((name) => [name, checksum(join(out, name))]));
  Deno.writeTextFileSync(join(out, "reprise.rb"), brewFormula(sums));
  Deno.writeTextFileSync(join(out, "reprise.json"), scoopManifest(sums));
  Deno.writeTextFileSync(join(out, "reprise.winget.yaml"), wingetManifest(sums));
  const names = [...Deno.readDirSync(out)].map(({ name }) => name).sort();
  const list = names.map((name) => `${checksum(join(out, name))}  ${name}\n`).join("");
  Deno.writeTextFileSync(join(out, "SHA256SUMS"), list);
  run("ssh-keygen", ["-Y", "sign", "-f", resolve(key), "-n", "reprise-release", "SHA256SUMS"], out);
}

if (import.meta.main) {
  const [programs, out] = Deno.args;
  const key = Deno.env.get("RELEASE_KEY");
  if (programs === undefined || out === undefined || key === undefined) {
    throw new Error(
      "Cannot make release: give RELEASE_KEY, the folder of programs, and one to make",
    );
  }
  makeRelease(programs, out, key);
}
