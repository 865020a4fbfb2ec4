/** Keys of clouds, hosts, vaults and watchers, as their documentation shows them. */
import { bare, issued, type VendorForm } from "./vendor_form.ts";

export const CLOUD_FORMS: readonly VendorForm[] = [
  ...issued(`
    AWS key id  AWS_ACCESS_KEY_ID  AK|IA{T16}
    AWS temporary key id  AWS_ACCESS_KEY_ID  AS|IA{T16}
    AWS session token  AWS_SESSION_TOKEN  IQoJb3Jp|Z2luX2VjE{b400}
    AWS session token old  AWS_SESSION_TOKEN  FwoGZXIv|YXdzE{b300}=
    Google API  GOOGLE_API_KEY  AI|za{w35}
    Google client secret  GOOGLE_CLIENT_SECRET  GOC|SPX-{w28}
    Google access token  GOOGLE_OAUTH_ACCESS_TOKEN  ya|29.a0{w160}
    Google refresh token  GOOGLE_REFRESH_TOKEN  1/|/0{w60}
    Azure client secret  AZURE_CLIENT_SECRET  {a3}8|Q~{w34}
    Azure storage  AZURE_STORAGE_KEY  {b76}+A|St{b5}A==
    Azure DevOps  AZURE_DEVOPS_EXT_PAT  {a76}AZ|DO{a4}
    Alibaba key id  ALIBABA_CLOUD_ACCESS_KEY_ID  LT|AI{a20}
    Tencent key id  TENCENTCLOUD_SECRET_ID  AK|ID{a32}
    DigitalOcean  DIGITALOCEAN_TOKEN  do|p_v1_{h64}
    Scaleway key id  SCW_ACCESS_KEY  SCW{U17}
    Cloudflare user  CLOUDFLARE_API_TOKEN  cfu|t_{w40}{h8}
    Cloudflare origin CA  CLOUDFLARE_CA_KEY  v1|.0-{h24}-{h146}
    Heroku  HEROKU_API_KEY  HR|KU-AA{w58}
    Vercel  VERCEL_TOKEN  vc|p_{a56}
    Netlify  NETLIFY_AUTH_TOKEN  nf|p_{a36}
    Fly  FLY_API_TOKEN  fm|2_{b200}==
    Fly old  FLY_API_TOKEN  fo|1_{w43}
    Render  RENDER_API_KEY  rn|d_{a28}
    Supabase  SUPABASE_ACCESS_TOKEN  sb|p_{h40}
    Supabase secret  SUPABASE_SECRET_KEY  sb_|secret_{w22}_{w8}
    PlanetScale  PLANETSCALE_SERVICE_TOKEN  pscale|_tkn_{w43}
    Neon  NEON_API_KEY  na|pi_{l64}
    Deno Deploy  DENO_DEPLOY_TOKEN  dd|p_{a36}
    Deno Deploy organization  DENO_DEPLOY_TOKEN  dd|o_{a36}
    Databricks  DATABRICKS_TOKEN  da|pi{h32}
    Doppler  DOPPLER_TOKEN  dp.|st.dev.{a40}
    Vault  VAULT_TOKEN  hv|s.{w91}
    Terraform  TF_TOKEN_app_terraform_io  {a14}.atlas|v1.{w67}
    Pulumi  PULUMI_ACCESS_TOKEN  pu|l-{h40}
    Tailscale  TS_AUTHKEY  ts|key-auth-{a12}CNTRL-{a32}
    1Password service account  OP_SERVICE_ACCOUNT_TOKEN  ops|_eyJ{b900}
    1Password secret key  OP_SECRET_KEY  A3-{U6}-{U6}-{U5}-{U5}-{U5}-{U5}
    Bitwarden  BWS_ACCESS_TOKEN  0.{h8}-{h4}-{h4}-{h4}-{h12}.{a30}:{b22}==
    OpenShift  OPENSHIFT_TOKEN  sha256|~{w43}
    Grafana service account  GRAFANA_TOKEN  gl|sa_{a32}_{h8}
    Grafana Cloud  GRAFANA_CLOUD_TOKEN  gl|c_eyJvIjoi{b110}=
    Grafana Cloud plain  GRAFANA_CLOUD_TOKEN  gl|c_{b120}
    Grafana old  GRAFANA_API_KEY  eyJr|Ijoi{a80}=
    Sentry organization  SENTRY_AUTH_TOKEN  sntr|ys_eyJpYXQiO{b100}_{b43}
    Sentry user  SENTRY_AUTH_TOKEN  sntr|yu_{h64}
    New Relic  NEW_RELIC_API_KEY  NR|AK-{U27}
    Dynatrace  DYNATRACE_API_TOKEN  dt0|c01.{T24}.{T64}
    Honeycomb  HONEYCOMB_API_KEY  hcaik|_{l58}
    LaunchDarkly  LAUNCHDARKLY_SDK_KEY  sd|k-{h8}-{h4}-{h4}-{h4}-{h12}
    Prefect  PREFECT_API_KEY  pn|u_{a36}
    Datadog personal  DD_API_KEY  dd|pat_{a22}_{a32}
  `),
  ...bare(`
    AWS secret  AWS_SECRET_ACCESS_KEY  {b40}
    Azure storage old  AZURE_STORAGE_KEY  {b86}==
    Azure DevOps old  AZURE_DEVOPS_EXT_PAT  {B52}
    Alibaba secret  ALIBABA_CLOUD_ACCESS_KEY_SECRET  {a30}
    Tencent secret  TENCENTCLOUD_SECRET_KEY  {a32}
    Linode  LINODE_TOKEN  {h64}
    Hetzner  HCLOUD_TOKEN  {a64}
    Cloudflare token  CLOUDFLARE_API_TOKEN  {w40}
    Cloudflare global  CLOUDFLARE_API_KEY  {h37}
    Heroku old  HEROKU_API_KEY  {h8}-{h4}-{h4}-{h4}-{h12}
    Vercel old  VERCEL_TOKEN  {a24}
    Railway  RAILWAY_TOKEN  {h8}-{h4}-{h4}-{h4}-{h12}
    Scaleway secret  SCW_SECRET_KEY  {h8}-{h4}-{h4}-{h4}-{h12}
    Okta  OKTA_API_TOKEN  00{w40}
    Auth0  AUTH0_CLIENT_SECRET  {w64}
    Datadog  DD_API_KEY  {h32}
    Datadog application  DATADOG_APP_KEY  {h40}
    Confluent  CONFLUENT_API_SECRET  {b64}
    MongoDB Atlas  MONGODB_ATLAS_PRIVATE_KEY  {h8}-{h4}-{h4}-{h4}-{h12}
    Snowflake  SNOWFLAKE_PASSWORD  {p16}
    PagerDuty  PAGERDUTY_API_KEY  {w20}
    Rollbar  ROLLBAR_ACCESS_TOKEN  {h32}
  `),
];
