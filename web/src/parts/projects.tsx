/** The account's projects, above its channels and playlists, and a field that makes one. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Project, projectsApi, projectsQuery, refreshProjects } from '../api/projects.ts'
import { counted, recently } from '../format.ts'
import { Button, Field } from './controls.tsx'
import { FormError, useFormWork } from './entrance.tsx'

export function Projects() {
  const { data } = useQuery(projectsQuery)
  const [isNew, setNew] = useState(false)
  if (data === undefined) return null
  return (
    <section aria-labelledby="projects" className="mb-10">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="projects" className="text-xl">
          Projects
        </h2>
        <Button size="small" aria-expanded={isNew} onClick={() => setNew(!isNew)}>
          New project
        </Button>
      </div>
      {isNew && <NewProject onEnd={() => setNew(false)} />}
      {data.projects.length === 0 ? (
        <p className="max-w-[68ch] text-sm text-muted">
          A project holds transcripts of any channels and jobs, to search, read and download
          together.
        </p>
      ) : (
        <ul aria-label="Projects" className="divide-y divide-line border-y border-line">
          {data.projects.map((project) => (
            <ProjectLine key={project.id} project={project} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ProjectLine({ project }: { project: Project }) {
  const { id, name, tags, videos, changedAt } = project
  return (
    <li className="group relative flex flex-wrap items-baseline gap-x-4 gap-y-1 py-3">
      <Link
        to="/library/$id"
        params={{ id }}
        className="min-w-0 font-medium wrap-anywhere underline decoration-transparent underline-offset-4 row-link group-hover:text-accent group-hover:decoration-accent"
        dir="auto"
      >
        {name}
      </Link>
      <span className="min-w-0 text-sm wrap-anywhere text-muted" dir="auto">
        {tags.join(', ')}
      </span>
      <span className="numbers ml-auto text-sm whitespace-nowrap text-muted">
        {counted(videos, 'transcript')} · changed {recently(changedAt)}
      </span>
    </li>
  )
}

function NewProject({ onEnd }: { onEnd: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const form = useFormWork()
  const submit = form.sends(async (field) => {
    const { id } = await projectsApi.create({ name: field('name') })
    await refreshProjects(client)
    await navigate({ to: '/library/$id', params: { id } })
  })
  return (
    <form
      onSubmit={submit}
      onKeyDown={({ key }) => key === 'Escape' && onEnd()}
      className="mb-4 flex flex-wrap items-end gap-3"
    >
      <Field
        label="Name"
        name="name"
        required
        autoFocus
        maxLength={120}
        autoComplete="off"
        className="w-full sm:w-72"
      />
      <Button type="submit" kind="primary" isBusy={form.isBusy}>
        Create project
      </Button>
      <FormError error={form.error} />
    </form>
  )
}
