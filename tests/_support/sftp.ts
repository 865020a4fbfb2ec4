/** A server of ssh on this machine: its own keys and settings, and real logins by key. */
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import type { Requirement } from "./needing.ts";

function find(name: string, folders: readonly string[]): string | undefined {
  return folders.map((folder) => join(folder, name)).find((path) => {
    try {
      return Deno.statSync(path).isFile;
    } catch {
      return false;
    }
  });
}

const PATH = (Deno.env.get("PATH") ?? "").split(":");
// It starts by its absolute path alone.
const SSHD = find("sshd", ["/usr/sbin", "/usr/local/sbin", "/opt/homebrew/sbin"]);
const CLIENT = find("sftp", PATH);

/** The client and the server of OpenSSH. */
export const SFTP: Requirement = {
  what: "OpenSSH's sftp and sshd",
  get: "apt-get install openssh-client openssh-server",
  met: SSHD !== undefined && CLIENT !== undefined,
};

/** A server, and the settings of a user whom it knows. */
export interface SshServer {
  port: number;
  /** A folder with a program `sftp` for `PATH`, which has the user's settings. */
  programs: string;
  /** Arguments by which sftp reaches it. */
  target: readonly string[];
  /** The file of the hosts that the user knows: without it there is none. */
  known_hosts: string;
  /** The file of the keys that the server knows. */
  authorized_keys: string;
}

async function run(program: string, args: readonly string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args: [...args] }).output();
  if (!success) throw new Error(`${program}: ${new TextDecoder().decode(stderr)}`);
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return (listener.addr as Deno.NetAddr).port;
}

async function isListening(port: number): Promise<boolean> {
  try {
    (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    return true;
  } catch {
    return false;
  }
}

/** Runs a test with a server. @param has_sftp False for one that allows logins, and no sftp. */
export async function withSshServer(
  test: (server: SshServer) => Promise<void>,
  { has_sftp = true }: { has_sftp?: boolean } = {},
): Promise<void> {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "reprise-ssh-" }));
  const place = (name: string): string => join(folder, name);
  for (const name of ["host", "user"]) {
    await run("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", place(name)]);
  }
  const [known_hosts, authorized_keys] = [place("known_hosts"), place("authorized_keys")];
  Deno.writeTextFileSync(known_hosts, `test ${Deno.readTextFileSync(place("host.pub"))}`);
  Deno.copyFileSync(place("user.pub"), authorized_keys);
  const port = freePort();
  const settings = {
    ...{ Port: port, ListenAddress: "127.0.0.1", HostKey: place("host"), PidFile: "none" },
    ...{ AuthorizedKeysFile: authorized_keys, StrictModes: "no", PermitRootLogin: "yes" },
    ...{ PasswordAuthentication: "no", KbdInteractiveAuthentication: "no", UsePAM: "no" },
    ...(has_sftp && { Subsystem: "sftp internal-sftp" }),
  };
  const lines = (given: object): string =>
    Object.entries(given).map(([name, value]) => `${name} ${value}\n`).join("");
  Deno.writeTextFileSync(place("sshd_config"), lines(settings));
  const client = {
    ...{ IdentityFile: place("user"), IdentitiesOnly: "yes", IdentityAgent: "none" },
    // The usual ones are safe from computers to come, and take several times as long.
    ...{ KexAlgorithms: "curve25519-sha256" },
    // Also behind a proxy, which has another port.
    ...{ HostKeyAlias: "test", UserKnownHostsFile: known_hosts, GlobalKnownHostsFile: "none" },
  };
  Deno.writeTextFileSync(place("ssh_config"), lines(client));
  const programs = place("bin");
  Deno.mkdirSync(programs);
  const script = `#!/bin/sh\nexec ${CLIENT} -F ${place("ssh_config")} "$@"\n`;
  Deno.writeTextFileSync(join(programs, "sftp"), script, { mode: 0o755 });
  // As root it needs this folder, which its service makes.
  if (Deno.uid() === 0) Deno.mkdirSync("/run/sshd", { recursive: true });
  const server = new Deno.Command(SSHD ?? "", {
    args: ["-D", "-f", place("sshd_config")],
    ...{ stdin: "null", stdout: "null", stderr: "null" },
  }).spawn();
  try {
    await eventually(() => isListening(port));
    const target = ["-F", place("ssh_config"), "-P", `${port}`, "--", "127.0.0.1"];
    await test({ port, programs, target, known_hosts, authorized_keys });
  } finally {
    try {
      server.kill("SIGTERM");
    } catch {
      // It did not start.
    }
    await server.status;
    Deno.removeSync(folder, { recursive: true });
  }
}
