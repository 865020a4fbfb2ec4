/** Tells from the name of a variable, field, header or option whether its value is a secret. */

/**
 * The meaning of a secret's name. Values of `strong` names are always secrets. Values of `weak`
 * names may be something else.
 */
export interface SecretName {
  kind: string;
  strength: "strong" | "weak";
  /** True if people choose the values, so that a plain word may be a secret. */
  chosen: boolean;
  /** True if the name is just "key", which is mostly the key of a map. */
  bare?: true;
  /** True if the words around the name "key" are about access. Then a UUID may be a secret, too. */
  access?: boolean;
}

/** Suffixes that do not change the meaning of a name. */
const TRAILING =
  /(?:_(?:value|val|b64|base64|prod|production|dev|development|staging|stage|test|live|new|old|current|primary|secondary|backup|\d{1,3}))+$|\d{1,3}$/;
const CHOSEN = /(?:password|passwd|passphrase|passcode|pwd|[a-z]_pass|storepass|keypass|secret)$/;
const KEY =
  /(?:api|access|secret|private|account|signing|signature|encryption|encrypt|master|admin|auth|role|storage|consumer|app|application|webhook|subscription|client|session|hmac|jwt|write|license|integration|deploy|service|server|sas|ingestion|functions?|host)_?key$|client_key_data$|secret_?key_?base$/;
const TOKEN =
  /(?:api|access|auth|refresh|bearer|id|session|bot|oauth|personal|security|deploy|user|service|private|admin|client|github|gitlab|gh|npm|slack|secret|registration|runner|bootstrap|join|webhook|push|device|app|server)_?token$/;
const CREDENTIAL = /(?:^|_)(?:authorization|authtoken|x_auth|auth_key)$/;
const WEAK = /(?:token|(?:^|_)(?:auth|_auth|pat|jwt|creds?|credentials?|pass))$/;
export const BARE_KEY_KIND = "key";
/** Matches names that mean just "key", in English, Spanish, Portuguese, French or German. */
const BARE_KEY =
  /^(?:(?:x|my|your|our|the|new|old|this|a|valid|invalid|config|settings|options|opts|params|service)_)*(?:keys?|clave|chave|cl|schl_ssel)$/;
/** Matches words that make a following "key" the key of a map, table or host, not a secret. */
const NO_SECRET_BEFORE =
  /^(?:cach(?:e|ing)|public|primary|foreign|sort|partition|object|hash|map|dict|dictionary|lookup|index|row|redis|s3|routing|shard(?:ing)?|message|dedup\w*|idempotency|unique|composite|group|rsa|dsa|ec|ecdsa|ed25519|gpg|pgp|ssh|host|restore|storage|memo|query|react|translation|i18n|record|item|context|state|trace|request|content|build|commit|etag|metadata|snapshot|image)$/i;
const HARMLESS =
  /(?:^|_)(?:public|publishable|page|next|continuation|cursor|sync|cache|idempotency|primary_key|foreign|partition|sort|max|min|num|count|eos|bos|pad|unk|mask|hash_key|cancel|cancellation|lookup|translation|i18n|object|map|dict|row)(?:_|$)|_name$|_id$|_type$|_hint$|_length$/;

/** Kinds of secrets by the vendor in the secret's name. The first match applies. */
const VENDORS: readonly [RegExp, string][] = [
  [/aws|secret_?access_?key/, "aws-secret-access-key"],
  [/shared_?access/, "azure-shared-access-key"],
  [/account_?key|azure_storage/, "azure-storage-key"],
  [/datadog|(?:^|_)dd_/, "datadog-key"],
  [/cohere|(?:^|_)co_api/, "cohere-key"],
  [/cloudflare|(?:^|_)cf_/, "cloudflare-token"],
  [/new_?relic/, "new-relic-key"],
  [/git_?hub|(?:^|_)gh_/, "github-token"],
];
const NAMED_VENDORS =
  /(?:^|_)(algolia|postmark|circle|hcloud|linode|scw|snowflake|codacy|drone|travis|voyage|exa|zhipuai|moonshot|jina|baseten|runpod|assemblyai|deepgram|ai21|groq|xai|perplexity|huggingface|hf|replit|cursor|deno|tencentcloud|alibaba_?cloud|rollbar|okta|coveralls|mistral|heroku|vercel|netlify|okta|twilio|pagerduty|paypal|mailgun|dropbox|codecov|circleci|asana|travis|fastly|segment|zendesk|intercom|mixpanel|amplitude|snyk|bitbucket|docker|supabase|openai|anthropic|gitlab|slack|discord|telegram|stripe|square|sendgrid|firebase|azure|gemini|deepseek|together|fireworks|replicate|elevenlabs|pinecone|wandb|sonar|jenkins|auth0|contentful|mapbox|plaid|braintree|coinbase|binance|kraken|etsy|yandex|linode|vultr|hetzner|scaleway|fly|render|railway|airtable|notion|linear|figma|grafana|sentry|doppler|vault|consul|terraform|rollbar|bugsnag|honeycomb|launchdarkly|pusher|ably|twitch|twitter|facebook|instagram|linkedin|spotify|reddit)/;

