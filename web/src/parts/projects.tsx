/** The account's projects, beside its channels and playlists or above them, and a field that makes one. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { type Project, projectsApi, projectsQuery, refreshProjects } from '../api/projects.ts'
import { counted, recently } from '../format.ts'
import { Button } from './controls.tsx'
import type { WordsToChange } from './words-form.tsx'
import { WordsFields } from './words-in-place.tsx'

export function Projects() {
  const { data } = useQuery(projectsQuery)
  const [isNew, setNew] = useState(false)
  if (data === undefined) return null
  return (
    <section aria-labelledby="projects" className="min-w-0 lg:col-start-2 lg:row-start-1">
      <div className="mb-3 flex min-h-10 flex-wrap items-center justify-between gap-3">
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
        <ul
          aria-label="Projects"
          className="-m-1 flex gap-3 overflow-x-auto p-1 lg:max-h-[70dvh] lg:flex-col"
        >
          {data.projects.map((project) => (
            <ProjectCard key={project.id} project={project} />
          ))}
        </ul>
      )}
    </section>
  )
}

function ProjectCard({ project }: { project: Project }) {
  const { id, name, tags, videos, changedAt } = project
  return (
    <li className="group relative w-60 shrink-0 rounded-xl border border-line bg-surface px-4 py-3 hover:border-control lg:w-auto">
      <Link
        to="/library/$id"
        params={{ id }}
        className="line-clamp-1 font-medium wrap-anywhere no-underline row-link group-hover:text-accent lg:line-clamp-2"
        dir="auto"
      >
        {name}
      </Link>
      <p className="numbers text-sm text-muted">
        {counted(videos, 'transcript')} · {recently(changedAt)}
      </p>
      {tags.length > 0 && (
        <p className="truncate text-sm text-muted" dir="auto">
          {tags.join(', ')}
        </p>
      )}
    </li>
  )
}

function NewProject({ onEnd }: { onEnd: () => void }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const words: WordsToChange = {
    label: 'New project',
    name: null,
    nameField: { required: true },
    action: 'Create project',
    save: async (field) => {
      const { id } = await projectsApi.create({ name: field('name') })
      await refreshProjects(client)
      await navigate({ to: '/library/$id', params: { id } })
    },
  }
  return (
    <div className="mb-4">
      <WordsFields words={words} onEnd={onEnd} />
    </div>
  )
}
