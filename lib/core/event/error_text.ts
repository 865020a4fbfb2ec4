/** Returns the message of an error. A thrown value that is no `Error` is converted to text. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
