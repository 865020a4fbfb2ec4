/** The rules by which this machine reads paths. */
import { wslName } from "../platform/process.ts";
import { operatingSystem } from "../platform/runtime.ts";
import type { PathRules } from "./system_path.ts";

let known: PathRules | undefined;

export function pathRules(): PathRules {
  return known ??= {
    windows: operatingSystem === "windows",
    composes: operatingSystem === "darwin",
    wsl: wslName(),
  };
}
