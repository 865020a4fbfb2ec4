/**
 * Chooses the model of a chat: by the user's option, else by the environment.
 *
 * @module
 */
import { errorText } from "../../../core/event/error_text.ts";
import { SessionError } from "../../../../mod.ts";
import { readShortFile } from "../../../core/file/short_file.ts";
import { countOf, listOf, objectOf, textOf } from "../json_object.ts";
import { anthropicClient } from "./anthropic_client.ts";
import { fetchAtOrigin, readAtMost } from "./http.ts";
import { mockModel, parseMockScript } from "./mock_model.ts";
import type { ModelClient } from "./model.ts";
import { openAiClient } from "./openai_client.ts";
import { retrying, type RetryOptions } from "./retry.ts";

const SCRIPT_BYTES = 8 * 1024 * 1024;

export interface ModelChoice {
  /**
   * The model: `PROVIDER:NAME`, `PROVIDER` (`openai`, `anthropic`, `ollama`, `mock`) or `mock:FILE`
   * for a script. A bare name is a model of the provider that the environment names.
   */
  model?: string;
  variable: (name: string) => string | undefined;
  /** Size of the model's context window in tokens. Replaces the default or reported size. */
  context_limit?: number;
  /** Maximum number of tokens for the thinking of an Anthropic model. */
  thinking_tokens?: number;
  retry?: RetryOptions;
}

type Provider = "openai" | "anthropic" | "ollama" | "mock";

const PROVIDERS: readonly string[] = ["openai", "anthropic", "ollama", "mock"];
const OPENAI_URL = "https://api.openai.com/v1";
const OPENAI_MODEL = "gpt-5";
const ANTHROPIC_MODEL = "claude-sonnet-4-5";
/** Assumed window of Ollama, which does not report it and cuts longer requests silently. */
const OLLAMA_CONTEXT = 32_768;
const LIST_MS = 5000;
/** Milliseconds to wait for Ollama's list of models if no setting chooses a provider. */
const PROBE_MS = 600;

const WAYS = `Cannot choose a model: none is configured. Do one of these:
  set OPENAI_API_KEY, or OPENAI_BASE_URL for a server with OpenAI's API (and OPENAI_MODEL)
  set ANTHROPIC_API_KEY (and ANTHROPIC_MODEL)
  start Ollama with a model, here or at OLLAMA_HOST
Or try it offline with a scripted model: --model mock`;

/**
 * Chooses a model and returns its client, which retries temporary failures.
 *
 * @throws {SessionError} `invalid-config` with the ways to set a model, or with the fault in a
 * setting.
 */
export async function chooseModel(choice: ModelChoice): Promise<ModelClient> {
  const { provider, name } = wanted(choice.model);
  switch (provider ?? named(choice, name)) {
    case "mock":
      return mock(name, choice);
    case "anthropic":
      return anthropic(name, choice);
    case "openai":
      return await openAi(name, choice);
    case "ollama":
      return await ollama(name, choice, LIST_MS);
    default:
      return await ollama(name, choice, PROBE_MS);
  }
}

function wanted(model = ""): { provider?: Provider; name?: string } {
  const [, head = "", rest] = /^([^:]*)(?::([^]*))?$/.exec(model) ?? [];
  if (!PROVIDERS.includes(head)) return model === "" ? {} : { name: model };
  const provider = head as Provider;
  return rest === undefined || rest === "" ? { provider } : { provider, name: rest };
}

function named(choice: ModelChoice, name: string | undefined): Provider | undefined {
  const openai = isSet(choice, "OPENAI_API_KEY") || isSet(choice, "OPENAI_BASE_URL");
  const anthropic = isSet(choice, "ANTHROPIC_API_KEY") || isSet(choice, "ANTHROPIC_BASE_URL");
  if (openai && anthropic) return name?.startsWith("claude") ? "anthropic" : "openai";
  return openai ? "openai" : anthropic ? "anthropic" : undefined;
}

function isSet({ variable }: ModelChoice, name: string): boolean {
  return setVariable(variable, name) !== undefined;
}

/** Returns the trimmed value of a variable; undefined if it is unset or empty. */
function setVariable(variable: ModelChoice["variable"], name: string): string | undefined {
  const value = variable(name)?.trim();
  return value === "" ? undefined : value;
}

