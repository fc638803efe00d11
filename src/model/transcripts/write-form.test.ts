/** What the module holds is never taken for the lines of another transcript. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formsModule } from './forms-module.ts'
import { linesOf } from './lines.ts'
import { formContent } from './packed-forms.ts'
import { scanJson3 } from './timedtext-json3.ts'

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

test('captions that are read between two forms of a transcript change none of them', () => {
  const captions = (text: string) =>
    Buffer.from(`{"wireMagic":"pb3","events":[{"tStartMs":7,"segs":[{"utf8":"${text}"}]}]}`)
  const read = (text: string) => scanJson3(captions(text))?.map((cue) => cue.text)
  const [one, other] = [said('one'), said('the other')]
  for (const lines of [one, one, other, one, other]) {
    const text = lines === one ? 'one' : 'the other'
    assert.deepEqual(read('captions'), ['captions'])
    assert.equal(formContent(lines, 'txt').toString(), `${text}\n`)
    assert.deepEqual(read('x'.repeat(5_000)), ['x'.repeat(5_000)])
    assert.equal(formContent(lines, 'text').toString(), `"${text}"`)
  }
})
