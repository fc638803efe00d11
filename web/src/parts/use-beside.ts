/** The text that is read beside another one of the same video, as the address names it. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { JobVideo } from '../api/client.ts'
import { jobVideoQuery, segmentsQuery } from '../api/queries.ts'
import { type Reading, readingBeside } from '../reading.ts'

/** `reading` is in the paragraphs of the text that is read. */
export type Beside = { video: JobVideo; reading: Reading }

/** `address` is `JOB.INDEX`. Returns null where it names none; 'gone' for one that is no text of this video now. */
export function useBeside(
  address: string | undefined,
  { video, reading, isWhole }: Beside & { isWhole: boolean },
): Beside | 'loading' | 'gone' | null {
  const [jobId = '', index] = (address ?? '').split('.')
  const row = useQuery({
    ...jobVideoQuery(jobId, Number(index)),
    enabled: address !== undefined,
  })
  const place = row.data?.videoId === video.videoId ? (row.data.text ?? null) : null
  const text = useQuery({
    ...segmentsQuery(place?.jobId ?? '', place?.index ?? 0),
    enabled: place !== null,
  })
  const segments = place === null ? undefined : text.data
  const beside = useMemo(
    () => (segments === undefined || !isWhole ? null : readingBeside(reading, segments)),
    [reading, segments, isWhole],
  )
  if (address === undefined) return null
  if (row.isError || text.isError || (row.data !== undefined && place === null)) return 'gone'
  return row.data === undefined || beside === null
    ? 'loading'
    : { video: row.data, reading: beside }
}
