/** Keys of chats, payments, mail, shops and model providers. */
import { prefixed, type SecretFamily } from "./secret_family.ts";

/** Returns the first three characters of Discord bot tokens. They are base64 of an id's digits. */
function discordAnchors(): string[] {
  const anchors: string[] = [];
  for (const first of "MNO") {
    for (const second of "TDjz") {
      for (const third of "AEIMQUYcgk") anchors.push(first + second + third);
    }
  }
  return anchors;
}

/** The first family that matches determines the secret's kind. */
export const SERVICE_FAMILIES: readonly SecretFamily[] = [
  prefixed(
    "slack-token",
    "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd-",
    "[\\w%./+-]{20,300}",
  ),
  prefixed("slack-token", "xoxe.xox xapp-", "[\\w.-]{20,300}"),
  {
    kind: "slack-webhook",
    anchors: ["hooks.slack.com/"],
    inside: true,
    form: "hooks\\.slack\\.com/(?:services|workflows|triggers)/([\\w/]{30,120})",
  },
  {
    kind: "teams-webhook",
    anchors: [".webhook.office.com/"],
    inside: true,
    form: "\\.webhook\\.office\\.com/webhookb2/([\\w@-]{36,100}/IncomingWebhook/[\\w/-]{32,120})",
  },
  {
    kind: "discord-webhook",
    anchors: ["/api/webhooks/"],
    inside: true,
    form: "/api/webhooks/\\d{15,21}/([\\w-]{50,100})",
  },
  {
    kind: "discord-token",
    anchors: discordAnchors(),
    form: "[MNO][\\w-]{22,27}\\.[\\w-]{6}\\.[\\w-]{27,40}(?![\\w-])",
  },
  prefixed("discord-token", "mfa.", "[\\w-]{80,100}"),
  {
    kind: "telegram-bot-token",
    anchors: [":AA"],
    before: /\d/,
    form: "\\d{8,10}:AA[\\w-]{33}(?![\\w-])",
    inside: true,
  },
  prefixed("stripe-key", "sk_live_ sk_test_ rk_live_ rk_test_ sk_org_", "[A-Za-z0-9_]{16,250}"),
  prefixed("stripe-webhook-secret", "whsec_", "[A-Za-z0-9+/=]{24,80}"),
  prefixed("square-token", "sq0atp- sq0csp- sq0idp-", "[\\w-]{22,60}"),
  prefixed("square-token", "EAAA", "[\\w-]{60}(?![\\w-])"),
  prefixed(
    "paypal-token",
    "access_token$production$ access_token$sandbox$",
    "[a-z0-9]{16}\\$[0-9a-f]{32}",
  ),
  prefixed(
    "twilio-key",
    "SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf",
    "[0-9a-f]{31}(?![\\w-])",
  ),
  prefixed("sendgrid-key", "SG.", "[\\w-]{16,32}\\.[\\w-]{32,64}"),
  prefixed("mailgun-key", "key-", "[0-9a-f]{32}(?![\\w-])"),
  {
    kind: "mailchimp-key",
    anchors: ["-us"],
    before: /[0-9a-f]/,
    form: "[0-9a-f]{32}-us\\d{1,2}(?!\\w)",
  },
  prefixed("brevo-key", "xkeysib-", "[0-9a-f]{64}-[A-Za-z0-9]{16}"),
  { ...prefixed("resend-key", "re_", "[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?!\\w)"), random: true },
  prefixed("shopify-token", "shpat_ shpca_ shppa_ shpss_ shptka_", "[0-9a-fA-F]{32}"),
  prefixed("easypost-key", "EZAK EZTK", "[A-Za-z0-9]{54}"),
  prefixed("facebook-token", "EAACEdEose0cBA", "[A-Za-z0-9]{20,300}"),
  prefixed("pagerduty-key", "pdus+_0XBPWQQ_ pdeu+_0XBPWQQ_", "[\\w-]{20,60}"),
  {
    // Tokens of users, pages and apps; Instagram's begin differently. In base64, a plus is near.
    ...prefixed("facebook-token", "EAA IGQ IGA", "[A-Za-z0-9]{100,400}(?![\\w/]{0,150}\\+)(?!\\w)"),
    random: true,
  },
  prefixed(
    "plaid-token",
    "access-sandbox- access-development- access-production-",
    "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\\w-])",
  ),
  prefixed("dropbox-token", "sl.", "(?:u\\.)?[\\w=-]{120,1600}"),
  prefixed(
    "hubspot-token",
    "pat-na1- pat-na2- pat-na3- pat-eu1- pat-ap1-",
    "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\\w-])",
  ),
  prefixed("linkedin-secret", "WPL_AP1. WPL_AP0.", "[A-Za-z0-9]{12,24}\\.[A-Za-z0-9+/=]{4,12}"),
  {
    ...prefixed("intercom-token", "dG9rO", "[A-Za-z0-9+/]{54,60}={0,2}(?![A-Za-z0-9])"),
    random: true,
  },
  prefixed("duffel-token", "duffel_live_ duffel_test_", "[\\w=-]{43}"),
  prefixed("flutterwave-key", "FLWSECK-", "[0-9a-zA-Z]{32}-X"),
  prefixed("flutterwave-key", "FLWSECK_TEST-", "[0-9a-zA-Z]{12,32}(?:-X)?(?![\\w-])"),
  prefixed("shippo-token", "shippo_live_ shippo_test_", "[0-9a-fA-F]{40}(?!\\w)"),
  prefixed("lob-key", "live_ test_", "[0-9a-f]{35}(?!\\w)"),
  { ...prefixed("gocardless-token", "live_ sandbox_", "[\\w-]{40}(?![\\w-])"), random: true },
  prefixed("yandex-key", "AQVN", "[\\w-]{35,38}(?![\\w-])"),
  prefixed("yandex-key", "y0_AgAAAA", "[\\w-]{40,70}"),
  prefixed("adafruit-key", "aio_", "[A-Za-z0-9]{28}(?!\\w)"),
];

