/** The programs `age` and `age-keygen`, where they are installed: what they write and read is the form. */
import type { Requirement } from "./needing.ts";

function hasProgram(name: string): boolean {
  try {
    return new Deno.Command(name, { args: ["--version"], stdout: "null", stderr: "null" })
      .outputSync().success;
  } catch {
    return false;
  }
}

/** True where `age` and `age-keygen` can be run; tests that need them are ignored elsewhere. */
export const HAS_AGE: boolean = hasProgram("age") && hasProgram("age-keygen");

/** Runs `age` with bytes on stdin; returns what it wrote, and throws with what it said. */
export async function runAge(args: string[], input: Uint8Array): Promise<Uint8Array> {
  const options = { args, stdin: "piped", stdout: "piped", stderr: "piped" } as const;
  const child = new Deno.Command("age", options).spawn();
  const writer = child.stdin.getWriter();
  const fed = writer.write(input).then(() => writer.close()).catch(() => {
    // It refused the file before it had read all of it.
  });
  const { success, stdout, stderr } = await child.output();
  await fed;
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return stdout;
}

/** Makes a file of an identity with `age-keygen`; returns its recipient. */
export async function ageKeygen(path: string): Promise<string> {
  const { stderr } = await new Deno.Command("age-keygen", { args: ["-o", path] }).output();
  const [, recipient] = /public key: (age1\S+)/i.exec(new TextDecoder().decode(stderr)) ?? [];
  if (recipient === undefined) throw new Error("age-keygen named no public key");
  return recipient;
}

/** The program that encrypted files are compared with. */
export const AGE: Requirement = { what: "age", get: "bash .ci/servers", met: HAS_AGE };
