/** Returns the message of an error. What is thrown and no error is written as text. */
export function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
