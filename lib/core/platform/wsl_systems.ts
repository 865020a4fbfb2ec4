/** Lists the Linux systems of WSL. The share `\\wsl.localhost` opens each system but lists none. */
import { builtin } from "./runtime.ts";

/** Maximum milliseconds to wait for `wsl`. A listing is not worth waking a sleeping system. */
const PATIENCE_MS = 3000;

/** Parses the output of `wsl --list --quiet`, which has one name per line in UTF-16. */
export function systemsIn(output: Uint8Array): string[] {
  return new TextDecoder("utf-16le").decode(output).split(/[\r\n\0]+/)
    .filter((name) => name !== "");
}

export function wslSystems(): string[] {
  const { spawnSync } = builtin("node:child_process");
  const { stdout, status } = spawnSync("wsl.exe", ["--list", "--quiet"], {
    ...{ timeout: PATIENCE_MS, windowsHide: true },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? systemsIn(stdout) : [];
}
