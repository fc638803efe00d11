/** Makes the gzip members of a transcript's forms. */
import assert from 'node:assert/strict'
import zlib from 'node:zlib'
import type { Form } from './formats.ts'
import { contentFacts, gzipMember, type Member, type MemberFacts } from './gzip-member.ts'
import type { Lines } from './lines.ts'
import { packForm, writeForm } from './write-form.ts'

/** The same lines give the same bytes, on any machine. */
export function packedMember(lines: Lines, form: Form): Member {
  const { content, blocks } = packForm(lines, form)
  return gzipMember(blocks, contentFacts(content))
}

/** The member of a form of which all is recorded: what is written otherwise now must not be sent in its name. */
export function recordedMember(
  lines: Lines,
  { form, ...facts }: MemberFacts & { form: Form },
): Member {
  const { content, blocks } = packForm(lines, form)
  const member = gzipMember(blocks, facts)
  const isSame = zlib.crc32(content) === facts.crc32 && member.gzipBytes === facts.gzipBytes
  assert(isSame && content.length === facts.sizeBytes, `the ${form} of a body is what was recorded`)
  return member
}

/** A form as it is sent. */
export function formContent(lines: Lines, form: Form): Buffer {
  return Buffer.from(writeForm(lines, form))
}
