/** Keys of chats, payments, mail and shops. */
import { prefixed, type SecretFamily } from "./secret_family.ts";

/** How base64 of three digits begins, of which every id of a Discord bot is made. */
function discordAnchors(): string[] {
  const anchors: string[] = [];
  for (const first of "MNO") {
    for (const second of "TDjz") {
      for (const third of "AEIMQUYcgk") anchors.push(first + second + third);
    }
  }
  return anchors;
}

/** In order: the first that fits gives its name. */
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
    // Tokens of users, pages and apps; those of Instagram begin otherwise. In base64, a plus is near.
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
