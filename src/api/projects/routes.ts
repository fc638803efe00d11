/** /projects and /projects/{id}: collections of an account's own (an extension). */
import { type FastifyPluginAsyncTypebox, Type } from '@fastify/type-provider-typebox'
import {
  addToProject,
  changeProject,
  createProject,
  findProject,
  readProjects,
  removeProject,
  takeFromProject,
} from '../../features/library/projects.ts'
import { readSelectedTexts } from '../../features/files/selected-texts.ts'
import { LIMITS } from '../../config/config.ts'
import { pageInfo } from '../../kit/page.ts'
import { found } from '../../kit/problem.ts'
import { ACTS } from '../action-class.ts'
import type { ApiContext } from '../api-context.ts'
import { accountOf, callerOf, ORDERING, READING, requireScope } from '../auth.ts'
import { answer, closedObject, listOf, pagingOf, problems, wordOf } from '../contract.ts'
import { DELETION_ANSWERS, requireKnown } from '../library/deletions.ts'
import { DryRunParameter } from '../library/schema.ts'
import {
  ProjectBody,
  ProjectParams,
  ProjectPatch,
  ProjectSchema,
  ProjectVideoParams,
  ProjectVideosAdded,
  ProjectVideosBody,
} from './schema.ts'
import { additionOf, presentProject } from './present.ts'

const tags = ['Projects']

const listSchema = {
  tags,
  summary: 'List the projects of the account, the last changed first',
  operationId: 'listProjects',
  querystring: Type.Object(pagingOf({ limit: 50, limitMax: LIMITS.projectsMax })),
  response: { 200: answer(listOf('ProjectList', 'projects', ProjectSchema), 'A page of projects') },
}
const createSchema = {
  tags,
  summary: 'Create a project: a collection of your own',
  description:
    'Its videos, files and exports are under `GET /library/{id}`, as those of a channel. It costs nothing.',
  operationId: 'createProject',
  ...ACTS.write,
  body: ProjectBody,
  response: { 201: answer(ProjectSchema, 'The project, still empty'), ...problems() },
}
const getSchema = {
  tags,
  summary: 'Read the name, note and tags of a project',
  operationId: 'getProject',
  params: ProjectParams,
  response: { 200: answer(ProjectSchema, 'The project') },
}
const patchSchema = {
  tags,
  summary: 'Change the name, the note or the tags of a project',
  description: 'What is left out stays as it is.',
  operationId: 'changeProject',
  ...ACTS.write,
  params: ProjectParams,
  body: ProjectPatch,
  response: { 200: answer(ProjectSchema, 'The project as it is now'), ...problems() },
}
const deleteSchema = {
  tags,
  summary: 'Delete a project; its transcripts stay in the library, or go with it',
  description:
    '`texts=true` deletes its transcripts, too, as `DELETE /library/{id}/texts` does; apps and restricted keys cannot.',
  operationId: 'deleteProject',
  ...ACTS.destroy,
  params: ProjectParams,
  querystring: closedObject({
    texts: Type.Optional(
      wordOf(['true', 'false'], { description: '`true`: its transcripts go with it' }),
    ),
    ...DryRunParameter,
  }),
  response: { ...DELETION_ANSWERS, 204: answer(Type.Null(), 'It is deleted') },
}
const addSchema = {
  tags,
  summary: 'Add delivered videos to a project',
  description:
    `Name up to ${LIMITS.projectVideosNamedMax} videos, a job or a collection for all of it, or several of these in lists. Adding a video ` +
    'twice changes nothing. What was not delivered is refused, and the others are added.',
  operationId: 'addToProject',
  ...ACTS.write,
  params: ProjectParams,
  body: ProjectVideosBody,
  response: { 200: answer(ProjectVideosAdded, 'What was added, and what was not'), ...problems() },
}
const takeSchema = {
  tags,
  summary: 'Remove a video from a project, in all of its languages',
  operationId: 'takeFromProject',
  ...ACTS.write,
  params: ProjectVideoParams,
  response: {
    204: answer(Type.Null(), 'It is no longer in the project, and stays in the library'),
  },
}

export function projectRoutes({ db, publicUrl, config }: ApiContext): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get('/projects', { schema: listSchema, config: READING }, async (request) => {
      const { offset = 0, limit = 50 } = request.query
      const ask = { accountId: accountOf(request), offset, limit }
      const { total, projects } = await readProjects(db, ask)
      return { ...pageInfo(ask, total), projects: projects.map(presentProject) }
    })

    app.post('/projects', { schema: createSchema, config: ORDERING }, async (request, reply) => {
      const project = await createProject(db, accountOf(request), request.body)
      return reply.code(201).send(presentProject(project))
    })

    app.get('/projects/:id', { schema: getSchema, config: READING }, async (request) => {
      const owned = { accountId: accountOf(request), projectId: request.params.id }
      return presentProject(found(await findProject(db, owned)))
    })

    app.patch('/projects/:id', { schema: patchSchema, config: ORDERING }, async (request) => {
      const owned = { accountId: accountOf(request), projectId: request.params.id }
      return presentProject(found(await changeProject(db, owned, request.body)))
    })

    app.delete(
      '/projects/:id',
      { schema: deleteSchema, config: ORDERING },
      async (request, reply) => {
        const owned = { accountId: accountOf(request), projectId: request.params.id }
        requireKnown(request.url, ['texts', 'dryRun'])
        const { texts, dryRun } = request.query
        if (texts === 'true')
          requireScope(callerOf(request), undefined, { publicUrl, audience: 'api' })
        const isDryRun = dryRun === 'true'
        const deletedMs = config.deadlines.textsDeletedMs
        const asked = { withTexts: texts === 'true', isDryRun, deletedMs }
        const told = found(await removeProject(db, owned, asked))
        if (told === 'removed') return reply.code(204).send(null)
        return reply.code(isDryRun ? 200 : 202).send(told)
      },
    )

    app.post('/projects/:id/videos', { schema: addSchema, config: ORDERING }, async (request) => {
      const owned = { accountId: accountOf(request), projectId: request.params.id }
      const addition = additionOf(request.body)
      if (!('selection' in addition)) return found(await addToProject(db, owned, addition))
      const videos = await readSelectedTexts(db, owned.accountId, addition.selection)
      return found(await addToProject(db, owned, { videos }))
    })

    app.delete(
      '/projects/:id/videos/:videoId',
      { schema: takeSchema, config: ORDERING },
      async (request, reply) => {
        const { id: projectId, videoId } = request.params
        const owned = { accountId: accountOf(request), projectId }
        found((await takeFromProject(db, owned, videoId)) || null)
        return reply.code(204).send(null)
      },
    )
  }
}