/** The first family that matches determines the secret's kind. */
export const MODEL_PROVIDER_FAMILIES: readonly SecretFamily[] = [
  prefixed("anthropic-key", "sk-ant-", "[\\w-]{20,200}"),
  prefixed("openrouter-key", "sk-or-", "[\\w-]{20,120}"),
  prefixed("langfuse-key", "sk-lf-", "[\\w-]{20,60}"),
  prefixed("openai-key", "sk-proj- sk-svcacct- sk-admin- sk-None-", "[\\w-]{20,250}"),
  { kind: "openai-key", anchors: ["T3BlbkFJ"], before: /[\w-]/, form: "sk-[\\w-]{16,150}" },
  prefixed("deepseek-key", "sk-", "[0-9a-f]{32}(?![\\w-])"),
  { ...prefixed("api-key", "sk-", "(?![\\w-]{0,150}T3BlbkFJ)[\\w-]{20,200}"), random: true },
  prefixed("huggingface-token", "hf_ api_org_", "[A-Za-z0-9]{30,60}"),
  prefixed("groq-key", "gsk_", "[A-Za-z0-9]{40,80}"),
  prefixed("xai-key", "xai-", "[A-Za-z0-9]{60,120}"),
  prefixed("perplexity-key", "pplx-", "[A-Za-z0-9]{32,80}"),
  prefixed("replicate-token", "r8_", "[A-Za-z0-9]{35,60}"),
  prefixed("nvidia-key", "nvapi-", "[\\w-]{50,100}"),
  prefixed("cerebras-key", "csk-", "[a-z0-9]{40,60}"),
  prefixed("together-key", "tgp_v1_", "[\\w-]{30,80}"),
  { ...prefixed("fireworks-key", "fw_", "[A-Za-z0-9]{20,40}"), random: true },
  prefixed("pinecone-key", "pcsk_", "[\\w]{40,100}"),
  prefixed("langsmith-key", "lsv2_pt_ lsv2_sk_", "[0-9a-f]{32}_[0-9a-f]{8,16}"),
  prefixed("tavily-key", "tvly-", "[A-Za-z0-9-]{24,80}"),
  prefixed("firecrawl-key", "fc-", "[0-9a-f]{32}(?![\\w-])"),
  prefixed("elevenlabs-key", "sk_", "[0-9a-f]{48}(?![\\w-])"),
  prefixed("e2b-key", "e2b_", "[0-9a-f]{40}(?![\\w-])"),
  prefixed("wandb-key", "wandb_v1_", "[\\w]{40,100}"),
  prefixed("voyage-key", "pa-", "[\\w-]{43}(?![\\w-])"),
  prefixed("jina-key", "jina_", "[A-Za-z0-9]{60}(?!\\w)"),
  prefixed("runpod-key", "rpa_", "[A-Za-z0-9]{40,60}(?!\\w)"),
  prefixed("cursor-key", "key_", "[0-9a-f]{64}(?!\\w)"),
  { ...prefixed("google-api-key", "AQ.Ab8", "[\\w-]{40,120}"), random: true },
  {
    kind: "azure-openai-key",
    anchors: ["JQQJ99"],
    exact_before: 52,
    form: "[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}(?![A-Za-z0-9])",
  },
];
