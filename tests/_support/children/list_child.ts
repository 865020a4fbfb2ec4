/** A program that lists a store and tells rows and errors as one line of JSON. */
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { openStore } from "../../../lib/core/store/open_store.ts";

/** What the program tells. */
export interface Listed {
  rows: { title: string; status: string }[];
  errors: { code: string; message: string }[];
}

async function list(root: string): Promise<Listed> {
  const errors: Listed["errors"] = [];
  const onError = ({ code, message }: SessionError): void => void errors.push({ code, message });
  try {
    const rows = await openStore({ root }).list({ onError });
    return { rows: rows.map(({ title, status }) => ({ title, status })), errors };
  } catch (error) {
    if (error instanceof SessionError) onError(error);
    else errors.push({ code: "untyped", message: String(error) });
    return { rows: [], errors };
  }
}

if (import.meta.main) {
  const told = JSON.stringify(await list(Deno.args[0] ?? ""));
  await Deno.stdout.write(new TextEncoder().encode(told + "\n"));
}
