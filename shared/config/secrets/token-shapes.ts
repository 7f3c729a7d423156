interface TokenShape {
  readonly what: string;
  readonly pattern: RegExp;
}

const shape = (what: string, pattern: RegExp): TokenShape => ({ what, pattern });

/** Prefixed credentials of known services. Every pattern is anchored by its prefix and linear. */
const shapes: readonly TokenShape[] = [
  shape("a GitHub token", /\b(?:gh[pousr]_[A-Za-z0-9_]{10,255}|github_pat_[A-Za-z0-9_]{20,255})/),
  shape("a GitLab token", /\bgl(?:pat|oas|dt|rt|ptt|ft|soat|cbt|imt|agent)-[A-Za-z0-9_-]{20,}/),
  shape("an Anthropic key", /\bsk-ant-[A-Za-z0-9_-]{20,}/),
  shape("an OpenAI key", /\bsk-(?:proj-|svcacct-|admin-|or-v1-)?[A-Za-z0-9_-]{32,}/),
  shape("an AWS access key id", /\b(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}\b/),
  shape("a Google API key", /\bAIza[A-Za-z0-9_-]{35}/),
  shape(
    "a Google credential",
    /\b(?:ya29\.[A-Za-z0-9_-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|AQ\.[A-Za-z0-9_-]{30,})/,
  ),
  shape("a Slack token", /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-\d-[A-Za-z0-9-]{10,}/),
  shape(
    "a Slack webhook",
    /https:\/\/hooks\.slack\.com\/services\/T[A-Za-z0-9]+\/B[A-Za-z0-9]+\/[A-Za-z0-9]{10,}/,
  ),
  shape("a Stripe key", /\b(?:sk|rk|whsec)_(?:live_|test_)?[A-Za-z0-9]{20,}/),
  shape("a Supabase token", /\bsb(?:p|_secret)_[A-Za-z0-9_]{20,}/),
  shape("an npm token", /\bnpm_[A-Za-z0-9]{36}\b/),
  shape("a PyPI token", /\bpypi-[A-Za-z0-9_-]{40,}/),
  shape("a Hugging Face token", /\bhf_[A-Za-z0-9]{30,}/),
  shape("a Notion token", /\b(?:ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{20,})/),
  shape("a Linear key", /\blin_(?:api|oauth)_[A-Za-z0-9]{20,}/),
  shape("a Figma token", /\bfigd_[A-Za-z0-9_-]{20,}/),
  shape("a Groq key", /\bgsk_[A-Za-z0-9]{20,}/),
  shape("a Tavily key", /\btvly-[A-Za-z0-9_-]{20,}/),
  shape("a Brave Search key", /\bBSA[A-Za-z0-9_-]{20,}/),
  shape("a Perplexity key", /\bpplx-[A-Za-z0-9]{32,}/),
  shape("a Firecrawl key", /\bfc-[a-f0-9]{32}\b/),
  shape("an Apify token", /\bapify_api_[A-Za-z0-9]{20,}/),
  shape("a Replicate token", /\br8_[A-Za-z0-9]{30,}/),
  shape("an xAI key", /\bxai-[A-Za-z0-9]{30,}/),
  shape("an NVIDIA key", /\bnvapi-[A-Za-z0-9_-]{30,}/),
  shape("a SendGrid key", /\bSG\.[A-Za-z0-9_-]{16,128}\.[A-Za-z0-9_-]{16,}/),
  shape("a Twilio key", /\bSK[0-9a-f]{32}\b/),
  shape("a Shopify token", /\bshp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/),
  shape("a DigitalOcean token", /\bdo[opr]_v1_[a-f0-9]{64}/),
  shape("a Docker token", /\bdckr_pat_[A-Za-z0-9_-]{20,}/),
  shape("a Sentry token", /\bsntry[su]_[A-Za-z0-9+/=_-]{20,}/),
  shape("a Grafana token", /\bgl(?:sa|c)_[A-Za-z0-9_=-]{20,}/),
  shape("an Atlassian token", /\bATATT3[A-Za-z0-9_=-]{30,}/),
  shape("a Postman key", /\bPMAK-[a-f0-9]{24}-[a-f0-9]{30,}/),
  shape("a Databricks token", /\bdapi[a-f0-9]{32}\b/),
  shape("an Airtable token", /\bpat[A-Za-z0-9]{14}\.[a-f0-9]{60,}/),
  shape("a Telegram bot token", /\b\d{8,10}:AA[A-Za-z0-9_-]{32,}/),
  shape("a HashiCorp Vault token", /\bhv[sbr]\.[A-Za-z0-9_-]{24,}/),
  shape(
    "a JSON Web Token",
    /\beyJ[A-Za-z0-9_-]{10,600}\.eyJ[A-Za-z0-9_-]{10,4000}\.[A-Za-z0-9_-]{10,}/,
  ),
  shape("a private key", /-----BEGIN (?:[A-Z]+ ){0,3}PRIVATE KEY-----/),
];

/** No shape fits a shorter text. */
const shortestToken = 14;

/** What kind of credential stands in a text, by its shape; null for none. */
export function findToken(value: string): { readonly what: string; readonly token: string } | null {
  if (value.length < shortestToken) return null;
  for (const { what, pattern } of shapes) {
    const match = pattern.exec(value);
    if (match !== null) return { what, token: match[0] };
  }
  return null;
}
