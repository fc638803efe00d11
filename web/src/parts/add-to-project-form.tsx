/** Asks into which project transcripts go, adds them, and says how many came and which could not. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { projectsApi, projectsQuery, type ProjectVideos, refreshProjects } from '../api/projects.ts'
import { counted } from '../format.ts'
import { Button, Choice, Field } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'
import { Waiting } from './states.tsx'
import { TextLink } from './text-link.tsx'

type Done = { id: string; words: string }

type Asked = { what: ProjectVideos; onEnd: (hasAdded: boolean) => void }

export function AddToProjectForm({ what, onEnd }: Asked) {
  const query = useQuery(projectsQuery)
  const { data } = query
  const [done, setDone] = useState<Done | null>(null)
  if (done !== null)
    return (
      <p role="status" className="flex flex-wrap items-center gap-3 text-sm">
        <span className="wrap-anywhere">{done.words}</span>
        <TextLink to="/library/$id" params={{ id: done.id }}>
          Open the project
        </TextLink>
        <Button size="small" kind="quiet" onClick={() => onEnd(true)}>
          Close
        </Button>
      </p>
    )
  if (data === undefined) return <Waiting query={query} lines={2} label="Loading your projects" />
  return <AddForm projects={data.projects} what={what} onDone={setDone} onEnd={onEnd} />
}

type Props = Asked & {
  projects: { id: string; name: string }[]
  onDone: (done: Done) => void
}

function AddForm({ projects, what, onDone, onEnd }: Props) {
  const client = useQueryClient()
  const work = useFormWork()
  const [chosen, setChosen] = useState(projects[0]?.id ?? '')
  const [name, setName] = useState('')
  const add = work.sends(async () => {
    const project = projects.find(({ id }) => id === chosen) ?? (await projectsApi.create({ name }))
    const { added, present, refusals } = await projectsApi.add(project.id, what)
    await refreshProjects(client)
    const parts = [
      `${counted(added, 'transcript')} added to “${project.name}”`,
      present === 0 ? '' : `${present} already there`,
      refusals === 0 ? '' : `${refusals} without a text`,
    ]
    onDone({ id: project.id, words: `${parts.filter((part) => part !== '').join(', ')}.` })
  })
  return (
    <form
      aria-label="Add to a project"
      className="flex max-w-2xl flex-wrap items-end gap-3"
      onSubmit={add}
      onKeyDown={({ key }) => key === 'Escape' && onEnd(false)}
    >
      {projects.length > 0 && (
        <Choice
          label="Project"
          value={chosen}
          onChange={({ target }) => setChosen(target.value)}
          className="w-full sm:w-64"
          autoFocus
        >
          {projects.map((project) => (
            <option key={project.id} value={project.id}>
              {project.name}
            </option>
          ))}
          <option value="">A new project</option>
        </Choice>
      )}
      {chosen === '' && (
        <Field
          label="Name of the new project"
          value={name}
          onChange={({ target }) => setName(target.value)}
          maxLength={120}
          required
          autoFocus
          className="w-full sm:w-64"
        />
      )}
      <Button type="submit" kind="primary" isBusy={work.isBusy}>
        Add
      </Button>
      <Button onClick={() => onEnd(false)}>Cancel</Button>
      <div className="w-full">
        <FormError error={work.error} />
      </div>
    </form>
  )
}
