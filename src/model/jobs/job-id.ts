/** Job ids: UUIDs of version 7, which sort by the time they were made and fit every id column; the last digit is the cell. */
import { withCell } from '../../kit/cell.ts'

export const JOB_ID_BYTES = 16

/** 48 bits of milliseconds, then 70 bits of the JOB_ID_BYTES random bytes (RFC 9562, section 5.7) and the cell. */
export function newJobId(at: Date, random: Buffer): string {
  if (random.length !== JOB_ID_BYTES)
    throw new RangeError(`a job id is ${JOB_ID_BYTES} random bytes`)
  const bytes = withCell(random)
  bytes.writeUIntBE(at.getTime(), 0, 6)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  const hex = bytes.toString('hex')
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-')
}
