/** A thread of the packing pool: makes gzip members of bodies (see pack-pool.ts). */
import type { Form } from '../../model/transcripts/formats.ts'
import type { MemberFacts } from '../../model/transcripts/gzip-member.ts'
import { recordedMember } from '../../model/transcripts/packed-forms.ts'
import { unpackBody } from '../../model/transcripts/transcript-body.ts'
import { inTurnsIfLong } from '../../model/transcripts/transcript-forms.ts'

/** A body, and what is recorded of the forms that are wanted of it. */
export type BodyToPack = { body: Uint8Array; wanted: (MemberFacts & { form: Form })[] }

/**
 * The members one after the other, in the order of the bodies and of what is wanted of each. `pause`: before each body,
 * where others wait for the same thread.
 */
export async function packBodies(
  bodies: readonly BodyToPack[],
  pause?: () => Promise<void>,
): Promise<Uint8Array> {
  const members = bodies.flatMap(({ wanted }) => wanted)
  const packed = new Uint8Array(members.reduce((sum, { gzipBytes }) => sum + gzipBytes, 0))
  let at = 0
  for (const { body, wanted } of bodies) {
    await pause?.()
    const lines = await unpackBody(body)
    for await (const facts of inTurnsIfLong(lines, wanted)) {
      packed.set(recordedMember(lines, facts).gzip, at)
      at += facts.gzipBytes
    }
  }
  return packed
}
