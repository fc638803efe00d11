/** The headings of two texts that are read beside one another, and the button that closes the second. */
import { useNavigate } from '@tanstack/react-router'
import type { JobVideo } from '../api/client.ts'
import { trackWords } from '../words.ts'
import { Button } from './controls.tsx'
import type { useBeside } from './use-beside.ts'

type Props = { video: JobVideo; beside: NonNullable<ReturnType<typeof useBeside>> }

const HEADING = 'min-w-0 font-sans text-sm font-medium'

export function BesideHeads({ video, beside }: Props) {
  const navigate = useNavigate()
  const isHere = typeof beside === 'object'
  const close = () =>
    navigate({
      to: '.',
      search: (place: object) => ({ ...place, beside: undefined }),
      hash: true,
      resetScroll: false,
    })
  return (
    <div className="mb-5 grid items-center gap-x-10 border-b border-line bg-paper py-1 lg:sticky lg:top-13 lg:z-9 lg:grid-cols-2">
      <h2 className={HEADING}>{trackWords(video)}</h2>
      <div className="flex min-h-9 items-center gap-1">
        <h2 role={isHere ? undefined : 'status'} className={`${HEADING} mr-auto text-muted`}>
          {isHere
            ? trackWords(beside.video)
            : beside === 'gone'
              ? 'The other text is not in your library any more.'
              : 'Loading the other text …'}
        </h2>
        <Button kind="quiet" size="small" className="print:hidden" onClick={() => void close()}>
          Close
        </Button>
      </div>
    </div>
  )
}
