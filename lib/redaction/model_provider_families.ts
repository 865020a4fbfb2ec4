/** Keys of those who serve models and what goes with them. */
import { prefixed, type SecretFamily } from "./secret_family.ts";

/** In order: the first that fits gives its name. */
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
];
