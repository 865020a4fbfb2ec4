/** Converts URLs of files to paths. */
import { percentDecoded } from "../../../core/event/attachment.ts";

const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)$/is;
/** Matches the data folder of an editor's server on a remote machine, such as `.vscode-server`. */
const SERVER_FOLDER = /[\\/](?:\.[\w-]+-server(?:-[\w-]+)?|code-server)[\\/]/;

/**
 * Returns the path in a file's URL. Undefined for a text that is not a URL. URLs from Windows and
 * WSL give Windows paths on every system. URLs with other schemes, such as those of a remote
 * machine, are returned unchanged.
 *
 * @param told_in The path of the file that contains the URL. If that file is in the folder of an
 * editor's server, remote URLs denote files on this machine.
 */
export function pathInUrl(address: unknown, told_in = ""): string | undefined {
  if (typeof address !== "string") return undefined;
  const [, scheme = "", host = "", encoded] = ADDRESS.exec(address) ?? [];
  if (encoded === undefined) return undefined;
  const path = percentDecoded(encoded);
  const is_remote = scheme.toLowerCase() === "vscode-remote";
  if (is_remote && SERVER_FOLDER.test(told_in)) return path;
  const [, system] = (is_remote && /^wsl\+(.+)$/i.exec(percentDecoded(host))) || [];
  if (system !== undefined) return shareOf(`wsl.localhost/${system}`, path);
  if (scheme.toLowerCase() !== "file") return address;
  if (host !== "" && host !== "localhost") return shareOf(host, path);
  return /^\/[a-z]:/i.test(path) ? path.slice(1).replaceAll("/", "\\") : path;
}

function shareOf(host: string, path: string): string {
  return `//${host}${path}`.replaceAll("/", "\\");
}
