/** The built deployment file; wrangler.toml's `[alias]` says which one. */
declare module "gangway:deployment" {
  const deployment: unknown;
  export default deployment;
}
