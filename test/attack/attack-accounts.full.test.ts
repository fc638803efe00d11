/** Attacks on accounts of the website: addresses, sessions, links, routes, apps, other sites' pages. */
import { tryAttacksOf } from './gate.ts'

tryAttacksOf('accounts')
