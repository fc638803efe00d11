/** What sign-in is opened with, and the names by which its parts know each other. */
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Db } from '../postgres/database.ts'

export const AUTH_BASE = '/account/auth'
export const OIDC_PROVIDER = 'oidc'
/** The visitor's address as the server saw it; what a request says of itself is not believed. */
export const VISITOR_HEADER = 'x-visitor-address'

/** Of the process's context. */
export type SignInParts = { config: Config; db: Db; pool: pg.Pool; log: Logger; now: () => Date }
