import { toSessionError } from "../log/io_error.ts";

/** Whether anything has this name, be it a link that leads nowhere; `action` is what asks. */
export function exists(path: string, action: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw toSessionError(error, action, path);
  }
}
