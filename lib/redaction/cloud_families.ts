/** Keys of clouds, hosts, databases and of what runs on them. */
import { prefixed, type SecretFamily } from "./secret_family.ts";

/** In order: the first that fits gives its name. */
export const CLOUD_FAMILIES: readonly SecretFamily[] = [
  prefixed(
    "aws-access-key-id",
    "AKIA ASIA ABIA ACCA",
    "[A-Z2-7]{16}(?![A-Za-z0-9])",
  ),
  {
    // The pair as a table or CSV gives it: the secret beside its id.
    kind: "aws-secret-access-key",
    anchors: ["AKIA", "ASIA"],
    form: "[A-Z]{4}[A-Z0-9]{16}[\"']?[,;:|\\s]{1,4}[\"']?([A-Za-z0-9/+=]{40})(?![A-Za-z0-9/+=])",
  },
  prefixed("google-api-key", "AIza", "[\\w-]{35}(?![\\w-])"),
  prefixed("google-oauth-secret", "GOCSPX-", "[\\w-]{20,40}"),
  prefixed("google-oauth-token", "ya29.", "[\\w.-]{20,1000}"),
  prefixed("google-refresh-token", "1//0", "[\\w-]{30,200}"),
  {
    kind: "firebase-server-key",
    anchors: [":APA91b"],
    before: /[\w-]/,
    form: "AAAA[\\w-]{7}:APA91b[\\w-]{100,180}",
  },
  {
    kind: "azure-client-secret",
    anchors: Array.from({ length: 10 }, (_, digit) => `${digit}Q~`),
    before: /[\w.~-]/,
    form: "[\\w.~-]{3}\\dQ~[\\w.~-]{31,34}",
  },
  prefixed("databricks-token", "dapi", "[0-9a-f]{32}(?:-\\d)?(?![\\w-])"),
  prefixed("digitalocean-token", "dop_v1_ doo_v1_ dor_v1_", "[0-9a-f]{64}"),
  prefixed("heroku-key", "HRKU-", "[\\w-]{36,80}"),
  prefixed("cloudflare-token", "cfut_ cfat_ cfk_", "[\\w-]{36,80}"),
  prefixed("cloudflare-ca-key", "v1.0-", "[0-9a-f]{24}-[0-9a-f]{146}"),
  prefixed("vercel-token", "vcp_ vci_ vca_ vcr_ vck_", "[A-Za-z0-9]{24,80}"),
  prefixed("netlify-token", "nfp_ nfc_ nfo_", "[A-Za-z0-9]{36,60}"),
  prefixed("fly-token", "fo1_", "[\\w-]{43}"),
  prefixed("fly-token", "fm1r_ fm1a_ fm2_", "[A-Za-z0-9+/=,_]{50,2000}"),
  prefixed("supabase-key", "sbp_ sb_secret_", "[\\w-]{30,60}"),
  prefixed("planetscale-token", "pscale_tkn_ pscale_oauth_ pscale_pw_", "[\\w=.-]{32,64}"),
  prefixed("doppler-token", "dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.", "[\\w.-]{40,70}"),
  prefixed("vault-token", "hvs. hvb. hvr.", "[\\w-]{24,300}"),
  {
    kind: "terraform-token",
    anchors: [".atlasv1."],
    before: /[A-Za-z0-9]/,
    form: "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w-]{60,80}",
  },
  prefixed("pulumi-token", "pul-", "[0-9a-f]{40}(?![\\w-])"),
  prefixed("tailscale-key", "tskey-", "[a-z]{2,12}-[A-Za-z0-9]{8,20}(?:-[A-Za-z0-9]{16,64})?"),
  prefixed("1password-token", "ops_eyJ", "[\\w-]{100,2000}"),
  prefixed("grafana-token", "glsa_", "[A-Za-z0-9]{32}_[0-9A-Fa-f]{8}"),
  prefixed("grafana-token", "glc_eyJ", "[A-Za-z0-9+/=_-]{32,400}"),
  prefixed("sentry-token", "sntrys_ sntryu_", "[\\w+/=]{40,300}"),
  prefixed("new-relic-key", "NRAK- NRAA- NRJS- NRII-", "[\\w-]{19,42}"),
  prefixed("prefect-key", "pnu_ pnb_", "[A-Za-z0-9]{36}"),
  prefixed("dynatrace-token", "dt0c01. dt0s16. dt0s01.", "[A-Z0-9]{24}\\.[A-Z0-9]{64}"),
  prefixed("confluent-key", "cflt", "[A-Za-z0-9+/]{60}(?![A-Za-z0-9+/])"),
];
