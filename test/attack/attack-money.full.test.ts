/** Attacks on money: payment events, races, work that nobody pays for, brakes, and what belongs to others. */
import { tryAttacksOf } from './gate.ts'

tryAttacksOf('money')
