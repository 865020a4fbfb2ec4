/**
 * Writes the file that starts a watch when the user logs in. The file is a unit for systemd, a
 * property list for launchd, or a task for Windows' Task Scheduler.
 */
import type { CommandLine } from "./setup_item.ts";

export type ServiceManager = "systemd" | "launchd" | "schtasks";

interface ServiceOptions {
  /** Part of the service's name: `backup` gives `reprise.backup`. */
  name: string;
  description: string;
  /** The program and its arguments; the program as an absolute path. */
  command: CommandLine;
  variables?: Readonly<Record<string, string>>;
  /** For launchd: path of the file for the program's errors. systemd has a journal. */
  log?: string;
  /** For Windows: the user with the domain. A task for all users would need an administrator. */
  user?: string;
}

export interface ServiceCommands {
  /** Starts the service; restarts it if it runs. */
  starts: CommandLine;
  stops: CommandLine;
  /** Succeeds while the service runs. */
  asks: CommandLine;
}

export function serviceUnit(manager: ServiceManager, options: ServiceOptions): string {
  return UNITS[manager](options);
}

const UNITS: Readonly<Record<ServiceManager, (options: ServiceOptions) => string>> = {
  ...{ systemd: systemdUnit, launchd: launchdList, schtasks: windowsTask },
};

/** Returns the commands that control a service whose unit file is at `path`. */
export function serviceCommands(
  manager: ServiceManager,
  { name, path }: { name: string; path: string },
): ServiceCommands {
  const [label, unit] = [`reprise.${name}`, `reprise-${name}`];
  if (manager === "systemd") {
    const systemctl = (...verb: string[]): CommandLine => ["systemctl", "--user", ...verb, unit];
    return {
      starts: systemctl("enable", "--now"),
      stops: systemctl("disable", "--now"),
      asks: systemctl("is-active", "--quiet"),
    };
  }
  if (manager === "launchd") {
    const domain = 'd="gui/$(id -u)"; ';
    const bootout = 'launchctl bootout "$d/$0"';
    return {
      // A service that is loaded cannot be loaded once more.
      starts: [
        ...["/bin/sh", "-c", `${domain}${bootout} 2>/dev/null; exec launchctl bootstrap "$d" "$1"`],
        ...[label, path],
      ] as unknown as CommandLine,
      stops: ["/bin/sh", "-c", `${domain}exec ${bootout}`, label],
      asks: ["launchctl", "list", label],
    };
  }
  // The state as a number of `schtasks /Query` is in the user's language.
  const state = `(Get-ScheduledTask -TaskName ${unit}).State`;
  return {
    starts: ["schtasks", "/Create", "/F", "/TN", unit, "/XML", path],
    stops: ["cmd", "/d", "/c", `schtasks /End /TN ${unit} & schtasks /Delete /F /TN ${unit}`],
    asks: ["powershell", "-NoProfile", "-Command", `exit [int](${state} -ne 'Running')`],
  };
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

function launchdList({ name, command, variables = {}, log }: ServiceOptions): string {
  const words = command.map((word) => `    <string>${xmlText(word)}</string>`).join("\n");
  const pairs = Object.entries(variables).map(([name, value]) =>
    `    <key>${xmlText(name)}</key>\n    <string>${xmlText(value)}</string>`
  ).join("\n");
  const environment = pairs === ""
    ? ""
    : `  <key>EnvironmentVariables</key>\n  <dict>\n${pairs}\n  </dict>\n`;
  const errors = log === undefined
    ? ""
    : `  <key>StandardErrorPath</key>\n  <string>${xmlText(log)}</string>\n`;
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
${environment}${errors}  <key>RunAtLoad</key>
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

/**
 * Returns a task that starts at registration and at each logon of the user. `cmd` sets variables,
 * because Task Scheduler cannot. `conhost --headless` prevents a window.
 */
function windowsTask({ description, command, variables = {}, user }: ServiceOptions): string {
  const sets = Object.entries(variables).map(([name, value]) => `set "${name}=${value}"&&`);
  const line = command.map(windowsWord).join(" ");
  const given = sets.length === 0 ? line : `cmd.exe /d /s /c "${sets.join("")}${line}"`;
  const owner = user === undefined ? "" : `\n      <UserId>${asciiXml(user)}</UserId>`;
  return `<?xml version="1.0"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Description>${asciiXml(description)}</Description>
  </RegistrationInfo>
  <Triggers>
    <LogonTrigger>${owner}
    </LogonTrigger>
    <RegistrationTrigger />
  </Triggers>
  <Principals>
    <Principal id="Author">${owner}
      <LogonType>InteractiveToken</LogonType>
      <RunLevel>LeastPrivilege</RunLevel>
    </Principal>
  </Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure>
      <Interval>PT1M</Interval>
      <Count>255</Count>
    </RestartOnFailure>
  </Settings>
  <Actions Context="Author">
    <Exec>
      <Command>conhost.exe</Command>
      <Arguments>--headless ${asciiXml(given)}</Arguments>
    </Exec>
  </Actions>
</Task>
`;
}

/** Quotes an argument by the rules of Windows' C runtime. */
function windowsWord(word: string): string {
  if (/^[^\s"&|<>^()%!]+$/.test(word)) return word;
  return `"${word.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, "$&$&")}"`;
}

/** Returns XML with only ASCII characters: `schtasks` reads other characters by the code page. */
function asciiXml(text: string): string {
  return Array.from(xmlText(text), (char) => {
    const code = char.codePointAt(0) ?? 0;
    return code < 0x7f ? char : `&#${code};`;
  }).join("");
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
