/** The question before texts are deleted: it says exactly what goes and what stays. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { TextDeletion } from '../../../clients/typescript/src/schema.ts'
import { publicApi } from '../api/client.ts'
import { counted, megabytes } from '../format.ts'
import { Confirm } from './confirm.tsx'
import { Waiting } from './states.tsx'

const deletionQuery = (path: string) => ({
  queryKey: ['deletion', path],
  queryFn: () =>
    publicApi.json<TextDeletion>({ method: 'DELETE', path, query: { dryRun: 'true' } }),
  gcTime: 0,
  retry: false,
})

export function DeleteQuestion({ path, label, look }: Record<'path' | 'label' | 'look', string>) {
  const client = useQueryClient()
  const { data } = useQuery(deletionQuery(path))
  const texts = data?.texts ?? 0
  return (
    <Confirm
      isAskedAtOnce
      trigger={label}
      triggerLook={look}
      title={texts === 1 ? 'Delete this text?' : 'Delete these texts?'}
      action={texts === 1 ? 'Delete the text' : 'Delete the texts'}
      isDangerous
      isReady={texts > 0}
      onAsk={() => void client.invalidateQueries({ queryKey: ['deletion', path] })}
      onConfirm={async () => {
        await publicApi.json<null>({ method: 'DELETE', path })
        void client.invalidateQueries()
      }}
    >
      <GoingTexts path={path} />
    </Confirm>
  )
}

/** Says what goes with the texts of an address, and what stays. */
export function GoingTexts({ path }: { path: string }) {
  const query = useQuery(deletionQuery(path))
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
