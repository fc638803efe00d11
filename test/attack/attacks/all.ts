/** All attacks, by what they go for. */
import type { Attack } from '../attack.ts'
import { BEFORE } from './before.ts'
import { BRAKES } from './brakes.ts'
import { STALLS } from './stalls.ts'

export const ATTACKS: readonly Attack[] = [...STALLS, ...BEFORE, ...BRAKES]
