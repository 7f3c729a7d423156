/**
 * Stands in for the MCP client's part for this runtime, which brings a JSON Schema validator:
 * `shared/mcp/open-client.ts` hands over its own, which evaluates no schema of a peer.
 */
export const CORS_IS_POSSIBLE = false;

export class DefaultJsonSchemaValidator {
  getValidator(): never {
    throw new TypeError("the MCP client needs jsonSchemaValidator");
  }
}
