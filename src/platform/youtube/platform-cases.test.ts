/** The doctor's cases: the file of the release is read whole, a wrong one is refused with entry and field. */
import assert from 'node:assert/strict'
import test from 'node:test'
import { readCasesFile, readPlatformCases } from './platform-cases.ts'

const ONE = {
  name: 'one',
  kind: 'video',
  platform: 'dQw4w9WgXcQ',
  standIn: null,
  allowed: ['success'],
  why: 'known',
}

test('the cases of the release are valid, each can be asked in the emulator, ten are canaries', async () => {
  const cases = await readCasesFile(null)
  assert.ok(cases.length >= 25)
  assert.deepEqual(
    cases.filter(({ standIn }) => standIn === null).map(({ name }) => name),
    [],
  )
  assert.equal(cases.filter(({ canary }) => canary === true).length, 10)
})

test('a wrong case is refused with a sentence that names entry and field', () => {
  const wrong: [object, RegExp][] = [
    [{ name: '' }, /^cases: entry 1: "name" is no text/],
    [{ kind: 'film' }, /^cases: entry 1 \(one\): "kind" is none of video, channel, list/],
    [{ platform: 'https://example.org/' }, /\(one\): "platform" is neither null nor/],
    [{ kind: 'channel', allowed: ['found'] }, /\(one\): "platform" is neither/],
    [{ standIn: undefined }, /\(one\): "standIn" is neither/],
    [{ allowed: [] }, /\(one\): "allowed" names outcomes/],
    [{ allowed: ['found'] }, /\(one\): "allowed" names outcomes that/],
    [{ pages: 11 }, /\(one\): "pages" is no whole number from 1 to 10/],
    [{ canary: 'yes' }, /\(one\): "canary" is neither true nor false/],
    [{ speed: 1 }, /\(one\): "speed" is none of name, kind/],
  ]
  for (const [fields, sentence] of wrong) {
    const text = JSON.stringify([{ ...ONE, ...fields }])
    assert.throws(() => readPlatformCases(text), { message: sentence }, text)
  }
  assert.throws(() => readPlatformCases('{'), /cases: the file is not JSON/)
  assert.throws(() => readPlatformCases('{}'), /cases: the file is not a JSON array/)
  assert.throws(() => readPlatformCases('[]'), /cases: 0 of them/)
  assert.throws(() => readPlatformCases('[null]'), /cases: entry 1 is no object/)
  assert.throws(() => readPlatformCases(JSON.stringify([ONE, ONE])), /cases: one occurs twice/)
})

test('a file that cannot be read is named', async () => {
  await assert.rejects(
    readCasesFile('/nowhere/cases.json'),
    /\/nowhere\/cases\.json holds no cases/,
  )
})
