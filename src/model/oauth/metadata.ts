/** Metadata by which clients find their way in: RFC 8414 for the server, RFC 9728 for what tokens are good for. */
import { APP_SCOPES, type Audience, resourceOf } from './authorization.ts'

export const OAUTH_PATHS = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  register: '/oauth/register',
  revoke: '/oauth/revoke',
  device: '/oauth/device_authorization',
} as const

export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code'
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

export function serverMetadata(publicUrl: string) {
  return {
    issuer: publicUrl,
    authorization_endpoint: `${publicUrl}${OAUTH_PATHS.authorize}`,
    token_endpoint: `${publicUrl}${OAUTH_PATHS.token}`,
    registration_endpoint: `${publicUrl}${OAUTH_PATHS.register}`,
    revocation_endpoint: `${publicUrl}${OAUTH_PATHS.revoke}`,
    device_authorization_endpoint: `${publicUrl}${OAUTH_PATHS.device}`,
    scopes_supported: APP_SCOPES,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token', DEVICE_GRANT],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    service_documentation: `${publicUrl}/docs`,
  }
}

export function resourceMetadata(publicUrl: string, audience: Audience) {
  return {
    resource: resourceOf(publicUrl, audience),
    authorization_servers: [publicUrl],
    scopes_supported: APP_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Scriptorium',
    resource_documentation: `${publicUrl}/docs`,
  }
}

/** Returns where an interface's metadata stands: its path follows the well-known one (RFC 9728, section 3.1). */
export function resourceMetadataPath(audience: Audience): string {
  return `${RESOURCE_METADATA}${new URL(resourceOf('http://service', audience)).pathname}`
}

/**
 * Returns the challenge of a 401 or 403. Agents are told for which resource they need a token and what to ask of its
 * user, as the protocol's authorization has it; where a scope is missing, it is named alone. Quoted values hold no
 * quote: they are our own.
 */
export function challengeOf(
  publicUrl: string,
  audience: Audience,
  more: { error?: 'invalid_token' | 'insufficient_scope'; scope?: string } = {},
): string {
  const all = more.error === 'insufficient_scope' ? {} : { scope: APP_SCOPES.join(' ') }
  const forAgents = { ...all, resource: resourceOf(publicUrl, audience) }
  const given = {
    ...more,
    ...(audience === 'mcp' ? forAgents : {}),
    resource_metadata: `${publicUrl}${resourceMetadataPath(audience)}`,
  }
  const parts = Object.entries(given).map(([name, value]) => `${name}="${value}"`)
  return `Bearer ${parts.join(', ')}`
}
