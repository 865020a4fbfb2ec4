/** What a test needs that a machine may not have. */

/** Something that is there or missing. */
export interface Requirement {
  /** Its name, behind "needs". */
  what: string;
  /** How to get it. */
  get: string;
  /** True where it is there. */
  met: boolean;
}

/** The name of a test, and whether it is left out: then its name says what is missing and how to get it. */
export function needing(
  name: string,
  ...requirements: readonly Requirement[]
): { name: string; ignore: boolean } {
  const missing = requirements.find(({ met }) => !met);
  if (missing === undefined) return { name, ignore: false };
  return { name: `${name} (needs ${missing.what}: ${missing.get})`, ignore: true };
}

/** Signals, modes and pipes. */
export const UNIX: Requirement = {
  what: "Linux or macOS",
  get: "run the tests there",
  met: Deno.build.os !== "windows",
};

/** Files below `/proc` and `/dev`. */
export const LINUX: Requirement = {
  what: "Linux",
  get: "run the tests there",
  met: Deno.build.os === "linux",
};

/** Sessions of real agents, which are not part of the repository. */
export function recorded(met: boolean): Requirement {
  const get = "they are not published; REPRISE_SAMPLES names their folder";
  return { what: "recorded sessions", get, met };
}

/** A program of the system, and the package that has it. */
export function program(name: string, package_name = name): Requirement {
  return { what: name, get: `apt install ${package_name}`, met: runs(name) };
}

function runs(name: string): boolean {
  try {
    const args = ["--version"];
    return new Deno.Command(name, { args, stdin: "null", stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    // Not installed.
    return false;
  }
}
