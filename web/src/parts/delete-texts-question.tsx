/** The question before texts are deleted: it says exactly what goes and what stays. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TextDeletion } from '../../../clients/typescript/src/schema.ts'
import { publicApi } from '../api/client.ts'
import { counted, megabytes } from '../format.ts'
import { Confirm } from './confirm.tsx'
import { Waiting } from './states.tsx'

type Address = { path: string; query?: Record<string, string> }

const deletionQuery = ({ path, query }: Address) => ({
  queryKey: ['deletion', path, query],
  queryFn: () =>
    publicApi.json<TextDeletion>({ method: 'DELETE', path, query: { ...query, dryRun: 'true' } }),
  gcTime: 0,
  retry: false,
})

type Props = Address & Record<'trigger' | 'triggerLook', string> & { onDeleted?: () => void }

/** `path` is the address of the texts in the API, and `query` names them where it does not. */
export function DeleteQuestion({ path, query = {}, onDeleted, ...button }: Props) {
  const client = useQueryClient()
  const { data } = useQuery(deletionQuery({ path, query }))
  const texts = data?.texts ?? 0
  return (
    <Confirm
      isAskedAtOnce
      {...button}
      title={texts === 1 ? 'Delete this text?' : 'Delete these texts?'}
      action={texts === 1 ? 'Delete the text' : 'Delete the texts'}
      isDangerous
      isReady={texts > 0}
      onAsk={() => void client.invalidateQueries({ queryKey: ['deletion', path] })}
      onConfirm={async () => {
        await publicApi.json<null>({ method: 'DELETE', path, query })
        onDeleted?.()
        void client.invalidateQueries()
      }}
    >
      <GoingTexts path={path} query={query} />
    </Confirm>
  )
}

/** Says what goes with the texts of an address, and what stays. */
export function GoingTexts(address: Address) {
  const query = useQuery(deletionQuery(address))
  const { data } = query
  if (data === undefined) return <Waiting query={query} lines={3} label="Counting what goes" />
  const { videos, texts, bytes, otherJobs, projects, otherTexts } = data
  if (texts === 0) return <p>There is no text here any more.</p>
  return (
    <>
      <p>
        {counted(texts, 'text')} of {counted(videos, 'video')} ({megabytes(bytes)}) will be gone for
        good: from your library, search, files and exports.
      </p>
      {otherJobs > 0 && (
        <p>{counted(otherJobs, 'other order')} brought the same words and will lose them, too.</p>
      )}
      {projects.length > 0 && (
        <p>In your projects: {projects.map(({ name }) => `“${name}”`).join(', ')}.</p>
      )}
      {otherTexts > 0 && (
        <p>
          {counted(otherTexts, 'text')} of the same videos in another language or kind of captions
          will stay.
        </p>
      )}
      <p>
        Orders, receipts and charges stay. Another order would have to buy the words again. Copies
        that you downloaded stay yours, and backups of this service keep one until they expire.
      </p>
    </>
  )
}
