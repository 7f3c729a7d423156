import { connect } from "node:net";
import { startFixture } from "./start-fixture.ts";

export interface DeafServer extends AsyncDisposable {
  readonly url: string;
}

/** A server whose queue of connections is full: the next one is never accepted. */
export async function deafServer(): Promise<DeafServer> {
  const fixture = await startFixture("sse/deaf-server.ts");
  process.kill(fixture.pid, "SIGSTOP");
  const { port } = new URL(fixture.url);
  const fillers = Array.from({ length: 4 }, () => connect(Number(port), "127.0.0.1"));
  const dispose = async (): Promise<void> => {
    for (const filler of fillers) filler.on("error", () => undefined).destroy();
    await fixture.close();
  };
  return { url: fixture.url, [Symbol.asyncDispose]: dispose };
}
