/** A server of the npm registry, as a config would start it. */
export interface RealServer {
  readonly package: string;
  readonly version: string;
  /** The program, where the package has several. */
  readonly bin?: string;
  readonly args?: readonly string[];
  /** Variables without which it does not start; the values are made up. */
  readonly env?: Readonly<Record<string, string>>;
}

const token = "not-a-real-token-0123456789abcdef";
const database = "127.0.0.1";

/** Widely used servers of many makers; those that need an account or a network only start and list. */
export const realServers: readonly RealServer[] = [
  { package: "@playwright/mcp", version: "0.0.83" },
  { package: "chrome-devtools-mcp", version: "1.11.0" },
  { package: "@upstash/context7-mcp", version: "4.1.1" },
  {
    package: "@modelcontextprotocol/server-filesystem",
    version: "2026.8.31",
    args: ["/usr/share"],
  },
  { package: "@modelcontextprotocol/server-sequential-thinking", version: "2026.8.31" },
  { package: "@modelcontextprotocol/server-memory", version: "2026.8.31" },
  { package: "@modelcontextprotocol/server-everything", version: "2026.8.31" },
  { package: "@modelcontextprotocol/server-github", version: "2025.4.8" },
  {
    package: "@modelcontextprotocol/server-postgres",
    version: "0.6.2",
    args: [`postgresql://${database}:5432/postgres`],
  },
  {
    package: "@modelcontextprotocol/server-google-maps",
    version: "0.6.2",
    env: { GOOGLE_MAPS_API_KEY: token },
  },
  {
    package: "@modelcontextprotocol/server-slack",
    version: "2025.4.25",
    env: { SLACK_BOT_TOKEN: token, SLACK_TEAM_ID: "T0000000" },
  },
  {
    package: "@modelcontextprotocol/server-brave-search",
    version: "0.6.2",
    env: { BRAVE_API_KEY: token },
  },
  { package: "@modelcontextprotocol/server-puppeteer", version: "2025.5.12" },
  {
    package: "@modelcontextprotocol/server-gitlab",
    version: "2025.4.25",
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: token },
  },
  { package: "@modelcontextprotocol/server-gdrive", version: "2025.1.14" },
  { package: "@azure-devops/mcp", version: "2.10.0", args: ["contoso"] },
  {
    package: "@supabase/mcp-server-supabase",
    version: "0.13.0",
    env: { SUPABASE_ACCESS_TOKEN: token },
  },
  { package: "@azure/mcp", version: "2.0.5", args: ["server", "start"] },
  { package: "@notionhq/notion-mcp-server", version: "2.5.2", env: { NOTION_TOKEN: token } },
  { package: "@gongrzhe/server-gmail-autoauth-mcp", version: "1.1.11" },
  { package: "nx-mcp", version: "0.25.0" },
  { package: "n8n-mcp", version: "2.87.0" },
  { package: "cclsp", version: "0.7.0" },
  { package: "next-devtools-mcp", version: "0.4.0" },
  {
    package: "mongodb-mcp-server",
    version: "3.0.4",
    env: { MDB_MCP_CONNECTION_STRING: `mongodb://${database}:27017` },
  },
  { package: "@stripe/mcp", version: "0.3.3", env: { STRIPE_SECRET_KEY: "rk_test_0123456789" } },
  { package: "tavily-mcp", version: "0.2.22", env: { TAVILY_API_KEY: token } },
  {
    package: "@zereight/mcp-gitlab",
    version: "2.1.64",
    env: { GITLAB_PERSONAL_ACCESS_TOKEN: token },
  },
  { package: "firecrawl-mcp", version: "3.26.0", env: { FIRECRAWL_API_KEY: token } },
  { package: "@wonderwhy-er/desktop-commander", version: "0.2.52" },
  {
    package: "@salesforce/mcp",
    version: "0.30.15",
    args: ["--orgs", "DEFAULT_TARGET_ORG", "--toolsets", "orgs"],
  },
  { package: "@sentry/mcp-server", version: "0.39.0", args: [`--access-token=${token}`] },
  { package: "@launchdarkly/mcp-server", version: "0.6.2", args: ["start", "--api-key", token] },
  { package: "mcp-hello-world", version: "1.1.2" },
  { package: "@executeautomation/playwright-mcp-server", version: "1.0.12" },
  { package: "@eslint/mcp", version: "0.3.13" },
  { package: "@mastra/mcp-docs-server", version: "1.2.27" },
  {
    package: "@winor30/mcp-server-datadog",
    version: "1.8.0",
    env: { DATADOG_API_KEY: token, DATADOG_APP_KEY: token },
  },
  { package: "@antv/mcp-server-chart", version: "0.9.10" },
  {
    package: "@dynatrace-oss/dynatrace-mcp-server",
    version: "2.1.2",
    env: { DT_ENVIRONMENT: "https://abc12345.apps.dynatrace.com", DT_PLATFORM_TOKEN: token },
  },
  { package: "@cocal/google-calendar-mcp", version: "2.6.3" },
  { package: "@bytebase/dbhub", version: "1.4.0", args: ["--transport", "stdio", "--demo"] },
  { package: "@hubspot/mcp-server", version: "0.4.0", env: { PRIVATE_APP_ACCESS_TOKEN: token } },
  { package: "@perplexity-ai/mcp-server", version: "1.2.1", env: { PERPLEXITY_API_KEY: token } },
  { package: "@shortcut/mcp", version: "0.25.0", env: { SHORTCUT_API_TOKEN: token } },
  { package: "@apify/actors-mcp-server", version: "0.16.0", env: { APIFY_TOKEN: token } },
  { package: "@drawio/mcp", version: "1.6.1" },
  { package: "@mobilenext/mobile-mcp", version: "1.0.4" },
  { package: "@currents/mcp", version: "2.1.1", env: { CURRENTS_API_KEY: token } },
  { package: "@google-cloud/cloud-run-mcp", version: "1.10.0" },
  { package: "@brave/brave-search-mcp-server", version: "2.1.4", env: { BRAVE_API_KEY: token } },
  {
    package: "@larksuiteoapi/lark-mcp",
    version: "0.5.1",
    args: ["mcp", "-a", "cli_0123456789", "-s", token],
  },
  { package: "mcp-server-code-runner", version: "0.1.8" },
  { package: "@aashari/mcp-server-atlassian-jira", version: "3.3.0" },
  { package: "@browsermcp/mcp", version: "0.1.3" },
  { package: "exa-mcp-server", version: "3.4.1", env: { EXA_API_KEY: token } },
  {
    package: "@benborla29/mcp-server-mysql",
    version: "2.0.9",
    env: { MYSQL_HOST: database, MYSQL_USER: "root", MYSQL_PASS: token, MYSQL_DB: "test" },
  },
  { package: "@shopify/dev-mcp", version: "1.16.0" },
  { package: "@softeria/ms-365-mcp-server", version: "0.155.0" },
  { package: "@mapbox/mcp-server", version: "0.14.0", env: { MAPBOX_ACCESS_TOKEN: token } },
  { package: "@sveltejs/mcp", version: "0.1.26" },
  {
    package: "argocd-mcp",
    version: "0.9.0",
    args: ["stdio"],
    env: { ARGOCD_BASE_URL: "https://127.0.0.1:1", ARGOCD_API_TOKEN: token },
  },
  { package: "mcp-server-kubernetes", version: "4.1.7" },
  { package: "@brightdata/mcp", version: "2.11.3", env: { API_TOKEN: token } },
  { package: "mcp-mermaid", version: "0.4.1" },
  { package: "@amap/amap-maps-mcp-server", version: "0.0.8", env: { AMAP_MAPS_API_KEY: token } },
  { package: "@openbnb/mcp-server-airbnb", version: "0.3.0" },
  { package: "kubernetes-mcp-server", version: "0.0.67" },
  { package: "@heroku/mcp-server", version: "1.2.8", env: { HEROKU_API_KEY: token } },
  { package: "@cyanheads/git-mcp-server", version: "2.15.3" },
  { package: "@pinecone-database/mcp", version: "0.3.0", env: { PINECONE_API_KEY: token } },
  { package: "@postman/postman-mcp-server", version: "2.13.0", env: { POSTMAN_API_KEY: token } },
  { package: "airtable-mcp-server", version: "1.14.0", env: { AIRTABLE_API_KEY: token } },
];
