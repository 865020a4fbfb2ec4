/** The public interface as `deno doc` sees it: the entries of the package and their names. */
import { fileURLToPath } from "node:url";
import { ROOT } from "./source_code.ts";

/** A declaration of `deno doc --json`, as far as it is looked at. */
export interface Declaration {
  kind: string;
  location: { filename: string };
  jsDoc?: { doc?: string; tags?: { kind: string; doc?: string }[] };
  def?: unknown;
}

/** A name that an entry exports. */
export interface PublicName {
  name: string;
  declarations: Declaration[];
}

/** An entry of the package: its name in deno.json, its path, and its names. */
export interface Entry {
  name: string;
  path: string;
  names: PublicName[];
}

/** The file that declares a name, from the project's root. */
export function fileOf({ declarations }: PublicName): string {
  return declarations[0]?.location.filename.slice(ROOT.href.length) ?? "";
}

async function namesOf(path: string): Promise<PublicName[]> {
  const args = ["doc", "--json", fileURLToPath(new URL(path, ROOT))];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as {
    nodes: Record<string, { symbols: PublicName[] }>;
  };
  return Object.values(nodes).flatMap(({ symbols }) => symbols);
}

/** Reads the documentation of all entries. */
export async function publicInterface(): Promise<Entry[]> {
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))) as {
    exports: Record<string, string>;
  };
  return await Promise.all(
    Object.entries(exports).map(async ([name, path]) => {
      return { name, path, names: await namesOf(path) };
    }),
  );
}
