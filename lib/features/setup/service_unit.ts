/** Writes what starts a watch with the user's session: a unit for systemd, a list for launchd. */

export type ServiceManager = "systemd" | "launchd";

interface ServiceOptions {
  /** Part of the service's name: `backup` gives `reprise.backup`. */
  name: string;
  /** Description of the service for people. */
  description: string;
  /** The program and its arguments; the program as an absolute path. */
  command: readonly [program: string, ...args: string[]];
  /** Environment variables that the program needs. */
  variables?: Readonly<Record<string, string>>;
}

/** Returns the text of a service that runs a command from the user's login on. */
export function serviceUnit(manager: ServiceManager, options: ServiceOptions): string {
  return manager === "systemd" ? systemdUnit(options) : launchdList(options);
}

function systemdUnit({ description, command, variables = {} }: ServiceOptions): string {
  const environment = Object.entries(variables)
    .map(([name, value]) => `Environment=${systemdWord(`${name}=${value}`)}\n`).join("");
  return `[Unit]
Description=${description}

[Service]
ExecStart=${command.map(systemdWord).join(" ")}
${environment}Restart=on-failure
RestartSec=10
Nice=10

[Install]
WantedBy=default.target
`;
}

/** Quotes a word for systemd, which gives `%`, `$` and backslashes a meaning of their own. */
function systemdWord(word: string): string {
  const safe = word.replaceAll("\\", "\\\\").replaceAll("%", "%%").replaceAll("$", "$$$$")
    .replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return /^[\w@%+=:,./-]+$/.test(safe) ? safe : `"${safe}"`;
}

function launchdList({ name, command, variables = {} }: ServiceOptions): string {
  const words = command.map((word) => `    <string>${xmlText(word)}</string>`).join("\n");
  const pairs = Object.entries(variables).map(([name, value]) =>
    `    <key>${xmlText(name)}</key>\n    <string>${xmlText(value)}</string>`
  ).join("\n");
  const environment = pairs === ""
    ? ""
    : `  <key>EnvironmentVariables</key>\n  <dict>\n${pairs}\n  </dict>\n`;
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>reprise.${name}</string>
  <key>ProgramArguments</key>
  <array>
${words}
  </array>
${environment}  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ProcessType</key>
  <string>Background</string>
</dict>
</plist>
`;
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
