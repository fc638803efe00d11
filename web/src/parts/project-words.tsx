/** What a project is called and what is noted about it, changed in place; its end; and a video that leaves it. */
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ComponentProps, Suspense, useState } from 'react'
import { publicApi } from '../api/client.ts'
import { type Project, projectQuery, projectsApi, refreshProjects } from '../api/projects.ts'
import { Confirm } from './confirm.tsx'
import { Button, CheckBox, Field } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { lazyPart } from './lazy-part.ts'
import { MENU_ROW } from './menu.tsx'
import { WordsFields } from './words-in-place.tsx'

const GoingTexts = lazyPart(async () => (await import('./delete-texts-question.tsx')).GoingTexts)

/** Characters of a note from which on it is folded, about two lines of a phone. */
const FOLDED_CHARS_MIN = 110

/** The note, of which a long one shows its beginning, and the tags. */
export function ProjectNote({ project: { note, tags } }: { project: Project }) {
  const isLong = (note?.length ?? 0) > FOLDED_CHARS_MIN || (note?.split('\n').length ?? 0) > 2
  const [Note, Words] = isLong ? (['details', 'summary'] as const) : (['div', 'p'] as const)
  return (
    <>
      {note !== null && (
        <Note className="group max-w-[68ch] text-base wrap-anywhere whitespace-pre-line text-ink">
          <Words dir="auto" className={isLong ? 'line-clamp-2 group-open:line-clamp-none' : ''}>
            {note}
          </Words>
        </Note>
      )}
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex flex-wrap gap-2 py-1">
          {tags.map((tag) => (
            <li key={tag} dir="auto" className="rounded-lg bg-sunken px-2 wrap-anywhere">
              {tag}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

export function ProjectForm({ project, onEnd }: { project: Project; onEnd: () => void }) {
  const client = useQueryClient()
  const { id, name, note, tags } = project
  return (
    <WordsFields
      onEnd={onEnd}
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

export function DeleteProject({ id }: { id: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [withTexts, setWithTexts] = useState(false)
  return (
    <Confirm
      trigger="Delete the project…"
      triggerLook={`${MENU_ROW} text-danger`}
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
      <CheckBox
        checked={withTexts}
        onChange={({ target }) => setWithTexts(target.checked)}
        className="text-ink"
      >
        Delete its transcripts, too
      </CheckBox>
      {withTexts && (
        <Suspense>
          <GoingTexts path={`/library/${id}/texts`} />
        </Suspense>
      )}
    </Confirm>
  )
}

/** The button that takes videos out of a project, one after the other. */
export function TakeOut({
  project,
  videoIds,
  onDone = () => {},
  ...button
}: {
  project: string
  videoIds: readonly string[]
  onDone?: () => void
} & ComponentProps<typeof Button>) {
  const client = useQueryClient()
  const work = useFormWork()
  const take = async () => {
    try {
      for (const videoId of videoIds) await projectsApi.take(project, videoId)
    } finally {
      await refreshProjects(client)
    }
    onDone()
  }
  return (
    <>
      <Button {...button} size="small" isBusy={work.isBusy} onClick={() => void work.run(take)} />
      <FormError error={work.error} />
    </>
  )
}
