/** Makes the gzip members of a transcript's forms, or says what they will be; what all forms share is made once. */
import assert from 'node:assert/strict'
import zlib from 'node:zlib'
import { type BlockCode, codesOf, type TranscriptCodes } from './block-code.ts'
import { bitSums, BlockCounter, BlockWriter } from './deflate-blocks.ts'
import type { Form } from './formats.ts'
import {
  contentFacts,
  gzipBytesOf,
  gzipMember,
  type Member,
  type MemberFacts,
} from './gzip-member.ts'
import type { Lines } from './lines.ts'
import { findRepeats } from './repeats.ts'
import { writeForm } from './write-form.ts'

export class FormPacker {
  readonly #lines: Lines
  readonly #repeats: Int32Array
  readonly #codes: TranscriptCodes
  readonly #sums = new Map<BlockCode, Int32Array>()

  constructor(lines: Lines) {
    this.#lines = lines
    this.#repeats = findRepeats(lines)
    this.#codes = codesOf(lines, this.#repeats)
  }

  /** What a form's member will be, without making it. */
  facts(form: Form): MemberFacts {
    const code = this.#codeOf(form)
    const sums = this.#sums.get(code) ?? bitSums(this.#lines, code)
    this.#sums.set(code, sums)
    const blocks = new BlockCounter(code, sums)
    const bytes = writeForm(this.#lines, form, { repeats: this.#repeats, blocks })
    return { ...contentFacts(bytes), gzipBytes: gzipBytesOf(blocks.sizeBytes) }
  }

  /** The same lines give the same bytes, on any machine. */
  member(form: Form): Member {
    const { blocks, bytes } = this.#write(form)
    return gzipMember(blocks, contentFacts(bytes))
  }

  /** The member of a form of which all is recorded: what is written otherwise now must not be sent in its name. */
  recorded({ form, ...facts }: MemberFacts & { form: Form }): Member {
    const { blocks, bytes } = this.#write(form)
    const member = gzipMember(blocks, facts)
    const isSame = zlib.crc32(bytes) === facts.crc32 && member.gzipBytes === facts.gzipBytes
    assert(isSame && bytes.length === facts.sizeBytes, `the ${form} of a body is what was recorded`)
    return member
  }

  /** `bytes` are lent until the next form is written. */
  #write(form: Form): { blocks: Buffer; bytes: Buffer } {
    const blocks = new BlockWriter(this.#codeOf(form), this.#lines)
    const bytes = writeForm(this.#lines, form, { repeats: this.#repeats, blocks })
    return { blocks: blocks.end(), bytes }
  }

  #codeOf(form: Form): BlockCode {
    return form === 'txt' || form === 'text' ? this.#codes.words : this.#codes.timed
  }
}

/** A form as it is sent. */
export function formContent(lines: Lines, form: Form): Buffer {
  return Buffer.from(writeForm(lines, form))
}
