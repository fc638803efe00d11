/** A refusal in OAuth's own form (RFC 6749, section 5.2): client programs read `error`, people the description. */

const STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  unsupported_grant_type: 400,
  unsupported_response_type: 400,
  invalid_scope: 400,
  invalid_target: 400,
  access_denied: 400,
  invalid_redirect_uri: 400,
  invalid_client_metadata: 400,
  authorization_pending: 400,
  slow_down: 400,
  expired_token: 400,
  temporarily_unavailable: 429,
} as const

export type OAuthErrorCode = keyof typeof STATUS

export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: number

  /** `status` stands in place of the code's. */
  constructor(code: OAuthErrorCode, description: string, status: number = STATUS[code]) {
    super(description)
    this.code = code
    this.status = status
  }

  toJSON(): { error: OAuthErrorCode; error_description: string } {
    return { error: this.code, error_description: this.message }
  }
}
