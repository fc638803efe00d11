/** Projects, as the public API has them. */
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { Projects } from '../../../clients/typescript/src/projects.ts'
import { publicApi } from './client.ts'

export type { Project, ProjectVideos } from '../../../clients/typescript/src/schema.ts'

export const projectsApi = new Projects(publicApi)

/** Most projects that an account has. */
const PROJECTS_PAGE = 200

export const projectsQuery = queryOptions({
  queryKey: ['projects'],
  queryFn: ({ signal }) => projectsApi.list({ limit: PROJECTS_PAGE, signal }),
})

export const projectQuery = (id: string) =>
  queryOptions({
    queryKey: ['projects', id],
    queryFn: ({ signal }) => projectsApi.get(id, { signal }),
  })

/** Reads again what a change of a project showed: the list of projects, its page and its videos. */
export async function refreshProjects(client: QueryClient): Promise<void> {
  const names = ['projects', 'collection']
  await Promise.all(names.map((name) => client.invalidateQueries({ queryKey: [name] })))
}
