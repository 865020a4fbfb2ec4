/**
 * Secrets that never were: made by a seeded generator, so that no file holds what a scanner of
 * repositories would report. Fixed parts are put together for the same reason.
 */

/** Gives numbers from 0 to below 1. */
export type Random = () => number;

const DIGITS = "0123456789";
const UPPER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const LOWER = UPPER.toLowerCase();
const ALPHABETS: Readonly<Record<string, string>> = {
  d: DIGITS,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  a: UPPER + LOWER + DIGITS,
  l: LOWER + DIGITS,
  U: UPPER + DIGITS,
  L: LOWER,
  T: `${UPPER}234567`,
  w: `${UPPER}${LOWER}${DIGITS}-_`,
  b: `${UPPER}${LOWER}${DIGITS}+/`,
  p: `${UPPER}${LOWER}${DIGITS}!#%*_+-`,
  c: `./${UPPER}${LOWER}${DIGITS}`,
  M: UPPER + LOWER,
  B: `${LOWER}234567`,
  Q: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  P: "|",
  D: "$",
  j: `${LOWER}${DIGITS}!@#$%^&*(-_=+)`,
};

/** `count` characters of an alphabet. */
export function characters(random: Random, alphabet: string, count: number): string {
  const from = ALPHABETS[alphabet] ?? alphabet;
  return Array.from({ length: count }, () => from[Math.floor(random() * from.length)]).join("");
}

/** `{w20}` stands for 20 characters of the alphabet `w`; `|` joins fixed parts and is left out. */
export function fill(template: string, random: Random): string {
  return template.replaceAll("|", "").replaceAll(
    /\{([a-zA-Z])(\d+)\}/g,
    (_, alphabet: string, count: string) => characters(random, alphabet, Number(count)),
  );
}

