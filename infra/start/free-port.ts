import { createServer } from "node:net";
import { StartError } from "./start-error.ts";

/**
 * Makes sure that nothing listens on a loopback port.
 * @throws StartError that names the option to choose another with.
 */
export async function requireFreePort(port: number, option: string): Promise<void> {
  const code = await listenOnce(port);
  if (code === null) return;
  throw new StartError(
    code === "EADDRINUSE"
      ? `Port ${port} is taken: stop what listens there, or choose another with \`npm start -- ${option} PORT\`.`
      : `Port ${port} cannot be listened on (${code}): choose another with \`npm start -- ${option} PORT\`.`,
  );
}

/** `preferred`, or where that is taken or `excluded`, any port that is free now. */
export async function findFreePort(preferred: number, excluded: number): Promise<number> {
  if (preferred !== excluded && (await listenOnce(preferred)) === null) return preferred;
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : preferred;
}

function listenOnce(port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(null)));
  });
}
