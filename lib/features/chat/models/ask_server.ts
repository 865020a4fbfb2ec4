/** Sends one request to a model's server and returns the outcome, for every provider's client. */
import type { CompletionOptions, ModelResponse } from "./model.ts";
import { type OpenStream, postForEvents } from "./event_source.ts";
import { ModelError } from "./model_error.ts";
import { AnswerDraft } from "./answer_draft.ts";
import { SentKeys } from "./sent_keys.ts";

interface ServerRequest {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  /** The key in the headers; absent if the server needs none. */
  api_key?: string | undefined;
  /** Name of the environment variable with the server's address. */
  setting: string;
  idle_ms?: number | undefined;
}

/**
 * Sends a request. `read` parses the answer's stream into a draft.
 *
 * @throws {ModelError} On any failure, with the partial answer and without the key.
 */
export async function askServer(
  { api_key = "", body, ...request }: ServerRequest,
  { signal, onDelta }: CompletionOptions,
  read: (stream: OpenStream, draft: AnswerDraft) => Promise<ModelResponse>,
): Promise<ModelResponse> {
  const json = JSON.stringify(body);
  const keys = new SentKeys([api_key, ...passwordsIn(request.url)], json);
  const draft = new AnswerDraft(onDelta, keys);
  try {
    const stream = await postForEvents({ ...request, body: json, signal });
    return keys.inResponse(await read(stream, draft));
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { code, message, data, cause } = error;
    const told = { ...data, partial: draft.partial() };
    throw new ModelError(code, keys.inMessage(message), told, cause);
  }
}

/** Returns the password in an address, in all forms in which it is sent. */
function passwordsIn(url: string): string[] {
  const { username, password } = URL.parse(url) ?? { username: "", password: "" };
  if (password === "") return [];
  const [name, secret] = [decodeURIComponent(username), decodeURIComponent(password)];
  return [password, secret, btoa(`${name}:${secret}`)];
}
