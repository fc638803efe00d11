/** Tables of whoever signs in: the account, sign-in, keys and apps. */
import { BY_ACCOUNT, OF_ACCOUNT, bounded, eachOf, per, type PeoplesTable } from './entry.ts'

const OF_MAILS = ['attempts.MAILS.size', 'attempts.MAILS.everySeconds'] as const
/** Why an export leaves out what lets its reader in. */
const OPENS = { not: 'whoever reads it could open the account' }
const OF_USER = {
  path: { column: 'user_id', of: 'sign_in_user' },
  erased: { with: 'sign_in_user' },
}
const OF_GRANT = {
  path: { column: 'grant_id', of: 'oauth_grant' },
  erased: { with: 'oauth_grant' },
}

export const TABLES_OF_PEOPLE = {
  account: {
    writers: 'accounts started-job',
    holds: 'the email address; when it was opened, suspended, deleted',
    path: { column: 'id', of: 'account' },
    erased: 'stripped',
    exported: 'rows',
    grows: eachOf('sign_in_user', 'one for each proven address'),
  },
  sign_in_user: {
    writers: 'sign-in',
    holds: 'the email address, and when it was confirmed',
    path: BY_ACCOUNT,
    erased: 'at_once',
    exported: 'rows',
    grows: per('account', 'one for each proven address'),
  },
  sign_in_method: {
    writers: 'sign-in',
    holds: 'the hash of the password, or the identity at a provider',
    ...OF_USER,
    // A provider's tokens are rights to act for its user; sign-in needs none of them again.
    columns: {
      kept_secret: 'password',
      secret: 'access_token refresh_token id_token',
      left_out: 'access_token_expires_at refresh_token_expires_at',
    },
    exported: 'rows',
    grows: eachOf('sign_in_user', 'one for the password, one for the provider'),
  },
  sign_in_passkey: {
    writers: 'sign-in',
    holds: 'public keys of passkeys, with the names that their owner gave them',
    ...OF_USER,
    columns: { plain: 'public_key credential_id' },
    exported: 'rows',
    grows: per('user', 'passkeys', 'limits.passkeysMax'),
  },
  sign_in_session: {
    writers: 'sign-in',
    holds: 'when, from which network address and with which browser somebody signed in',
    ...OF_USER,
    columns: { secret: 'token' },
    goesAfter: 'signIn.SESSION_SECONDS',
    swept: 'expires_at',
    backup: {
      none: 'whoever reads the file would be signed in, and a session would outlive its sign-out',
    },
    exported: 'rows',
    latest: { key: 'id', of: 'user_id', order: 'updated_at desc, id' },
    grows: per('user', 'the last used', 'limits.sessionsMax'),
  },
  sign_in_verification: {
    writers: 'sign-in',
    holds: 'hashes of mailed links',
    path: null,
    columns: { secret: 'value' },
    goesAfter: 'limits.mailedLinkSeconds',
    swept: 'expires_at',
    backup: { none: 'links and challenges that are under way, of an hour at most' },
    erased: 'at_once',
    exported: OPENS,
    grows: per(
      'day',
      'one for each mail to an address, and challenges that expire within minutes',
      ...OF_MAILS,
      'attempts.ROWS_BY_NETWORK.everySeconds',
    ),
  },
  sign_up: {
    writers: 'address-changes',
    holds: 'the address of somebody who has not confirmed it yet, and the hash of their password',
    path: null,
    columns: { secret: 'token_hash browser_hash password' },
    goesAfter: 'limits.mailedLinkSeconds',
    swept: 'expires_at',
    erased: 'at_once',
    exported: { not: 'of nobody’s account yet' },
    grows: per('day', 'one for each mail to an address', ...OF_MAILS),
  },
  address_change: {
    writers: 'address-changes',
    holds: 'the address before and after a change, so that it can be undone',
    ...OF_USER,
    columns: { secret: 'confirm_hash stop_hash undo_hash' },
    goesAfter: 'limits.addressUndoSeconds',
    swept: 'expires_at',
    backup: {
      none: 'links to old and new addresses: after days, a restore is no reason to open one',
    },
    exported: 'rows',
    grows: per(
      'day',
      'one that waits, and those that a mail confirmed, until they expire',
      ...OF_MAILS,
    ),
  },
  operator: {
    writers: 'operators',
    holds: 'that the account is an operator’s',
    ...OF_ACCOUNT,
    columns: { secret: 'secret' },
    backup: {
      none: 'a role that a file brings back would outlive its revocation; it is granted again',
    },
    exported: 'rows',
    grows: bounded('made by a command'),
  },
  operator_proof: {
    writers: 'operators',
    holds: 'that an operator proved a second factor in a session',
    path: BY_ACCOUNT,
    backup: { none: 'of sessions, which are left out' },
    erased: { with: 'operator' },
    exported: 'rows',
    grows: eachOf('sign_in_session', 'one'),
  },
  mail: {
    writers: 'mails',
    holds: 'emails that wait to be sent: address and text, until they are sent',
    path: null,
    columns: { secret: 'sealed' },
    backup: { none: 'links that sign in, and mails that would be sent twice' },
    erased: { kept: 'emails that wait to be sent: those to the address go with the account' },
    exported: { not: 'they are on their way to their reader' },
    grows: per('day', 'mails to an address, until they are sent', ...OF_MAILS),
  },

  // Keys and apps.
  api_key: {
    writers: 'accounts authentication',
    holds: 'names and hashes of keys, and when they were used last',
    ...OF_ACCOUNT,
    columns: { kept_secret: 'secret_hash', left_out: 'connection_id grant_id audience' },
    // Bearers of sessions would outlive a sign-out, and tokens of apps a revocation.
    backup: { rows: `kind = 'key'` },
    exported: 'rows',
    latest: { key: 'id', of: 'grant_id', order: 'created_at desc, id' },
    grows: per(
      'account',
      'live keys, revoked ones that are listed, bearers of the website for 15 minutes, and tokens of each consent',
      'keys.KEYS_MAX',
      'keys.REVOKED_KEYS_MAX',
      'keys.SESSION_BEARER_SECONDS',
      'oauth.accessTokensMax',
    ),
  },
  // Apps stay known after a restore, with what they spent; they ask for consent again.
  app_connection: {
    writers: 'app-connections',
    holds: 'which app may do what',
    path: BY_ACCOUNT,
    erased: 'after_jobs',
    exported: 'rows',
    grows: per(
      'account',
      'connected apps; those that are disconnected stay only where they started a job',
      'oauth.connectionsMax',
    ),
  },
  oauth_grant: {
    writers: 'oauth-grants',
    holds: 'one consent to an app',
    path: { column: 'connection_id', of: 'app_connection' },
    swept: 'expires_at',
    backup: { none: 'whoever reads the file could act as the app; apps ask for consent again' },
    erased: { with: 'app_connection' },
    exported: 'rows',
    latest: { key: 'id', of: 'connection_id', order: 'created_at desc, id' },
    grows: eachOf('app_connection', 'the latest', 'oauth.grantsMax'),
  },
  oauth_code: {
    writers: 'oauth-grants',
    holds: 'the hash of a code that an app exchanges within minutes',
    ...OF_GRANT,
    columns: { secret: 'code_hash challenge' },
    exported: OPENS,
    grows: eachOf('oauth_grant', 'one'),
  },
  oauth_refresh_token: {
    writers: 'oauth-grants',
    holds: 'hashes of tokens of apps',
    ...OF_GRANT,
    columns: { secret: 'token_hash' },
    goesAfter: 'oauth.refreshTokenSeconds',
    swept: 'expires_at',
    backup: { none: 'whoever reads the file could act as the app' },
    exported: OPENS,
    latest: { key: 'token_hash', of: 'grant_id', order: 'used_at is not null, expires_at desc' },
    grows: eachOf('oauth_grant', 'the latest', 'oauth.refreshTokensMax'),
  },
  device_login: {
    writers: 'oauth-clients',
    holds: 'codes typed on another device',
    ...OF_GRANT,
    columns: { secret: 'device_hash user_code' },
    goesAfter: 'oauth.deviceLoginSeconds',
    swept: 'expires_at',
    exported: OPENS,
    grows: per(
      'process',
      'what a network may ask for until they expire',
      'attempts.TOKENS.size',
      'attempts.TOKENS.everySeconds',
      'oauth.deviceLoginSeconds',
    ),
  },
} satisfies Record<string, PeoplesTable>
