import { type AwsSettings, currentStage } from "./aws/aws-settings.ts";

export const providerNames = ["env", "aws"] as const;
export type ProviderName = (typeof providerNames)[number];

export interface SecretSettings {
  /** Stores in the order in which they are asked; empty where the setting cannot be read. */
  readonly providers: readonly ProviderName[];
  /** Null where AWS is not set up, or not completely. */
  readonly aws: AwsSettings | null;
}

type Env = Readonly<Record<string, unknown>>;

/** What is wrong goes to `problems`, a sentence each; /ready shows them to anybody. */
interface Reading {
  readonly env: Env;
  readonly development: boolean;
  readonly problems: string[];
}

const prefixPattern = /^[A-Za-z0-9/_+=.@-]{0,128}$/;
const stagePattern = /^[^\s]{1,256}$/;
const regionPattern = /^[a-z]{2,}(?:-[a-z0-9]+)+$/;
const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "[::1]", "localhost"]);

/**
 * Which secret stores are asked, and how AWS is reached:
 * `GANGWAY_SECRET_PROVIDERS` (`env`, `aws`, or both in the order of asking; by default `aws` where
 * `AWS_REGION` is set, else `env`), `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`,
 * `AWS_SESSION_TOKEN`, `AWS_ENDPOINT_URL_SECRETS_MANAGER`, `GANGWAY_AWS_SECRETS_PREFIX` (default
 * `gangway/`), `GANGWAY_AWS_SECRETS_LAYOUT` (`bundle` or `per-name`) and
 * `GANGWAY_AWS_SECRETS_STAGE` (default `AWSCURRENT`).
 */
export function readSecretSettings(
  env: Env,
  development: boolean,
  problems: string[],
): SecretSettings {
  const providers = readProviders(env, problems);
  if (!providers.includes("aws")) return { providers, aws: null };
  return { providers, aws: readAws({ env, development, problems }) };
}

function readProviders(env: Env, problems: string[]): readonly ProviderName[] {
  const text = textOf(env, "GANGWAY_SECRET_PROVIDERS");
  if (text === null) return textOf(env, "AWS_REGION") === null ? ["env"] : ["aws"];
  const names = text.split(",").map((name) => name.trim());
  if (names.every(isProviderName) && new Set(names).size === names.length) return names;
  problems.push(
    `GANGWAY_SECRET_PROVIDERS is neither ${providerNames.join(" nor ")} nor both with a comma between them.`,
  );
  return [];
}

function isProviderName(name: string): name is ProviderName {
  return providerNames.some((known) => known === name);
}

function readAws(reading: Reading): AwsSettings | null {
  const { env, problems } = reading;
  const before = problems.length;
  const sessionToken = textOf(env, "AWS_SESSION_TOKEN");
  const settings: AwsSettings = {
    region: readText(reading, "AWS_REGION", { pattern: regionPattern, form: "a region's name" }),
    credentials: {
      accessKeyId: readText(reading, "AWS_ACCESS_KEY_ID"),
      secretAccessKey: readText(reading, "AWS_SECRET_ACCESS_KEY"),
      ...(sessionToken === null ? {} : { sessionToken }),
    },
    endpoint: readEndpoint(reading),
    prefix: readText(reading, "GANGWAY_AWS_SECRETS_PREFIX", {
      pattern: prefixPattern,
      form: "the beginning of a secret's name",
      byDefault: "gangway/",
    }),
    layout: readLayout(reading),
    stage: readText(reading, "GANGWAY_AWS_SECRETS_STAGE", {
      pattern: stagePattern,
      form: "a staging label",
      byDefault: currentStage,
    }),
  };
  return problems.length === before ? settings : null;
}

interface TextForm {
  readonly pattern: RegExp;
  /** What the text is, for messages. */
  readonly form: string;
  readonly byDefault?: string;
}

function readText({ env, problems }: Reading, name: string, form?: TextForm): string {
  const text = textOf(env, name) ?? form?.byDefault;
  if (text === undefined) {
    problems.push(`${name} is not set, and the secret provider aws needs it.`);
    return "";
  }
  if (form !== undefined && !form.pattern.test(text)) problems.push(`${name} is not ${form.form}.`);
  return text;
}

function readLayout({ env, problems }: Reading): AwsSettings["layout"] {
  const text = textOf(env, "GANGWAY_AWS_SECRETS_LAYOUT") ?? "bundle";
  if (text === "bundle" || text === "per-name") return text;
  problems.push("GANGWAY_AWS_SECRETS_LAYOUT is neither bundle nor per-name.");
  return "bundle";
}

/** Plain http carries secrets in the clear: for an emulator on this machine, in development, alone. */
function readEndpoint({ env, development, problems }: Reading): URL | null {
  const name = "AWS_ENDPOINT_URL_SECRETS_MANAGER";
  const text = textOf(env, name);
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isOrigin =
    url !== null && url.pathname === "/" && url.search + url.hash + url.username === "";
  const plain = url?.protocol === "http:" && development && loopback.has(url.hostname);
  if (url !== null && isOrigin && (url.protocol === "https:" || plain)) return url;
  problems.push(`${name} is not an https origin (in development, http on loopback is one too).`);
  return null;
}

/** An empty variable counts as one that is not set. */
function textOf(env: Env, name: string): string | null {
  const value = env[name];
  return typeof value === "string" && value !== "" ? value : null;
}
