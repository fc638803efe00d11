/** The names by which the parts of sign-in know each other. */

export const AUTH_BASE = '/account/auth'
export const OIDC_PROVIDER = 'oidc'
/** The visitor's address as the server saw it; what a request says of itself is not believed. */
export const VISITOR_HEADER = 'x-visitor-address'
