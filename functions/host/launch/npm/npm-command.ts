import { join } from "node:path";
import { programPath } from "../../process/environment.ts";
import type { NpmSettings } from "../../settings.ts";

/** Folders and files that npm is given, all the host's own. */
export interface NpmFiles {
  readonly home: string;
  readonly cache: string;
  /** Two empty files: npm refuses one file in both places. */
  readonly userConfig: string;
  readonly globalConfig: string;
}

export function npmFiles(root: string): NpmFiles {
  return {
    home: join(root, "home"),
    cache: join(root, "cache"),
    userConfig: join(root, "home", "user.npmrc"),
    globalConfig: join(root, "home", "global.npmrc"),
  };
}

/** The argv that installs one package by its registry spec into the working directory. */
export function installArgv(cli: string, spec: string): [string, ...string[]] {
  return [process.execPath, cli, "install", "--save-exact", "--", spec];
}

/** What a policy lets npm do. */
export interface NpmTerms {
  readonly scripts: boolean;
  /** Nothing that was published later is installed; null = whatever there is. */
  readonly before: Date | null;
}

/**
 * The whole environment of the installer. No script of a package runs unless terms say so, nothing but the registry is
 * a source of code, and no configuration file but the two empty ones is read.
 */
export function npmEnvironment(
  npm: NpmSettings,
  files: NpmFiles,
  { scripts, before }: NpmTerms,
): Record<string, string> {
  return {
    ...npm.environment,
    PATH: programPath,
    HOME: files.home,
    LANG: "C.UTF-8",
    npm_config_ignore_scripts: scripts ? "false" : "true",
    npm_config_allow_git: "none",
    npm_config_allow_remote: "none",
    npm_config_allow_file: "none",
    npm_config_allow_directory: "none",
    npm_config_script_shell: "/bin/sh",
    npm_config_userconfig: files.userConfig,
    npm_config_globalconfig: files.globalConfig,
    npm_config_cache: files.cache,
    npm_config_audit: "false",
    npm_config_fund: "false",
    npm_config_update_notifier: "false",
    npm_config_progress: "false",
    npm_config_loglevel: "error",
    // A log file nobody reads: what fails is told by stderr.
    npm_config_logs_max: "0",
    npm_config_omit: "dev",
    // A registry that is down is told within seconds; the next call tries again.
    npm_config_fetch_retries: "1",
    npm_config_fetch_retry_mintimeout: "1000",
    ...(before === null ? {} : { npm_config_before: before.toISOString() }),
    ...(npm.registry === null ? {} : { npm_config_registry: npm.registry }),
  };
}
