/** Turns addresses of files into paths. */
import { percentDecoded } from "../../../core/event/attachment.ts";

/** Matches a URL's scheme, host and path. */
const ADDRESS = /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)$/is;
/** Matches the folder in which a remote machine stores data of editors that connect to it. */
const SERVER_FOLDER = /[\\/](?:\.[\w-]+-server(?:-[\w-]+)?|code-server)[\\/]/;

/**
 * Returns the path in an address of a file. An address of Windows gives a path of Windows on every
 * system, and so does one of WSL. An address of another machine stays as it is, because its path is
 * none of this machine. Undefined for any other text.
 *
 * @param told_in The path that tells the address: in an editor's server, remote paths are its own.
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
