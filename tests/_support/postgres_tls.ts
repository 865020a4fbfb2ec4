/** TLS of a PostgreSQL server that tests share: its certificates, and those of members. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { eventually } from "./eventually.ts";
import type { Requirement } from "./needing.ts";
import type { PostgresServer } from "./postgres.ts";

async function openssl(folder: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command("openssl", { args, cwd: folder }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Whether certificates can be made. */
export const hasOpenssl: boolean = ["/usr/bin/openssl", "/usr/local/bin/openssl"].some((path) => {
  try {
    return Deno.statSync(path).isFile;
  } catch {
    return false;
  }
});

/** An RSA key takes ten times as long. */
const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/** Makes an authority, and a certificate of it for `localhost`. */
async function makeCertificates(folder: string): Promise<void> {
  const key = [...NEW_KEY, "-days", "2"];
  const authority = ["-keyout", "authority.key", "-out", "authority.pem", "-subj", "/CN=authority"];
  await openssl(folder, "req", "-x509", ...key, ...authority);
  const request = ["-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost"];
  await openssl(folder, "req", ...key, ...request);
  Deno.writeTextFileSync(join(folder, "names"), "subjectAltName=DNS:localhost\n");
  await openssl(folder, "x509", "-req", ...["-in", "server.csr", "-CA", "authority.pem"], ...[
    ...["-CAkey", "authority.key", "-CAcreateserial", "-days", "2"],
    ...["-extfile", "names", "-out", "server.pem"],
  ]);
  Deno.chmodSync(join(folder, "server.key"), 0o600);
}

/**
 * Makes a certificate by which a member logs in to a server with TLS. The server asks it for one.
 *
 * @param other Another member whom the server asks for a certificate, and who gets none.
 * @returns The files of the certificate and its key.
 */
export async function logInByCertificate(
  { authority, sql }: PostgresServer,
  member: string,
  other: string,
): Promise<{ certificate: string; key: string }> {
  const folder = authority.replace(/authority\.pem$/, "");
  const request = [...NEW_KEY, "-keyout", "member.key", "-out", "member.csr"];
  await openssl(folder, "req", ...request, "-subj", `/CN=${member}`);
  // Some runtimes read version 3 alone, which has extensions.
  Deno.writeTextFileSync(join(folder, "usage"), "extendedKeyUsage=clientAuth\n");
  await openssl(folder, "x509", "-req", ...["-in", "member.csr", "-CA", "authority.pem"], ...[
    ...["-CAkey", "authority.key", "-CAcreateserial", "-days", "2", "-out", "member.pem"],
    ...["-extfile", "usage"],
  ]);
  await sql(`create role ${member} login; create role ${other} login`);
  const rules = join(folder, "data", "pg_hba.conf");
  const rule = `hostssl all ${member},${other} 127.0.0.1/32 cert\n`;
  Deno.writeTextFileSync(rules, rule + Deno.readTextFileSync(rules));
  await sql("select pg_reload_conf()");
  const asked = `select count(*) from pg_hba_file_rules where auth_method = 'cert'`;
  await eventually(async () => (await sql(asked)).trim() === "1");
  return { certificate: join(folder, "member.pem"), key: join(folder, "member.key") };
}

/** Lets a server speak TLS. @returns What ends it. */
export async function speakTls(
  folder: string,
  { sql }: PostgresServer,
): Promise<AsyncDisposable> {
  const rules = join(folder, "data", "pg_hba.conf");
  const before = Deno.readTextFileSync(rules);
  if (!existsSync(join(folder, "server.pem"))) {
    await makeCertificates(folder);
    if (Deno.build.os !== "windows" && Deno.uid() === 0) await own(join(folder, "server.key"));
  }
  const reload = async (setting: "on" | "off"): Promise<void> => {
    await sql("select pg_reload_conf()");
    await eventually(async () => (await sql("show ssl")).trim() === setting);
  };
  const settings = {
    ssl_cert_file: "server.pem",
    ssl_key_file: "server.key",
    ssl_ca_file: "authority.pem",
  };
  for (const [name, file] of Object.entries(settings)) {
    await sql(`alter system set ${name} = '${join(folder, file)}'`);
  }
  await sql("alter system set ssl = on");
  await reload("on");
  return {
    [Symbol.asyncDispose]: async () => {
      Deno.writeTextFileSync(rules, before);
      await sql("alter system reset all");
      await reload("off");
    },
  };
}

/** Gives files to the user as whom the server runs. */
export async function own(...paths: readonly string[]): Promise<void> {
  await new Deno.Command("chown", { args: ["-R", "postgres", ...paths] }).output();
}

/** A certificate that a test makes. */
export const OPENSSL: Requirement = {
  what: "openssl",
  get: "apt install openssl",
  met: hasOpenssl,
};
