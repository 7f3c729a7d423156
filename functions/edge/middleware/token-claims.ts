import type { JWTPayload } from "jose";
import type { TokenIssuer } from "../../../shared/config/issuer-schema.ts";
import type { Caller } from "../context.ts";

/**
 * Whom a token of this issuer stands for, its signature and times being checked: never more than
 * the issuer's entry allows. Null where a claim is missing or names what it may not.
 */
export function callerOfToken(payload: JWTPayload, issuer: TokenIssuer): Caller | null {
  const { sub } = payload;
  const tenant = tenantOf(payload, issuer);
  if (tenant === null || sub === undefined || sub === "" || sub.length > longestSubject)
    return null;
  if (!hasClaims(payload, issuer)) return null;
  return {
    tenant,
    keyId: issuer.id,
    // Another issuer may know another person by the same name.
    subject: `${issuer.id}:${sub}`,
    scopes: scopesOf(payload, issuer),
    servers: issuer.servers ?? null,
    tools: issuer.tools ?? null,
  };
}

const longestSubject = 256;

function tenantOf(payload: JWTPayload, { tenants, tenant_claim }: TokenIssuer): string | null {
  if (tenant_claim === undefined) return tenants[0] ?? null;
  const named = claim(payload, tenant_claim);
  return tenants.find((tenant) => tenant === named) ?? null;
}

function scopesOf(payload: JWTPayload, { scopes, scope_claim }: TokenIssuer): Caller["scopes"] {
  if (scope_claim === undefined) return new Set(scopes);
  const named = claim(payload, scope_claim);
  const words: unknown[] = typeof named === "string" ? named.split(" ") : asList(named);
  return new Set(scopes.filter((scope) => words.includes(scope)));
}

function hasClaims(payload: JWTPayload, { claims }: TokenIssuer): boolean {
  return Object.entries(claims).every(([name, values]) => {
    const held = claim(payload, name);
    return [held].flat().some((value) => typeof value === "string" && values.includes(value));
  });
}

function claim(payload: JWTPayload, name: string): unknown {
  return Object.hasOwn(payload, name) ? payload[name] : undefined;
}

function asList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
