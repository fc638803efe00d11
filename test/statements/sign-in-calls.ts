/** Calls of hand-written SQL about signing in: users, sessions, sign-ups, changes of address. */
import type { Db, Tx } from '../../src/store/database.ts'
import * as changes from '../../src/store/address-changes.ts'
import * as givenOnce from '../../src/store/given-once.ts'
import * as signIn from '../../src/store/sign-in.ts'
import * as signUps from '../../src/store/address-changes.ts'

const [id, accountId, userId, email] = ['id', 'account', 'user', 'e']
const bytes = Buffer.alloc(32)
const limit = 10
const since = new Date(0)

export const SIGN_IN_CALLS: ((given: { db: Db; tx: Tx }) => Promise<unknown>)[] = [
  ({ db }) => signIn.isUserSuspended(db, userId),
  ({ db }) => signIn.hasAnybody(db),
  ({ tx }) => signIn.lockFirstRun(tx),
  ({ tx }) => signIn.deleteSessions(tx, accountId),
  ({ tx }) => signIn.deleteSessionsOfUser(tx, userId),
  ({ db }) => signIn.ensureSignInSecret(db, 's'),
  ({ tx }) => signIn.lockSignInUser(tx, userId),
  ({ db }) => signIn.findAccountOfUser(db, userId),
  ({ tx }) => signIn.deleteSession(tx, { userId, sessionId: 's' }),
  ({ db }) => signIn.findPasswordOf(db, userId),
  ({ tx }) => signIn.deletePassword(tx, userId),
  ({ tx }) => signIn.linkSignInUser(tx, { userId, accountId }),
  ({ tx }) => signIn.deletePasskeys(tx, { userId, since }),
  ({ tx }) => signIn.deleteProviders(tx, { userId, since }),
  ({ db }) => signIn.isUserKnown(db, email),
  ({ db }) => signIn.readSignInMethods(db, userId),
  ({ db }) => signIn.countAccess(db, userId),

  ({ db }) =>
    signUps.insertSignUp(db, {
      email: 'e',
      password: 'p',
      browserHash: bytes,
      tokenHash: bytes,
      lifetimeSeconds: 1,
    }),
  ({ db }) => signUps.findSignUp(db, bytes),
  ({ tx }) => signIn.insertUser(tx, { id, email: 'e', password: 'p' }),
  ({ db }) => signIn.listSessions(db, { userId, limit }),
  ({ db }) => signIn.countPasskeys(db, userId),
  ({ tx }) => signIn.setUserEmail(tx, { userId, email }),
  ({ tx }) => signIn.deleteLinksOf(tx, userId),
  ({ tx }) =>
    changes.insertAddressChange(tx, {
      confirmHash: bytes,
      stopHash: bytes,
      userId,
      oldEmail: email,
      newEmail: email,
      lifetimeSeconds: 1,
    }),
  ({ db }) => changes.deleteSignUps(db, email),
  ({ tx }) => changes.deleteChangesSince(tx, { userId, askedAt: since }),
  ({ tx }) => changes.lockPendingChange(tx, bytes),
  ({ db }) => changes.findUserOfUndo(db, bytes),
  ({ tx }) => changes.lockUndoableChange(tx, bytes),
  ({ tx }) => changes.setChangeMade(tx, { confirmHash: bytes, undoHash: bytes, undoSeconds: 1 }),
  ({ db }) => changes.listAddressChanges(db, accountId),

  ({ tx }) => givenOnce.ensureMailboxKey(tx, bytes),
  ({ tx }) => givenOnce.insertMailbox(tx, { mailboxHash: bytes, beneficiary: 'r', accountId }),
  ({ tx }) => givenOnce.setWelcomed(tx, 'r'),
  ({ tx }) => givenOnce.renewMailboxes(tx, 'r'),
  ({ db }) => givenOnce.sweepMailboxes(db, { keptDays: 1, rowsMax: limit }),
]
