/** Keys of code hosts, package registries and developers' tools. */
import { prefixed, type SecretFamily } from "./secret_family.ts";

/** In order: the first that fits gives its name. */
export const DEVELOPER_FAMILIES: readonly SecretFamily[] = [
  prefixed("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9_]{36,255}"),
  prefixed("github-token", "github_pat_", "[A-Za-z0-9_]{40,255}"),
  prefixed(
    "gitlab-token",
    "glpat- gldt- glrt- glrtr- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct- glwt-",
    "[\\w-]{20,70}(?:\\.[\\w.-]{2,60})?",
  ),
  prefixed("bitbucket-token", "ATBB ATCTT3", "[\\w=-]{28,250}"),
  prefixed("atlassian-token", "ATATT3", "[\\w=-]{60,400}"),
  prefixed("npm-token", "npm_", "[A-Za-z0-9]{36}"),
  prefixed("pypi-token", "pypi-", "[\\w-]{50,500}"),
  prefixed("rubygems-key", "rubygems_", "[0-9a-f]{48}"),
  prefixed("docker-token", "dckr_pat_ dckr_oat_", "[\\w-]{24,60}"),
  prefixed("nuget-key", "oy2", "[a-z0-9]{43}(?![A-Za-z0-9])"),
  { ...prefixed("crates-io-token", "cio", "[A-Za-z0-9]{32}(?![A-Za-z0-9])"), random: true },
  prefixed("clojars-token", "CLOJARS_", "[a-z0-9]{60}"),
  prefixed("jfrog-key", "AKCp", "[A-Za-z0-9]{69,73}"),
  prefixed("circleci-token", "CCIPAT_ CCIPRJ_", "[\\w]{40,80}"),
  prefixed("buildkite-token", "bkua_ bkct_", "[0-9a-f]{40}"),
  prefixed("sourcegraph-token", "sgp_", "(?:[A-Za-z0-9]{16}_)?[0-9a-f]{40}"),
  prefixed("postman-key", "PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"),
  prefixed("linear-key", "lin_api_ lin_oauth_", "[A-Za-z0-9]{40,64}"),
  prefixed("notion-token", "ntn_", "[A-Za-z0-9]{40,60}"),
  prefixed("notion-token", "secret_", "[A-Za-z0-9]{43}(?![A-Za-z0-9])"),
  prefixed("figma-token", "figd_ figo_ figu_ figdr_", "[\\w-]{36,60}"),
  prefixed("airtable-token", "pat", "[A-Za-z0-9]{14}\\.[0-9a-f]{64}"),
  prefixed("asana-token", "0/1 1/1 2/1", "\\d{9,19}(?:/\\d{10,20})?:[0-9a-f]{32}"),
  prefixed(
    "launchdarkly-key",
    "sdk- api-",
    "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\\w-])",
  ),
  prefixed("typeform-token", "tfp_", "[\\w-]{40,70}"),
  prefixed("contentful-token", "CFPAT-", "[\\w-]{40,60}"),
  prefixed("readme-key", "rdme_", "[a-z0-9]{60,80}"),
  prefixed("age-secret-key", "AGE-SECRET-KEY-1", "[0-9A-Z]{58}"),
  {
    kind: "jwt",
    anchors: ["eyJ"],
    form: "eyJ[\\w-]{8,4000}\\.(?:eyJ|ey)[\\w-]{8,8000}\\.[\\w-]{16,1500}",
  },
  {
    kind: "encrypted-jwt",
    anchors: ["eyJ"],
    form: "eyJ[\\w-]{8,1000}\\.[\\w-]{0,800}\\.[\\w-]{16,40}\\.[\\w-]{8,8000}\\.[\\w-]{20,60}",
  },
  // What a leaked hash gives to one with time: the password. So hashes of passwords are taken too.
  prefixed("password-hash", "$2a$ $2b$ $2y$", "\\d\\d\\$[./A-Za-z0-9]{53}"),
  prefixed("password-hash", "$apr1$", "[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{22}"),
  prefixed(
    "password-hash",
    "$5$ $6$",
    "(?:rounds=\\d{1,9}\\$)?[./A-Za-z0-9]{1,16}\\$[./A-Za-z0-9]{43,86}",
  ),
  prefixed("password-hash", "$y$", "[./A-Za-z0-9]{1,8}\\$[./A-Za-z0-9]{8,86}\\$[./A-Za-z0-9]{43}"),
  prefixed(
    "password-hash",
    "$argon2id$ $argon2i$ $argon2d$",
    "v=\\d{1,3}\\$[mtp=,0-9]{5,40}\\$[A-Za-z0-9+/]{8,86}\\$[A-Za-z0-9+/]{16,172}",
  ),
];
