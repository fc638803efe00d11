/** What a project is called and what is noted about it, changed in place; its end; and a video that leaves it. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { LibraryVideo } from '../api/client.ts'
import { type Project, projectQuery, projectsApi, refreshProjects } from '../api/projects.ts'
import { Confirm } from './confirm.tsx'
import { Button, Field, TextArea } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'

export function ProjectWords({ id }: { id: string }) {
  const { data: project } = useQuery(projectQuery(id))
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  if (project === undefined) return null
  const close = () => {
    setOpen(false)
    requestAnimationFrame(() => opener.current?.focus())
  }
  if (isOpen) return <ProjectForm project={project} onEnd={close} />
  const { note, tags } = project
  return (
    <div className="-mt-4 mb-8">
      {note !== null && (
        <p dir="auto" className="mb-1 max-w-[68ch] wrap-anywhere whitespace-pre-line">
          {note}
        </p>
      )}
      {tags.length > 0 && (
        <ul aria-label="Tags" className="mb-2 flex flex-wrap gap-2 text-sm">
          {tags.map((tag) => (
            <li key={tag} dir="auto" className="rounded-lg bg-sunken px-2 wrap-anywhere">
              {tag}
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap gap-4">
        <button
          ref={opener}
          type="button"
          className="link min-h-6 text-sm"
          onClick={() => setOpen(true)}
        >
          Change the name, the note or the tags
        </button>
        <DeleteProject id={id} />
      </div>
    </div>
  )
}

function ProjectForm({ project, onEnd }: { project: Project; onEnd: () => void }) {
  const client = useQueryClient()
  const work = useFormWork()
  const [name, setName] = useState(project.name)
  const [note, setNote] = useState(project.note ?? '')
  const [tags, setTags] = useState(project.tags.join(', '))
  const save = () =>
    void work.run(async () => {
      const listed = tags.split(',').map((tag) => tag.trim())
      const change = { name, note, tags: listed.filter((tag) => tag !== '') }
      client.setQueryData(
        projectQuery(project.id).queryKey,
        await projectsApi.change(project.id, change),
      )
      await refreshProjects(client)
      onEnd()
    })
  return (
    <form
      aria-label="Name, note and tags"
      className="-mt-4 mb-8 max-w-xl space-y-4"
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={({ key }) => key === 'Escape' && onEnd()}
    >
      <Field
        label="Name"
        value={name}
        onChange={({ target }) => setName(target.value)}
        maxLength={120}
        required
        autoFocus
      />
      <TextArea
        label="Note"
        value={note}
        onChange={({ target }) => setNote(target.value)}
        maxLength={2_000}
        rows={3}
      />
      <Field
        label="Tags"
        value={tags}
        onChange={({ target }) => setTags(target.value)}
        hint="Separated by commas, up to 20."
      />
      <FormError error={work.error} />
      <div className="flex gap-2">
        <Button type="submit" kind="primary" size="small" isBusy={work.isBusy}>
          Save
        </Button>
        <Button size="small" onClick={onEnd}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

function DeleteProject({ id }: { id: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return (
    <Confirm
      trigger="Delete the project"
      triggerLook="link min-h-6 text-sm"
      title="Delete this project?"
      action="Delete the project"
      isDangerous
      onConfirm={async () => {
        await projectsApi.remove(id)
        await navigate({ to: '/library' })
        await client.invalidateQueries({ queryKey: ['projects'], exact: true })
      }}
    >
      <p>Its name, note and list are deleted. The transcripts stay in your library.</p>
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
