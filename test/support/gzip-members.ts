/** Gzip members for tests, by zlib, as earlier releases made them and as they are still stored. */
import zlib from 'node:zlib'
import type { ReadForms, RowReaders } from '../../src/model/transcripts/job-rows.ts'
import { contentFacts, gzipMember, type Member } from '../../src/model/transcripts/gzip-member.ts'

/** Blocks that end on a byte, none of them the last. */
const BLOCKS = { level: 4, finishFlush: zlib.constants.Z_SYNC_FLUSH }

export function packMember(content: Buffer): Member {
  return gzipMember(zlib.deflateRawSync(content, BLOCKS), contentFacts(content))
}

/** Readers of rows that hold members. */
export function onlyMembers(members: ReadForms): RowReaders {
  return {
    members,
    contents: async (keys) => {
      const gzipOf = await members(keys)
      return (key) => zlib.gunzipSync(gzipOf(key))
    },
  }
}
