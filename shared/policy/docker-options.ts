import { accept, at, refuse, type Check, type Refusal } from "./check.ts";
import { checkEnvName, type EnvNameRules } from "./env-names.ts";
import type { EnvNameReason, LaunchReason } from "./reasons.ts";
import { refuseDockerOption } from "./docker-option-refusal.ts";
import { parseMount, parseVolume, type Volume } from "./volume.ts";

/** What stands between `docker run` and the image. */
export interface DockerOptions {
  /** `-i`: without it the server never hears its client. */
  readonly interactive: boolean;
  /** `--rm`: without it every run leaves a stopped container behind. */
  readonly remove: boolean;
  readonly init: boolean;
  /** Names of bare `-e NAME`, whose values come from the config's own env and nowhere else. */
  readonly envNames: readonly string[];
  /** `-e NAME=VALUE`; values may hold references. */
  readonly envValues: Readonly<Record<string, string>>;
  readonly volumes: readonly Volume[];
  /** Names of options that ask for what the host decides by itself: they change nothing. */
  readonly ignored: readonly string[];
}

export interface DockerRules extends EnvNameRules {
  /** Folders of the host, absolute, of which containers may see parts; default none. */
  readonly volumeRoots?: readonly string[];
}

/** What one option adds. */
type Effect =
  | { readonly flag: "interactive" | "remove" | "init" }
  | { readonly env: string; readonly value: string | null }
  | { readonly volume: Volume }
  | { readonly ignored: string };

const flags: ReadonlyMap<string, "interactive" | "remove" | "init"> = new Map([
  ["-i", "interactive"],
  ["--interactive", "interactive"],
  ["--rm", "remove"],
  ["--init", "init"],
]);
type Read = (text: string, rules: DockerRules) => Check<Effect, LaunchReason | EnvNameReason>;

const valueOptions: ReadonlyMap<string, Read> = new Map([
  ["-e", readEnv],
  ["--env", readEnv],
  ["-v", readVolume(parseVolume)],
  ["--volume", readVolume(parseVolume)],
  ["--mount", readVolume(parseMount)],
  // The host names its containers by itself, and gives each the bridge network.
  ["--name", readIgnored("--name", /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/)],
  ["--network", readIgnored("--network", /^bridge$/)],
  ["--net", readIgnored("--net", /^bridge$/)],
]);

/** Reads the options that start at an index; `next` is the index of the first argument behind them. */
export function readDockerOptions(
  args: readonly string[],
  start: number,
  rules: DockerRules,
): Check<DockerOptions & { readonly next: number }, LaunchReason | EnvNameReason> {
  const effects: Effect[] = [];
  let next = start;
  while (args[next]?.startsWith("-") === true) {
    const option = readOption(args, next, rules);
    if (!option.ok) return option;
    effects.push(option.value.effect);
    next = option.value.next;
  }
  return accept({ ...collect(effects), next });
}

function readOption(
  args: readonly string[],
  index: number,
  rules: DockerRules,
): Check<{ effect: Effect; next: number }, LaunchReason | EnvNameReason> {
  const arg = args[index] ?? "";
  const flag = flags.get(arg);
  if (flag !== undefined) return accept({ effect: { flag }, next: index + 1 });
  const [name = "", ...joined] = arg.startsWith("--") ? arg.split("=") : [arg];
  const read = valueOptions.get(name);
  if (read === undefined) return at(index, refuseDockerOption(arg));
  const valueIndex = joined.length > 0 ? index : index + 1;
  const value = joined.length > 0 ? joined.join("=") : args[valueIndex];
  if (value === undefined) return at(index, missingValue(name));
  const effect = read(value, rules);
  return effect.ok
    ? accept({ effect: effect.value, next: valueIndex + 1 })
    : at(valueIndex, effect);
}

function readEnv(text: string, rules: DockerRules): Check<Effect, EnvNameReason> {
  const equals = text.indexOf("=");
  const name = checkEnvName(equals === -1 ? text : text.slice(0, equals), rules);
  if (!name.ok) return name;
  return accept({ env: name.value, value: equals === -1 ? null : text.slice(equals + 1) });
}

function readVolume(parse: typeof parseVolume): Read {
  return (text, rules) => {
    const volume = parse(text, rules.volumeRoots ?? []);
    return volume.ok ? accept({ volume: volume.value }) : volume;
  };
}

function readIgnored(name: string, values: RegExp): Read {
  return (text) => (values.test(text) ? accept({ ignored: name }) : refuseDockerOption(name));
}

/** Of several `-e` of one name the last counts, as with docker. */
function collect(effects: readonly Effect[]): DockerOptions {
  const has = (flag: string) => effects.some((effect) => "flag" in effect && effect.flag === flag);
  const env = new Map(
    effects.flatMap((effect) => ("env" in effect ? [[effect.env, effect.value] as const] : [])),
  );
  return {
    interactive: has("interactive"),
    remove: has("remove"),
    init: has("init"),
    envNames: [...env].flatMap(([name, value]) => (value === null ? [name] : [])),
    envValues: Object.fromEntries(
      [...env].flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
    ),
    volumes: effects.flatMap((effect) => ("volume" in effect ? [effect.volume] : [])),
    ignored: effects.flatMap((effect) => ("ignored" in effect ? [effect.ignored] : [])),
  };
}

function missingValue(name: string): Refusal<LaunchReason> {
  return refuse(
    "option-value-missing",
    `docker run ${name} has no value.`,
    `Write the value after ${name}.`,
  );
}
