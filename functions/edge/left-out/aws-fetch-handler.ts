/** Stands in for the AWS SDK's own `fetch`: `functions/edge/secrets/aws/aws-request-handler.ts` is handed over. */
export const FetchHttpHandler = {
  create: (handler: unknown): unknown => handler,
};

/** For bodies that are streams; our handler reads them to their end. */
export function streamCollector(): never {
  throw new TypeError("the AWS SDK got a stream");
}
