/**
 * Attacks on what the service reads: headers, lines, captions, replies, text that nothing can store, requests of two
 * readings.
 */
import { tryAttacksOf } from './gate.ts'

tryAttacksOf('input')
