/** The environment that tests run in: what an agent or Reprise would read of the user's is not there. */

/** How tests are run, and where programs, packages and temporary files are. */
const KEPT = new Set([
  // Steer tests.
  "CI",
  "REPRISE_BIN",
  "REPRISE_CLIENTS_CACHE",
  "REPRISE_FEW_ROUNDS",
  "REPRISE_MARKDOWN_DOCUMENTS",
  "REPRISE_MARKDOWN_SEED",
  "REPRISE_SAMPLES",
  "REPRISE_SECRETS_SEED",
  "REPRISE_SEED",
  "REPRISE_SIZES",
  "REPRISE_TORTURE",
  // The system's.
  "HOME",
  "LANG",
  "LOGNAME",
  "PATH",
  "PGBIN",
  "SHELL",
  "TEMP",
  "TERM",
  "TMP",
  "TMPDIR",
  "USER",
  // Packages by way of a proxy, with its certificate.
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NODE_EXTRA_CA_CERTS",
  "NO_PROXY",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
  // Windows starts no program without these.
  "APPDATA",
  "COMSPEC",
  "LOCALAPPDATA",
  "PATHEXT",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
]);
/** Deno's own settings, and npm's. */
const KEPT_PREFIX = /^(?:DENO_|NPM_CONFIG_)/;

/** The variables of an environment that tests get. */
export function testEnvironment(
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => {
      const upper = name.toUpperCase();
      return KEPT.has(upper) || KEPT_PREFIX.test(upper);
    }),
  );
}
