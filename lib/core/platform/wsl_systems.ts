/** Lists WSL's systems on Windows. Their share, `\\wsl.localhost`, opens each of them and lists none. */
import { builtin } from "./runtime.ts";

/** Maximum milliseconds to wait for `wsl`. A sleeping system need not wake up only to be listed. */
const PATIENCE_MS = 3000;

/** Returns the names in the output of `wsl --list --quiet`: lines of UTF-16. */
export function systemsIn(output: Uint8Array): string[] {
  return new TextDecoder("utf-16le").decode(output).split(/[\r\n\0]+/)
    .filter((name) => name !== "");
}

/** Returns the names of WSL's systems; none without WSL. */
export function wslSystems(): string[] {
  const { spawnSync } = builtin("node:child_process");
  const { stdout, status } = spawnSync("wsl.exe", ["--list", "--quiet"], {
    ...{ timeout: PATIENCE_MS, windowsHide: true },
    stdio: ["ignore", "pipe", "ignore"],
  });
  return status === 0 ? systemsIn(stdout) : [];
}
