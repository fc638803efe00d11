/** The gate tries at least one attack of each class, and none that floods, crowds or measures. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CLASSES } from '../attack/attack.ts'
import { ATTACKS } from '../attack/attacks/all.ts'
import { attacksOfGate, type GatePart } from '../attack/gate.ts'

for (const [part, classes] of Object.entries(CLASSES)) {
  if (part === 'night') continue
  test(`every class of attacks on ${part} has one in the gate`, () => {
    const tried = new Set(attacksOfGate(part as GatePart).map((attack) => attack.class))
    assert.deepEqual([...tried].sort(), [...classes].sort())
  })
}

test('each attack has a name of its own, and floods, crowds and measures are left to the night', () => {
  assert.equal(new Set(ATTACKS.map(({ name }) => name)).size, ATTACKS.length)
  const night: readonly string[] = CLASSES.night
  for (const attack of ATTACKS.filter(({ isInGate }) => isInGate === true))
    assert.ok(attack.isMeasured !== true && !night.includes(attack.class), attack.name)
  const tried = Object.keys(CLASSES)
    .filter((part): part is GatePart => part !== 'night')
    .flatMap(attacksOfGate)
  assert.equal(tried.length, ATTACKS.filter(({ isInGate }) => isInGate === true).length)
})
