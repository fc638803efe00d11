/** What was recorded last, as it was packed: found by what is recorded of it, bounded in bytes and time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { until } from '../../../test/support/until.ts'
import { contentFacts, gzipMember, type Member } from '../../model/transcripts/gzip-member.ts'
import { openRecentForms } from './recent-forms.ts'

const LONG_MS = 60_000

/** A member of about so many bytes. */
function memberOf(name: string, bytes = 1_000): Member {
  return gzipMember(Buffer.alloc(bytes, 1), contentFacts(Buffer.from(name)))
}

test('a member is found by what was recorded of it', () => {
  const recent = openRecentForms(10_000, LONG_MS)
  const [one, other] = [memberOf('one'), memberOf('other')]
  recent.keep(one)
  assert.equal(recent.find(one), one.gzip)
  assert.equal(recent.find(other), null)
  recent.clear()
  assert.equal(recent.find(one), null)
})

test('a member of the same content that was compressed otherwise is not given', () => {
  const recent = openRecentForms(10_000, LONG_MS)
  recent.keep(memberOf('one', 1_000))
  assert.equal(recent.find(memberOf('one', 1_001)), null)
})

test('it keeps no more bytes than it may; what was not asked for the longest goes first', () => {
  const recent = openRecentForms(5_000, LONG_MS)
  const members = ['1', '2', '3'].map((name) => memberOf(name))
  for (const member of members) recent.keep(member)
  assert.ok(recent.find(members[0]!) !== null)
  recent.keep(memberOf('4'))
  recent.keep(memberOf('larger than all of it', 6_000))
  const left = members.map((member) => recent.find(member) !== null)
  assert.deepEqual(left, [true, false, true])
  assert.equal(recent.find(memberOf('larger than all of it', 6_000)), null)
})

test('what was kept for too long is given to nobody, and given back', async () => {
  const recent = openRecentForms(10_000, 20)
  const member = memberOf('one')
  recent.keep(member)
  await until('it is too old', async () => recent.find(member) === null)
  recent.keep(member)
  await until('it was given back', async () => {
    recent.sweep()
    return recent.bytes === 0
  })
})
