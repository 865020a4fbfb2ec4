/** Lists the models of a server. */
import { countOf, defined, listOf, objectOf, textOf } from "../json_object.ts";
import { readAtMost } from "./bounded_body.ts";
import { fetchAtOrigin } from "./fetch_at_origin.ts";

/** A model that a server names. */
export interface ServedModel {
  name: string;
  /** Tokens that its window holds, where the server tells. */
  context_limit?: number;
}

const OLLAMA_PORT = 11434;
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** The models of a server that speaks as OpenAI does; undefined when it does not answer in time. */
export async function listModels(
  base_url: string,
  api_key: string | undefined,
  patience_ms: number,
): Promise<ServedModel[] | undefined> {
  try {
    const url = `${base_url.replace(/\/+$/, "")}/models`;
    const response = await fetchAtOrigin(url, {
      headers: api_key === undefined ? {} : { authorization: `Bearer ${api_key}` },
      signal: AbortSignal.timeout(patience_ms),
    });
    if (!response.ok) {
      await response.body?.cancel();
      return undefined;
    }
    const list: unknown = JSON.parse(await readAtMost(response, MAX_LIST_BYTES, patience_ms));
    return listOf(objectOf(list).data).flatMap(servedModel);
  } catch {
    // Nobody there, no answer in time, one that is no list, or one of another server.
    return undefined;
  }
}

function servedModel(value: unknown): ServedModel[] {
  const model = objectOf(value);
  const name = textOf(model.id);
  if (name === undefined || name === "") return [];
  const context_limit = countOf(model.context_length) ?? countOf(model.max_model_len);
  return [{ name, ...defined({ context_limit }) }];
}

/** Where Ollama listens, as `OLLAMA_HOST` says in one of its many forms. */
export function ollamaUrl(host: string | undefined): string {
  const told = host?.trim() ?? "";
  try {
    const url = new URL(/^https?:\/\//.test(told) ? told : `http://${told || "127.0.0.1"}`);
    // The address of all interfaces is one to listen at, not one to talk to.
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    const own_port = /:\d+\/?$/.test(told);
    if (!own_port && url.protocol === "http:") url.port = String(OLLAMA_PORT);
    return `${url.origin}/v1`;
  } catch {
    return `http://127.0.0.1:${OLLAMA_PORT}/v1`;
  }
}
