/**
 * The way out to a remote server: `fetch` with the guard's rules in front of it. `followed` is
 * called for each redirect that is followed, which is one more request.
 */
export type UpstreamFetch = (
  url: string,
  init: RequestInit,
  followed?: () => void,
) => Promise<Response>;
