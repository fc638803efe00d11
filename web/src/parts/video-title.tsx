/** The title of a row of videos, as a link to its text, or to why it has none. */
import { Link } from '@tanstack/react-router'
import type { ListPlace } from '../addresses.ts'

type Props = {
  row: { jobId: string; index: number }
  name: string
  hasText: boolean
  /** The list in which it is opened. */
  place?: ListPlace
}

export function VideoTitle({ row: { jobId, index }, name, hasText, place = {} }: Props) {
  return (
    <Link
      to="/jobs/$id/$index"
      params={{ id: jobId, index: String(index) }}
      search={place}
      title={name}
      className={`line-clamp-2 max-w-full align-bottom underline decoration-line underline-offset-4 hover:text-accent hover:decoration-accent sm:inline-block sm:truncate ${hasText ? 'font-medium' : ''}`}
    >
      {name}
    </Link>
  )
}
