/** Leads to the latest order that brought some of a line's videos; nothing where none did. */
import type { PreviewSource } from '../api/client.ts'
import { day } from '../format.ts'
import { TextLink } from './text-link.tsx'

export function OwnedFrom({ from }: { from: PreviewSource['ownedFrom'] }) {
  if (from === undefined) return null
  return (
    <>
      {' · '}
      <TextLink to="/jobs/$id" params={{ id: from.jobId }}>
        order of {day(from.since)}
      </TextLink>
    </>
  )
}
