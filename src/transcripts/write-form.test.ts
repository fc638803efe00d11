/** What the module holds is never taken for the lines of another transcript. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formsModule } from './forms-module.ts'
import { linesOf } from './lines.ts'
import { formContent } from './packed-forms.ts'

const said = (text: string) => linesOf([{ startMs: 0, endMs: 1, text }])

test('lines that cannot be brought in leave nothing that is taken for those before', () => {
  const [before, other] = [said('those before'), said('others')]
  assert.equal(formContent(before, 'txt').toString(), 'those before\n')
  const broken = { ...other, bytes: Buffer.from('more\nlines') }
  assert.throws(() => formContent(broken, 'txt'), /a line for each segment/)
  assert.equal(formContent(before, 'txt').toString(), 'those before\n')
})

test('a transcript that needs much memory is held through all of its forms, and not after them', () => {
  const long = said('x'.repeat(20 * 2 ** 20))
  const expected = long.bytes.length + 1
  const module = formsModule()
  for (const form of ['txt', 'vtt'] as const)
    assert.ok(formContent(long, form).length >= expected, form)
  assert.equal(formContent(said('short'), 'txt').toString(), 'short\n')
  assert.notEqual(formsModule(), module)
})
