/** Finds the folders of the XDG base directories. */
import { isAbsolute, join } from "node:path";

interface Home {
  home: string;
  variable(name: string): string | undefined;
}

/** Returns the folder in the variable `name` if it is absolute, else folder `usual` in the home. */
export function xdgFolder({ home, variable }: Home, name: string, usual: string): string {
  const folder = variable(name) ?? "";
  return isAbsolute(folder) ? folder : join(home, usual);
}
