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

/** Reads the documentation of all entries. */
export async function publicInterface(): Promise<Entry[]> {
  const { exports } = JSON.parse(await Deno.readTextFile(new URL("deno.json", ROOT))) as {
    exports: Record<string, string>;
  };
  const urls = Object.values(exports).map((path) => new URL(path, ROOT));
  const args = ["doc", "--json", ...urls.map((url) => fileURLToPath(url))];
  const { stdout } = await new Deno.Command(Deno.execPath(), { args }).output();
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as {
    nodes: Record<string, { symbols: PublicName[] }>;
  };
  return Object.entries(exports).map(([name, path], index) => {
    return { name, path, names: nodes[urls[index]?.href ?? ""]?.symbols ?? [] };
  });
}
