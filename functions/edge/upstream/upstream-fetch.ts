/** The way out to a remote server: `fetch` with the guard's rules in front of it. */
export type UpstreamFetch = (url: string, init: RequestInit) => Promise<Response>;