function mock(path: string | undefined, choice: ModelChoice): ModelClient {
  const { context_limit } = choice;
  if (path === undefined) return mockModel({ steps: [], context_limit, delay_ms: 10 });
  try {
    const script = parseMockScript(new TextDecoder().decode(readShortFile(path, SCRIPT_BYTES)));
    return mockModel({ ...script, context_limit: context_limit ?? script.context_limit });
  } catch (error) {
    const reason = errorText(error);
    const message = `Cannot read script of the mock model: ${reason}: ${path}`;
    throw new SessionError("invalid-config", message, { path }, error);
  }
}

function anthropic(name: string | undefined, choice: ModelChoice): ModelClient {
  const { variable, context_limit, thinking_tokens } = choice;
  const base_url = setVariable(variable, "ANTHROPIC_BASE_URL");
  const api_key = setVariable(variable, "ANTHROPIC_API_KEY");
  if (api_key === undefined && base_url === undefined) {
    const message = "Cannot use Anthropic: no key is set; set ANTHROPIC_API_KEY";
    throw new SessionError("invalid-config", message);
  }
  const client = anthropicClient({
    api_key: api_key ?? "",
    model: name ?? setVariable(variable, "ANTHROPIC_MODEL") ?? ANTHROPIC_MODEL,
    base_url,
    context_limit,
    thinking_tokens,
  });
  return retrying(client, choice.retry);
}

async function openAi(name: string | undefined, choice: ModelChoice): Promise<ModelClient> {
  const { variable, context_limit } = choice;
  const own_url = setVariable(variable, "OPENAI_BASE_URL");
  const api_key = setVariable(variable, "OPENAI_API_KEY");
  if (own_url === undefined && api_key === undefined) {
    const message = "Cannot use OpenAI: no key is set; set OPENAI_API_KEY, or OPENAI_BASE_URL";
    throw new SessionError("invalid-config", message);
  }
  const base_url = own_url ?? OPENAI_URL;
  const chosen = name ?? setVariable(variable, "OPENAI_MODEL") ??
    (own_url === undefined ? OPENAI_MODEL : undefined);
  if (chosen !== undefined) {
    const client = openAiClient({ base_url, model: chosen, api_key, context_limit });
    return retrying(client, choice.retry);
  }
  const [first] = await listModels(base_url, api_key, LIST_MS) ?? [];
  if (first === undefined) {
    const message = `Cannot choose a model: ${base_url} does not list its models; set OPENAI_MODEL`;
    throw new SessionError("invalid-config", message);
  }
  const limit = context_limit ?? first.context_limit;
  const client = openAiClient({ base_url, model: first.name, api_key, context_limit: limit });
  return retrying(client, choice.retry);
}

async function ollama(
  name: string | undefined,
  choice: ModelChoice,
  patience_ms: number,
): Promise<ModelClient> {
  const base_url = ollamaUrl(choice.variable("OLLAMA_HOST"));
  const models = await listModels(base_url, undefined, patience_ms);
  const model = name ?? models?.[0]?.name;
  if (models === undefined || model === undefined) throw new SessionError("invalid-config", WAYS);
  const held = Number(setVariable(choice.variable, "OLLAMA_CONTEXT_LENGTH"));
  const context_limit = choice.context_limit ?? (held > 0 ? held : OLLAMA_CONTEXT);
  const client = openAiClient({ base_url, model, provider: "ollama", context_limit });
  return retrying(client, choice.retry);
}

interface ServedModel {
  name: string;
  /** Size of the model's context window in tokens, if the server reports it. */
  context_limit?: number | undefined;
}

const OLLAMA_PORT = 11434;
const MAX_LIST_BYTES = 8 * 1024 * 1024;

/** Lists the models of a server with OpenAI's API; undefined without a timely answer. */
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
    // No server, no answer in time, no list, or another kind of server.
    return undefined;
  }
}

function servedModel(value: unknown): ServedModel[] {
  const model = objectOf(value);
  const name = textOf(model.id);
  if (name === undefined || name === "") return [];
  const context_limit = countOf(model.context_length) ?? countOf(model.max_model_len);
  return [{ name, context_limit }];
}

/** Returns the API address for a value of `OLLAMA_HOST`; the default address if it is invalid. */
function ollamaUrl(host: string | undefined): string {
  const told = host?.trim() ?? "";
  try {
    const url = new URL(/^https?:\/\//.test(told) ? told : `http://${told || "127.0.0.1"}`);
    // The address of all interfaces is for listening, not for connecting.
    if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
    const own_port = /:\d+\/?$/.test(told);
    if (!own_port && url.protocol === "http:") url.port = String(OLLAMA_PORT);
    return `${url.origin}/v1`;
  } catch {
    return `http://127.0.0.1:${OLLAMA_PORT}/v1`;
  }
}
