/** Attacks on the process itself: its connections, its keys, its metrics, its database. */
import { tryAttacksOf } from './gate.ts'

tryAttacksOf('process')
