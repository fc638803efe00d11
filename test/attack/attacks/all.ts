/** All attacks, by what they go for. */
import type { Attack } from '../attack.ts'
import { APPS } from './apps.ts'
import { BEFORE } from './before.ts'
import { BRAKES } from './brakes.ts'
import { FAIRNESS } from './fairness.ts'
import { FREE_WORK } from './free-work.ts'
import { HTTP } from './http.ts'
import { KEYS } from './keys.ts'
import { SIGN_IN } from './sign-in.ts'
import { SIGN_IN_FLOODS } from './sign-in-floods.ts'
import { STALLS } from './stalls.ts'
import { UNSTORABLE } from './unstorable.ts'

export const ATTACKS: readonly Attack[] = [
  ...STALLS,
  ...UNSTORABLE,
  ...SIGN_IN,
  ...SIGN_IN_FLOODS,
  ...FAIRNESS,
  ...FREE_WORK,
  ...HTTP,
  ...KEYS,
  ...APPS,
  ...BEFORE,
  ...BRAKES,
]
