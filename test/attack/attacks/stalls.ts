/** Attacks on the event loop: input within the limits that takes long to read. */
import assert from 'node:assert/strict'
import type { Attack } from '../attack.ts'

export const STALLS: readonly Attack[] = [
  {
    name: 'a Content-Type of blanks that almost matches, at sign-in',
    async run({ address, origin }) {
      const response = await fetch(`${address}/account/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'Content-Type': `application/json${' '.repeat(15_500)}x`, Origin: origin },
        body: '{}',
      })
      assert.ok(response.status >= 400 && response.status < 500)
      return `${response.status}`
    },
  },
]
