/** Keys of chats, payments, mail and social networks, as their documentation shows them. */
import { bare, issued, type VendorForm } from "./vendor_form.ts";

export const SERVICE_FORMS: readonly VendorForm[] = [
  ...issued(`
    Slack bot  SLACK_BOT_TOKEN  xo|xb-{d12}-{d13}-{a24}
    Slack user  SLACK_USER_TOKEN  xo|xp-{d12}-{d12}-{d13}-{h32}
    Slack app  SLACK_APP_TOKEN  xap|p-1-A{U10}-{d13}-{h64}
    Slack refresh  SLACK_REFRESH_TOKEN  xo|xe-1-{a146}
    Discord bot  DISCORD_TOKEN  M{a25}.{w6}.{w38}
    Telegram bot  TELEGRAM_BOT_TOKEN  {d10}:A|A{w33}
    Stripe live  STRIPE_SECRET_KEY  sk|_live_51{a97}
    Stripe restricted  STRIPE_API_KEY  rk|_live_51{a97}
    Stripe test  STRIPE_SECRET_KEY  sk|_test_{a24}
    Stripe webhook  STRIPE_WEBHOOK_SECRET  wh|sec_{a32}
    Square  SQUARE_ACCESS_TOKEN  EA|AA{w60}
    Square secret  SQUARE_SECRET  sq0|csp-{w43}
    PayPal Braintree  BRAINTREE_ACCESS_TOKEN  access|_token{D1}production{D1}{l16}{D1}{h32}
    Plaid access  PLAID_ACCESS_TOKEN  access|-sandbox-{h8}-{h4}-{h4}-{h4}-{h12}
    Twilio key  TWILIO_API_KEY  S|K{h32}
    SendGrid  SENDGRID_API_KEY  S|G.{w22}.{w43}
    Mailgun  MAILGUN_API_KEY  ke|y-{h32}
    Mailgun new  MAILGUN_API_KEY  {h32}-{h8}-{h8}
    Mailchimp  MAILCHIMP_API_KEY  {h32}-us{d2}
    Brevo  BREVO_API_KEY  xkey|sib-{h64}-{a16}
    Resend  RESEND_API_KEY  r|e_{a8}_{a24}
    Shopify  SHOPIFY_ACCESS_TOKEN  shp|at_{h32}
    EasyPost  EASYPOST_API_KEY  EZ|AK{a54}
    Shippo  SHIPPO_TOKEN  shippo|_live_{h40}
    Facebook  FACEBOOK_ACCESS_TOKEN  EA|AG{a180}
    Facebook page  FB_PAGE_TOKEN  EA|ACEdEose0cBA{a150}
    Facebook app  FACEBOOK_APP_TOKEN  {d16}{P1}{w27}
    Instagram  INSTAGRAM_TOKEN  IG|QV{a160}
    Twitter bearer  TWITTER_BEARER_TOKEN  AAAAAAAAAAAAAAAAAAA|AA{a28}%3D{a50}
    Twitter access  TWITTER_ACCESS_TOKEN  {d19}-{a40}
    Dropbox short  DROPBOX_ACCESS_TOKEN  sl|.{w135}
    Dropbox user  DROPBOX_ACCESS_TOKEN  sl|.u.A{w180}
    Dropbox long  DROPBOX_ACCESS_TOKEN  {a11}AAAA|AAAAAA{w43}
    HubSpot  HUBSPOT_TOKEN  pa|t-na1-{h8}-{h4}-{h4}-{h4}-{h12}
    LinkedIn  LINKEDIN_CLIENT_SECRET  WPL_AP|1.{a16}.{a6}==
    Intercom  INTERCOM_TOKEN  dG9|rO{b55}=
    Duffel  DUFFEL_TOKEN  duffel|_live_{w43}
    Flutterwave  FLW_SECRET_KEY  FLWSECK|_TEST-{h32}-X
    GoCardless  GOCARDLESS_TOKEN  li|ve_{w40}
    Lob  LOB_API_KEY  li|ve_{h35}
    Adafruit  ADAFRUIT_IO_KEY  ai|o_{a28}
    Yandex  YANDEX_API_KEY  AQ|VN{w36}
  `),
  ...bare(`
    Twilio auth  TWILIO_AUTH_TOKEN  {h32}
    PayPal secret  PAYPAL_CLIENT_SECRET  E{w79}
    Plaid secret  PLAID_SECRET  {h30}
    Facebook secret  FACEBOOK_APP_SECRET  {h32}
    Twitter key  TWITTER_API_KEY  {a25}
    Twitter secret  TWITTER_API_SECRET  {a50}
    Postmark  POSTMARK_SERVER_TOKEN  {h8}-{h4}-{h4}-{h4}-{h12}
    Twitch  TWITCH_CLIENT_SECRET  {l30}
    Spotify  SPOTIFY_CLIENT_SECRET  {h32}
    Zendesk  ZENDESK_API_TOKEN  {a40}
    Box  BOX_CLIENT_SECRET  {a32}
    Coinbase  COINBASE_API_SECRET  {b86}==
    Kraken  KRAKEN_API_SECRET  {b86}==
  `),
];
