/** Keys of code hosts, registries, trackers and builders, as their documentation shows them. */
import { bare, issued, type VendorForm } from "./vendor_form.ts";

export const TOOL_FORMS: readonly VendorForm[] = [
  ...issued(`
    GitHub classic  GITHUB_TOKEN  gh|p_{a36}
    GitHub OAuth  GH_TOKEN  gh|o_{a36}
    GitHub app user  GITHUB_TOKEN  gh|u_{a36}
    GitHub app server  GITHUB_TOKEN  gh|s_{a36}
    GitHub refresh  GITHUB_REFRESH_TOKEN  gh|r_{a76}
    GitHub fine-grained  GITHUB_TOKEN  github|_pat_{a22}_{a59}
    GitLab personal  GITLAB_TOKEN  gl|pat-{w20}
    GitLab routable  GITLAB_TOKEN  gl|pat-{w27}.01.{l9}
    GitLab deploy  GITLAB_DEPLOY_TOKEN  gl|dt-{w20}
    GitLab runner  RUNNER_TOKEN  gl|rt-{w20}
    GitLab trigger  TRIGGER_TOKEN  gl|ptt-{h40}
    GitLab job  CI_JOB_TOKEN  gl|cbt-{a2}_{w20}
    GitLab runner registration  REGISTRATION_TOKEN  GR|1348941{w20}
    GitLab application  GITLAB_APP_SECRET  gl|oas-{h64}
    Bitbucket app password  BITBUCKET_APP_PASSWORD  AT|BB{a32}
    Atlassian  ATLASSIAN_API_TOKEN  ATA|TT3xFfGF0{w176}={H8}
    Confluence resource  BITBUCKET_TOKEN  ATC|TT3xFfGN0{w170}={H8}
    npm  NPM_TOKEN  np|m_{a36}
    PyPI  PYPI_TOKEN  py|pi-AgEIcHlwaS5vcmc{w150}
    RubyGems  GEM_HOST_API_KEY  ruby|gems_{h48}
    NuGet  NUGET_API_KEY  oy|2{l43}
    crates.io  CARGO_REGISTRY_TOKEN  ci|o{a32}
    Docker  DOCKER_PAT  dckr|_pat_{w27}
    Clojars  CLOJARS_PASSWORD  CLO|JARS_{l60}
    JFrog API  JFROG_API_KEY  AK|Cp{a69}
    JFrog reference  JFROG_ACCESS_TOKEN  cm|VmdGtu{a57}
    CircleCI  CIRCLECI_TOKEN  CCI|PAT_{a22}_{h40}
    Buildkite  BUILDKITE_API_TOKEN  bk|ua_{h40}
    Sonar user  SONAR_TOKEN  sq|u_{h40}
    Sonar project  SONAR_TOKEN  sq|p_{h40}
    Sonar global  SONAR_TOKEN  sq|a_{h40}
    Sourcegraph  SRC_ACCESS_TOKEN  sg|p_{h16}_{h40}
    Postman  POSTMAN_API_KEY  PM|AK-{h24}-{h34}
    Linear  LINEAR_API_KEY  lin|_api_{a40}
    Notion  NOTION_TOKEN  nt|n_{d11}{a35}
    Notion old  NOTION_TOKEN  secr|et_{a43}
    Figma  FIGMA_TOKEN  fi|gd_{w40}
    Airtable  AIRTABLE_API_KEY  pa|t{a14}.{h64}
    Asana  ASANA_TOKEN  2|/1{d15}/1{d15}:{h32}
    ClickUp  CLICKUP_TOKEN  p|k_{d8}_{U32}
    Octopus Deploy  OCTOPUS_API_KEY  AP|I-{U26}
    Harness  HARNESS_API_KEY  pa|t.{w22}.{h24}.{a20}
    Infracost  INFRACOST_API_KEY  ic|o-{a32}
    Contentful  CONTENTFUL_MANAGEMENT_TOKEN  CF|PAT-{w43}
    ReadMe  README_API_KEY  rd|me_{l70}
    Typeform  TYPEFORM_TOKEN  tf|p_{a44}_{a14}
    Mapbox  MAPBOX_SECRET_TOKEN  sk.ey|J1Ijoi{a56}.{w22}
    Scalingo  SCALINGO_API_TOKEN  tk|-us-{w48}
    Adobe  ADOBE_CLIENT_SECRET  p8|e-{w32}
    Frame.io  FRAMEIO_TOKEN  fi|o-u-{w64}
    MaxMind  MAXMIND_LICENSE_KEY  {a6}_{a29}_m|mk
    age  AGE_KEY  AGE-SECRET|-KEY-1{Q58}
  `),
  ...bare(`
    CircleCI old  CIRCLE_TOKEN  {h40}
    Codecov  CODECOV_TOKEN  {h8}-{h4}-{h4}-{h4}-{h12}
    Travis  TRAVIS_TOKEN  {a22}
    Snyk  SNYK_TOKEN  {h8}-{h4}-{h4}-{h4}-{h12}
    Algolia  ALGOLIA_ADMIN_KEY  {h32}
    Jenkins  JENKINS_API_TOKEN  11{h32}
    Drone  DRONE_TOKEN  {a32}
    Vault old  VAULT_TOKEN  s.{a24}
  `),
];
