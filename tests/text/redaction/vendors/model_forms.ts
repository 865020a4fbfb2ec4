/** Keys of those who serve models, as their documentation shows them. */
import { bare, issued, type VendorForm } from "./vendor_form.ts";

export const MODEL_FORMS: readonly VendorForm[] = [
  ...issued(`
    Anthropic  ANTHROPIC_API_KEY  sk|-ant-api03-{w93}AA
    Anthropic admin  ANTHROPIC_ADMIN_KEY  sk|-ant-admin01-{w93}AA
    Claude Code  CLAUDE_CODE_OAUTH_TOKEN  sk|-ant-oat01-{w93}AA
    OpenAI legacy  OPENAI_API_KEY  sk|-{a20}T3Blbk|FJ{a20}
    OpenAI project  OPENAI_API_KEY  sk|-proj-{w74}T3Blbk|FJ{w74}
    OpenAI service account  OPENAI_API_KEY  sk|-svcacct-{w58}T3Blbk|FJ{w58}
    OpenAI on Azure  AZURE_OPENAI_API_KEY  {a52}JQQJ99{U8}{a10}ACOG{a4}
    Gemini  GEMINI_API_KEY  AI|zaSy{w33}
    Amazon Bedrock long  AWS_BEARER_TOKEN_BEDROCK  AB|SKQmVkcm9ja0FQSUtleS{b108}=
    Amazon Bedrock short  AWS_BEARER_TOKEN_BEDROCK  bedrock-api|-key-YmVkcm9jay5hbWF6b25hd3MuY29t{b300}
    Together  TOGETHER_API_KEY  tgp|_v1_{w43}
    Groq  GROQ_API_KEY  gs|k_{a52}
    xAI  XAI_API_KEY  xa|i-{a80}
    Perplexity  PERPLEXITY_API_KEY  pp|lx-{a48}
    DeepSeek  DEEPSEEK_API_KEY  s|k-{h32}
    OpenRouter  OPENROUTER_API_KEY  s|k-or-v1-{h64}
    Moonshot  MOONSHOT_API_KEY  s|k-{a48}
    Fireworks  FIREWORKS_API_KEY  f|w_{a24}
    Voyage  VOYAGE_API_KEY  p|a-{w43}
    Hugging Face  HF_TOKEN  h|f_{M34}
    Replicate  REPLICATE_API_TOKEN  r|8_{a37}
    NVIDIA  NVIDIA_API_KEY  nv|api-{w64}
    Cerebras  CEREBRAS_API_KEY  cs|k-{l48}
    ElevenLabs  ELEVENLABS_API_KEY  s|k_{h48}
    Pinecone  PINECONE_API_KEY  pc|sk_{a6}_{a63}
    LangSmith  LANGSMITH_API_KEY  lsv2|_pt_{h32}_{h10}
    Langfuse  LANGFUSE_SECRET_KEY  s|k-lf-{h8}-{h4}-{h4}-{h4}-{h12}
    Tavily  TAVILY_API_KEY  tv|ly-dev-{a32}
    Firecrawl  FIRECRAWL_API_KEY  f|c-{h32}
    Jina  JINA_API_KEY  jina|_{h32}{a28}
    RunPod  RUNPOD_API_KEY  rp|a_{U40}{l6}
    Weights and Biases  WANDB_API_KEY  wandb|_v1_{a27}_{a43}
    Cursor  CURSOR_API_KEY  ke|y_{h64}
    E2B  E2B_API_KEY  e2|b_{h40}
  `),
  ...bare(`
    Azure OpenAI old  AZURE_OPENAI_API_KEY  {h32}
    Cohere  COHERE_API_KEY  {a40}
    Mistral  MISTRAL_API_KEY  {a32}
    Together old  TOGETHER_API_KEY  {h64}
    Weights and Biases old  WANDB_API_KEY  {h40}
    Deepgram  DEEPGRAM_API_KEY  {h40}
    AssemblyAI  ASSEMBLYAI_API_KEY  {h32}
    AI21  AI21_API_KEY  {a32}
    Zhipu  ZHIPUAI_API_KEY  {h32}.{a16}
    Exa  EXA_API_KEY  {h8}-{h4}-{h4}-{h4}-{h12}
    Baseten  BASETEN_API_KEY  {a8}.{a32}
  `),
];
