/** All attacks, by what they go for. */
import type { Attack } from '../attack.ts'
import { STALLS } from './stalls.ts'

export const ATTACKS: readonly Attack[] = [...STALLS]