function base64Url(text: string): string {
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function jwt(random: Random): string {
  const header = base64Url('{"alg":"HS256","typ":"JWT"}');
  const payload = base64Url(`{"sub":"${fill("{d10}", random)}","role":"${fill("{l8}", random)}"}`);
  return `${header}.${payload}.${fill("{w43}", random)}`;
}

function encryptedJwt(random: Random): string {
  const header = base64Url('{"alg":"RSA-OAEP","enc":"A256GCM"}');
  return `${header}.${fill("{w342}.{w16}.{w120}.{w22}", random)}`;
}

function discordToken(random: Random): string {
  return `${base64Url(`1${fill("{d17}", random)}`)}.${fill("{w6}.{w27}", random)}`;
}

function privateKey(type: string): (random: Random) => string {
  return (random) => {
    const body = Array.from({ length: 12 }, () => fill("{b64}", random)).join("\n");
    const [begin, end] = ["BEGIN", "END"].map((side) => `-----${side} ${type}PRIVATE KEY-----`);
    return `${begin}\n${body}\n${fill("{b30}", random)}==\n${end}`;
  };
}

/** A family of which samples can be made. */
export interface SampleFamily {
  /** As its findings are called. */
  kind: string;
  /** A family may have several forms. */
  name: string;
  secret: (random: Random) => string;
  /** Put around it where its form alone does not tell: `$` is the secret. */
  context?: string;
}

function fixed(kind: string, ...templates: readonly string[]): SampleFamily[] {
  return templates.map((template) => ({
    kind,
    name: `${kind} ${template.replaceAll("|", "").replace(/\{.*/s, "")}`,
    secret: (random) => fill(template, random),
  }));
}

function named(kind: string, context: string, template: string): SampleFamily {
  return { kind, name: `${kind}: ${context}`, context, secret: (random) => fill(template, random) };
}

/** All families, by what gives them away. */
export const SAMPLE_FAMILIES: readonly SampleFamily[] = [
  ...fixed("aws-access-key-id", "AK|IA{T16}", "AS|IA{T16}"),
  named("aws-secret-access-key", "aws_secret_access_key = $", "{b40}"),
  named("aws-secret-access-key", '"SecretAccessKey": "$"', "{b40}"),
  ...fixed("google-api-key", "AI|za{w35}"),
  ...fixed("google-oauth-secret", "GOC|SPX-{w28}"),
  ...fixed("google-oauth-token", "ya|29.{w120}"),
  ...fixed("google-refresh-token", "1/|/0{w60}"),
  ...fixed("firebase-server-key", "AAAA{w7}:APA|91b{w134}"),
  named(
    "azure-storage-key",
    "DefaultEndpointsProtocol=https;AccountName=st;AccountKey=$;x",
    "{b86}|==",
  ),
  named(
    "azure-shared-access-key",
    "Endpoint=sb://x/;SharedAccessKeyName=Root;SharedAccessKey=$",
    "{b43}|=",
  ),
  named(
    "url-token",
    "https://st.blob.core.windows.net/c?sv=2024-11-04&se=2026&sig=$&sp=r",
    "{a43}%3D",
  ),
  ...fixed("azure-client-secret", "{a3}8|Q~{w34}"),
  ...fixed("github-token", "gh|p_{a36}", "gh|o_{a36}", "gh|u_{a36}", "gh|s_{a36}", "gh|r_{a36}"),
  ...fixed("github-token", "github|_pat_{a22}_{a59}"),
  ...fixed("gitlab-token", "gl|pat-{w20}", "gl|rt-{w20}", "gl|dt-{w20}", "gl|ptt-{h40}"),
  ...fixed("bitbucket-token", "AT|BB{a32}"),
  ...fixed("atlassian-token", "ATA|TT3{w180}"),
  ...fixed(
    "slack-token",
    "xo|xb-{d12}-{d12}-{a24}",
    "xo|xp-{d12}-{d12}-{d12}-{h32}",
    "xap|p-1-A{U10}-{d13}-{h64}",
  ),
  named("slack-webhook", "https://hooks.slack.com/services/$", "T{U10}/B{U10}/{a24}"),
  { kind: "discord-token", name: "discord-token", secret: discordToken },
  named("discord-webhook", "https://discord.com/api/webhooks/123456789012345678/$", "{w68}"),
  ...fixed("telegram-bot-token", "{d9}:A|A{w33}"),
  ...fixed("stripe-key", "sk|_live_{a24}", "rk|_live_{a24}", "sk|_test_{a99}"),
  ...fixed("stripe-webhook-secret", "wh|sec_{a32}"),
  ...fixed("square-token", "sq0|atp-{w22}", "sq0|csp-{w43}", "EA|AA{w60}"),
  ...fixed("paypal-token", "access|_token$production${l16}${h32}"),
  named("paypal-key", "PAYPAL_CLIENT_SECRET=$", "E{w79}"),
  ...fixed("twilio-key", "S|K{h32}"),
  named("twilio-key", "TWILIO_AUTH_TOKEN=$", "{h32}"),
  ...fixed("sendgrid-key", "S|G.{w22}.{w43}"),
  ...fixed("mailgun-key", "ke|y-{h32}"),
  ...fixed("mailchimp-key", "{h32}-u|s12"),
  ...fixed("brevo-key", "xkey|sib-{h64}-{a16}"),
  ...fixed("npm-token", "np|m_{a36}"),
  ...fixed("pypi-token", "py|pi-AgEIcHlwaS5vcmc{w80}"),
  ...fixed("rubygems-key", "rubygems|_{h48}"),
  ...fixed("docker-token", "dckr|_pat_{w27}"),
  ...fixed("nuget-key", "oy|2{l43}"),
  ...fixed("crates-io-token", "ci|o{a32}"),
  ...fixed("huggingface-token", "h|f_{a34}"),
  ...fixed("openai-key", "s|k-proj-{w120}", "s|k-svcacct-{w80}", "s|k-{a20}T3Blbk|FJ{a20}"),
  ...fixed("anthropic-key", "s|k-ant-api03-{w93}AA", "s|k-ant-oat01-{w93}"),
  ...fixed("groq-key", "gs|k_{a52}"),
  ...fixed("xai-key", "xa|i-{a80}"),
  ...fixed("perplexity-key", "pp|lx-{a48}"),
  ...fixed("replicate-token", "r|8_{a37}"),
  ...fixed("openrouter-key", "s|k-or-v1-{h64}"),
  ...fixed("deepseek-key", "s|k-{h32}"),
  ...fixed("nvidia-key", "nv|api-{w64}"),
  ...fixed("pinecone-key", "pc|sk_{a69}"),
  ...fixed("langsmith-key", "lsv2|_pt_{h32}_{h10}"),
  ...fixed("elevenlabs-key", "s|k_{h48}"),
  named("mistral-key", "MISTRAL_API_KEY=$", "{a32}"),
  named("cohere-key", 'CO_API_KEY: "$"', "{a40}"),
  named("wandb-key", "WANDB_API_KEY=$", "{h40}"),
  ...fixed("databricks-token", "da|pi{h32}"),
  ...fixed("digitalocean-token", "do|p_v1_{h64}"),
  named("heroku-key", "HEROKU_API_KEY=$", "{h8}-{h4}-{h4}-{h4}-{h12}"),
  named("cloudflare-token", "CLOUDFLARE_API_TOKEN=$", "{w40}"),
  named("vercel-key", 'VERCEL_TOKEN="$"', "{a24}"),
  ...fixed("netlify-token", "nf|p_{a36}"),
  ...fixed("fly-token", "fo|1_{w43}", "fm|2_{b200}"),
  ...fixed("supabase-key", "sb|p_{h40}", "sb|_secret_{w31}"),
  ...fixed("planetscale-token", "pscale|_tkn_{w43}"),
  ...fixed("doppler-token", "dp.|pt.{a43}"),
  ...fixed("vault-token", "hv|s.{w90}"),
  ...fixed("terraform-token", "{a14}.atlas|v1.{w67}"),
  ...fixed("pulumi-token", "pu|l-{h40}"),
  ...fixed("tailscale-key", "ts|key-auth-{a12}-{a32}"),
  ...fixed("linear-key", "lin|_api_{a40}"),
  ...fixed("notion-token", "secr|et_{a43}", "nt|n_{d11}{a35}"),
  ...fixed("figma-token", "fi|gd_{w40}"),
  ...fixed("airtable-token", "pa|t{a14}.{h64}"),
  ...fixed("asana-token", "2|/1{d15}/1{d15}:{h32}"),
  ...fixed("shopify-token", "shp|at_{h32}", "shp|ss_{h32}"),
  named("datadog-key", "DD_API_KEY=$", "{h32}"),
  named("datadog-key", "datadog_app_key: $", "{h40}"),
  ...fixed("new-relic-key", "NR|AK-{U27}"),
  ...fixed("grafana-token", "gl|sa_{a32}_{h8}", "gl|c_eyJ{a100}"),
  ...fixed("sentry-token", "sntr|ys_{a120}"),
  named("sentry-dsn", "https://$@o12345.ingest.sentry.io/678", "{h32}"),
  named("pagerduty-key", "PAGERDUTY_API_KEY=$", "u+{w18}"),
  ...fixed("postman-key", "PM|AK-{h24}-{h34}"),
  named("algolia-key", 'algoliaAdminApiKey: "$"', "{h32}"),
  ...fixed("age-secret-key", "AGE-SECRET|-KEY-1{U58}"),
  ...["", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED ", "DSA "].map((type): SampleFamily => ({
    kind: "private-key",
    name: `private-key ${type}`,
    secret: privateKey(type),
  })),
  { kind: "jwt", name: "jwt", secret: jwt },
  { kind: "encrypted-jwt", name: "encrypted-jwt", secret: encryptedJwt },
  ...fixed("langfuse-key", "s|k-lf-{h8}-{h4}-{h4}-{h4}-{h12}"),
  ...fixed("cerebras-key", "cs|k-{l48}"),
  ...fixed("together-key", "tgp|_v1_{w43}"),
  ...fixed("fireworks-key", "f|w_{a24}"),
  ...fixed("tavily-key", "tv|ly-{a32}"),
  ...fixed("firecrawl-key", "f|c-{h32}"),
  ...fixed("e2b-key", "e2|b_{h40}"),
  ...fixed("clojars-token", "CLO|JARS_{l60}"),
  ...fixed("jfrog-key", "AK|Cp{a69}"),
  ...fixed("circleci-token", "CCI|PAT_{a22}_{h40}"),
  ...fixed("buildkite-token", "bk|ua_{h40}"),
  ...fixed("sourcegraph-token", "sg|p_{h40}", "sg|p_{h16}_{h40}"),
  ...fixed("launchdarkly-key", "sd|k-{h8}-{h4}-{h4}-{h4}-{h12}", "ap|i-{h8}-{h4}-{h4}-{h4}-{h12}"),
  ...fixed("typeform-token", "tf|p_{a44}"),
  ...fixed("contentful-token", "CF|PAT-{w43}"),
  ...fixed("readme-key", "rd|me_{l70}"),
  ...fixed("cloudflare-ca-key", "v1|.0-{h24}-{h146}"),
  ...fixed("vercel-token", "vc|p_{a56}"),
  ...fixed("1password-token", "ops|_eyJ{a400}"),
  ...fixed("prefect-key", "pn|u_{a36}"),
  ...fixed("dynatrace-token", "dt0|c01.{T24}.{T64}"),
  ...fixed("confluent-key", "cf|lt{b60}"),
  named(
    "teams-webhook",
    "https://org.webhook.office.com/webhookb2/$",
    "{h8}-{h4}-{h4}-{h4}-{h12}@{h8}-{h4}-{h4}-{h4}-{h12}/IncomingWebhook/{h32}/{h8}-{h4}-{h4}-{h4}-{h12}",
  ),
  ...fixed("resend-key", "r|e_{a8}_{a24}"),
  ...fixed("easypost-key", "EZ|AK{a54}", "EZ|TK{a54}"),
  ...fixed("facebook-token", "EAA|CEdEose0cBA{a160}"),
  ...fixed("adafruit-key", "ai|o_{a28}"),
  named("netrc-password", "machine h.io\n  login bob\n  password $", "{p16}"),
  named("pgpass-password", "db.internal:5432:app:bob:$", "{p16}"),
  named("url-password", "postgres://app:$@db.internal:5432/app", "{a18}"),
  named("url-password", "https://bob:$@git.internal/r.git", "{a20}"),
  named("token", "    access-token: $", "{a40}"),
  named("private-key", "    client-key-data: $", "{b600}"),
  ...fixed("password-hash", "$2|y$10${c53}", "$ap|r1${c8}${c22}"),
  named("authorization", "Authorization: Bearer $", "{w40}"),
  named("authorization", "curl -H 'authorization: Basic $' https://x", "{b30}4w=="),
  named("cookie", "Cookie: $", "sid={a32}; theme=dark"),
  named("api-key", "x-api-key: $", "{a32}"),
  named("password", "export DB_PASSWORD=$", "{p14}"),
  named("password", 'password: "$"', "{p12}"),
  named("secret", "client_secret = '$'", "{a30}"),
  named("api-key", "const apiKey = `$`;", "{a30}"),
  named("token", "https://api.x.io/v1?access_token=$&page=2", "{a30}"),
  named("high-entropy-assignment", "token: $", "{a40}"),
  named("password", "mysql --password=$ app", "{a14}"),
  named("high-entropy-assignment", "deploy --token $ --now", "{a30}"),
];

/** The text in which a sample stands. */
export function inContext({ context = "$" }: SampleFamily, secret: string): string {
  return context.replace("$", () => secret);
}
