/** Attacks on money: payment events, races, free work, brakes, and other accounts' data. */
import { tryAttacksOf } from './gate.ts'

tryAttacksOf('money')
