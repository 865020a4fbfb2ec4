/** An `sftp` that reaches a server of this machine without ssh: for tests of paths of other hosts. */
import { join } from "node:path";
import type { Requirement } from "./needing.ts";

const SERVERS = [
  "/usr/lib/openssh/sftp-server",
  "/usr/libexec/openssh/sftp-server",
  "/usr/libexec/sftp-server",
];

function isFile(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
}

const SERVER = SERVERS.find(isFile);
const CLIENT = (Deno.env.get("PATH") ?? "").split(":").map((folder) => join(folder, "sftp"))
  .find(isFile);

/** The client and the server of OpenSSH. */
export const SFTP: Requirement = {
  what: "OpenSSH's sftp and its server",
  get: "apt-get install openssh-client openssh-sftp-server",
  met: SERVER !== undefined && CLIENT !== undefined,
};

/** Arguments by which sftp talks to a server that it starts. */
export const SFTP_TARGET: readonly string[] = ["-D", SERVER ?? ""];

/** Puts a program `sftp` into a folder for `PATH`, which takes every host for this machine. */
export function makeSftp(folder: string): void {
  const path = join(folder, "sftp");
  Deno.writeTextFileSync(path, `#!/bin/sh\nexec ${CLIENT} -b - -D ${SERVER}\n`);
  Deno.chmodSync(path, 0o755);
}
