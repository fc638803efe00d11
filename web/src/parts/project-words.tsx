/** What a project is called and what is noted about it, changed in place; its end; and a video that leaves it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { type LibraryVideo, publicApi } from '../api/client.ts'
import { projectQuery, projectsApi, refreshProjects } from '../api/projects.ts'
import { Confirm } from './confirm.tsx'
import { Button, Field } from './controls.tsx'
import { useFormWork } from './entrance.tsx'
import { lazyPart } from './lazy-part.ts'
import { WordsInPlace } from './words-in-place.tsx'

const GoingTexts = lazyPart(async () => (await import('./delete-texts-question.tsx')).GoingTexts)

export function ProjectWords({ id }: { id: string }) {
  const { data: project } = useQuery(projectQuery(id))
  const client = useQueryClient()
  if (project === undefined) return null
  const { name, note, tags } = project
  return (
    <WordsInPlace
      action="Change the name, the note or the tags"
      above={tags.length > 0 && <Tags tags={tags} />}
      after={<DeleteProject id={id} />}
      words={{
        label: 'Name, note and tags',
        name,
        note,
        nameField: { required: true },
        save: async (field) => {
          const listed = field('tags')
            .split(',')
            .map((tag) => tag.trim())
            .filter((tag) => tag !== '')
          const change = { name: field('name'), note: field('note'), tags: listed }
          client.setQueryData(projectQuery(id).queryKey, await projectsApi.change(id, change))
          await refreshProjects(client)
        },
        fields: (
          <Field
            label="Tags"
            name="tags"
            defaultValue={tags.join(', ')}
            hint="Separated by commas, up to 20."
          />
        ),
      }}
    />
  )
}

function Tags({ tags }: { tags: string[] }) {
  return (
    <ul aria-label="Tags" className="mb-2 flex flex-wrap gap-2 text-sm">
      {tags.map((tag) => (
        <li key={tag} dir="auto" className="rounded-lg bg-sunken px-2 wrap-anywhere">
          {tag}
        </li>
      ))}
    </ul>
  )
}

function DeleteProject({ id }: { id: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [withTexts, setWithTexts] = useState(false)
  return (
    <Confirm
      triggerLook="ml-auto min-h-6 font-medium text-danger underline underline-offset-4"
      title="Delete this project?"
      action="Delete the project"
      isDangerous
      onConfirm={async () => {
        const query = withTexts ? { texts: 'true' } : {}
        await publicApi.json<null>({ method: 'DELETE', path: `/projects/${id}`, query })
        await navigate({ to: '/library' })
        await client.invalidateQueries(withTexts ? {} : { queryKey: ['projects'], exact: true })
      }}
    >
      <p>
        Its name, note and list are deleted.
        {!withTexts && ' The transcripts stay in your library.'}
      </p>
      <label className="flex items-start gap-2.5 text-ink">
        <input
          type="checkbox"
          checked={withTexts}
          onChange={({ target }) => setWithTexts(target.checked)}
          className="mt-1 size-4.5 accent-accent"
        />
        Delete its transcripts, too
      </label>
      {withTexts && (
        <Suspense>
          <GoingTexts path={`/library/${id}/texts`} />
        </Suspense>
      )}
    </Confirm>
  )
}

/** The button that takes a video out of the project that is shown. */
export function TakeOut({
  project,
  video,
  name,
}: {
  project: string
  video: LibraryVideo
  name: string
}) {
  const client = useQueryClient()
  const work = useFormWork()
  const { videoId } = video
  if (videoId === null) return null
  return (
    <Button
      kind="quiet"
      size="small"
      isBusy={work.isBusy}
      aria-label={`Remove “${name}” from the project`}
      title={work.error ?? undefined}
      onClick={() =>
        void work.run(async () => {
          await projectsApi.take(project, videoId)
          await refreshProjects(client)
        })
      }
    >
      Remove
    </Button>
  )
}