/** Matches words that occur in names of secrets. Quickly rules out most other names. */
const STEM = /key|token|pass|pwd|secret|cookie|auth|pat|jwt|cred|clave|chave|clé|schlüssel/i;
const WORDS_ALREADY = /^[a-z\d]+(?:_[a-z\d]+)*$/;

/** Returns the words of a name in snake case: `x-api-key`, `apiKey`, `API_KEY` are `api_key`. */
function wordsOf(name: string): string {
  if (WORDS_ALREADY.test(name)) return name;
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")
    .toLowerCase();
}

/** Returns undefined if values with the name are not secrets. */
export function secretName(name: string): SecretName | undefined {
  if (!STEM.test(name)) return undefined;
  const words = wordsOf(name.slice(-80)).replace(TRAILING, "");
  if (HARMLESS.test(words)) return undefined;
  const cookie = /(?:^|_)(?:set_)?cookies?$/.test(words);
  if (cookie) return { kind: "cookie", strength: "strong", chosen: false };
  if (CHOSEN.test(words)) {
    const kind = words.endsWith("secret") ? "secret" : "password";
    return { kind: vendorKind(words) ?? kind, strength: "strong", chosen: true };
  }
  if (KEY.test(words)) return strong(vendorKind(words) ?? keyKind(words));
  if (TOKEN.test(words) || (words.endsWith("_token") && vendorKind(words) !== undefined)) {
    return strong(vendorKind(words) ?? "token");
  }
  if (CREDENTIAL.test(words)) return strong("authorization");
  if (/_key$/.test(words) && vendorKind(words) !== undefined) {
    return { kind: vendorKind(words) ?? "", strength: "weak", chosen: false };
  }
  if (BARE_KEY.test(words)) {
    return { kind: BARE_KEY_KIND, strength: "weak", chosen: false, bare: true };
  }
  // Passed tests are often called so.
  if (words === "pass") return { kind: "password", strength: "weak", chosen: true };
  if (!WEAK.test(words)) return undefined;
  return { kind: vendorKind(words) ?? "high-entropy-assignment", strength: "weak", chosen: false };
}

/** True if the word before "key" shows that the value is not a secret. */
export function isHarmlessBefore(word: string): boolean {
  return NO_SECRET_BEFORE.test(word);
}

function strong(kind: string): SecretName {
  return { kind, strength: "strong", chosen: false };
}

function keyKind(words: string): string {
  return /(?:private|client)_?key/.test(words) ? "private-key" : "api-key";
}

function vendorKind(words: string): string | undefined {
  const listed = VENDORS.find(([form]) => form.test(words))?.[1];
  if (listed !== undefined) return listed;
  const vendor = NAMED_VENDORS.exec(words)?.[1];
  return vendor === undefined ? undefined : `${vendor}-key`;
}

/** Maximum number of remembered names. At this number, all are forgotten. */
const MOST_NAMES = 4096;

export class NameMemo {
  readonly #names = new Map<string, SecretName | undefined>();

  of(name: string): SecretName | undefined {
    if (this.#names.has(name)) return this.#names.get(name);
    const read = secretName(name);
    if (this.#names.size >= MOST_NAMES) this.#names.clear();
    this.#names.set(name, read);
    return read;
  }
}
